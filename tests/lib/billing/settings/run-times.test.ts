import { describe, expect, it } from '@jest/globals';
import { latestRunDate, nextRunAtMs, runStartAtMs } from '../../../../lib/billing/settings/run-times.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { TimeZone } from '../../../../lib/domain/time-zone.ts';
import { settings } from '../settle/fixtures.ts';

/** The store's own minute is the eleventh. */
const shopId = 5021 as ShopId;

function storeIn(timeZone: string) {
  return { shopId, timeZone: timeZone as TimeZone, installedAtMs: 0 };
}

function start(hour: number, timeZone: string, day: string): string {
  return new Date(runStartAtMs({ hour }, storeIn(timeZone), day)).toISOString().slice(5, 16);
}

describe('a run', () => {
  it('starts at the store’s own minute after the hour in its zone', () => {
    expect(start(10, 'Europe/Berlin', '2026-12-01')).toBe('12-01T09:11');
    expect(start(10, 'Europe/Berlin', '2026-07-01')).toBe('07-01T08:11');
    expect(start(0, 'Asia/Kathmandu', '2026-12-01')).toBe('11-30T18:26');
  });

  it('starts after the clocks are put forward, on a day without the hour', () => {
    expect(start(2, 'Europe/Berlin', '2026-03-29')).toBe('03-29T01:11');
  });

  it('starts in the first of two hours', () => {
    expect(start(2, 'Europe/Berlin', '2026-10-25')).toBe('10-25T00:11');
  });
});

describe('the next run', () => {
  const next = (atIso: string, changes = {}, timeZone = 'Europe/Berlin') => {
    const atMs = nextRunAtMs({ ...settings, ...changes }, storeIn(timeZone), Date.parse(atIso));
    return atMs === undefined ? undefined : new Date(atMs).toISOString().slice(5, 16);
  };

  it('is the one of today until its minute, then the one of tomorrow', () => {
    expect(next('2026-12-01T09:10:59Z')).toBe('12-01T09:11');
    expect(next('2026-12-01T09:11:00Z')).toBe('12-02T09:11');
  });

  it('is the one of the first day while that is ahead', () => {
    expect(next('2026-12-01T00:00:00Z', { startsOn: '2026-12-24' })).toBe('12-24T09:11');
  });

  it('does not exist while billing is off', () => {
    expect(next('2026-12-01T00:00:00Z', { enabled: false })).toBeUndefined();
  });

  it('begins after midnight where clocks are put forward over the last hour of the day', () => {
    const nuuk = 'America/Nuuk';
    expect(next('2026-03-29T00:59:00Z', { hour: 23, startsOn: '2026-03-01' }, nuuk)).toBe('03-29T01:11');
    expect(next('2026-03-29T01:05:00Z', { hour: 23, startsOn: '2026-03-01' }, nuuk)).toBe('03-29T01:11');
    const store = storeIn(nuuk);
    const at = Date.parse('2026-03-29T01:12:00Z');
    expect(latestRunDate({ ...settings, startsOn: '2026-03-01', hour: 23 }, store, at)).toBe('2026-03-28');
  });
});

describe('the latest day whose run has to have begun', () => {
  const latest = (atIso: string, changes = {}) =>
    latestRunDate({ ...settings, ...changes }, storeIn('Europe/Berlin'), Date.parse(atIso));

  it('is today from the minute of the run on', () => {
    expect(latest('2026-12-01T09:10:59Z')).toBe('2026-11-30');
    expect(latest('2026-12-01T09:11:00Z')).toBe('2026-12-01');
  });

  it('does not exist before the first run, or while billing is off', () => {
    expect(latest('2026-12-01T09:10:59Z', { startsOn: '2026-12-01' })).toBeUndefined();
    expect(latest('2026-12-01T09:11:00Z', { startsOn: '2026-12-01' })).toBe('2026-12-01');
    expect(latest('2026-12-01T09:11:00Z', { enabled: false })).toBeUndefined();
  });
});
