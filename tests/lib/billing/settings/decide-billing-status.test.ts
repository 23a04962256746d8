import { describe, expect, it } from '@jest/globals';
import {
  type BillingSettings,
  DEFAULT_BILLING_SETTINGS,
} from '../../../../lib/billing/records/settings-record.ts';
import {
  decideBillingStatus,
  type StatusContext,
  settingsOfInstallation,
} from '../../../../lib/billing/settings/decide-billing-status.ts';
import { berlin, berlinTime } from '../settle/fixtures.ts';

const enabledAtMs = berlinTime('2026-11-20T12:00');
const enabled: BillingSettings = {
  ...DEFAULT_BILLING_SETTINGS,
  ...{ version: 3, enabled: true, startsOn: '2026-12-01', updatedAtMs: enabledAtMs },
  ...{ enabledAtMs, firstEnabledAtMs: enabledAtMs },
};
const store = {
  status: 'installed',
  timeZone: berlin,
  restoredAtMs: undefined,
  installedAtMs: berlinTime('2026-01-01T00:00'),
} as const satisfies StatusContext['store'];

function status(settings: BillingSettings, changes: Partial<StatusContext> = {}) {
  const nowMs = berlinTime('2026-12-01T00:00');
  return decideBillingStatus(settings, { store, nowMs, stopOfAllStores: undefined, ...changes });
}

it('is OFF until billing is switched on', () => {
  expect(status(DEFAULT_BILLING_SETTINGS)).toBe('OFF');
});

it('is STARTING until the first day begins in the zone of the store, then ON', () => {
  expect(status(enabled, { nowMs: berlinTime('2026-11-30T23:59') })).toBe('STARTING');
  expect(status(enabled, { nowMs: berlinTime('2026-12-01T00:00') })).toBe('ON');
});

it('is stopped by the store or by an operator, who comes first', () => {
  const stopped = { ...enabled, stoppedByStoreAtMs: 1 };
  expect(status(stopped)).toBe('STOPPED_BY_STORE');
  expect(status({ ...stopped, stoppedByOperatorAtMs: 1 })).toBe('STOPPED_BY_OPERATOR');
});

it('is stopped by the stop of all stores, but OFF where billing is off', () => {
  expect(status(enabled, { stopOfAllStores: { atMs: 1 } })).toBe('STOPPED_BY_OPERATOR');
  expect(status(DEFAULT_BILLING_SETTINGS, { stopOfAllStores: { atMs: 1 } })).toBe('OFF');
});

it.each(['uninstalled', 'purging'] as const)('is OFF for a store that is %s', (gone) => {
  expect(status(enabled, { store: { ...store, status: gone } })).toBe('OFF');
});

describe('after an installation later than the settings', () => {
  const reinstalled = { ...store, installedAtMs: enabledAtMs + 1 };

  it('is OFF, and the settings are the defaults', () => {
    expect(status({ ...enabled, hour: 5 }, { store: reinstalled })).toBe('OFF');
    const settings = settingsOfInstallation({ ...enabled, hour: 5 }, reinstalled);
    expect(settings).toEqual({ ...DEFAULT_BILLING_SETTINGS, version: 3 });
  });

  it('keeps the stop of an operator', () => {
    const stopped = { ...enabled, stoppedByOperatorAtMs: 7 };
    expect(settingsOfInstallation(stopped, reinstalled)).toMatchObject({ stoppedByOperatorAtMs: 7 });
  });
});

describe('after a restore of the service’s data', () => {
  const restored = { ...store, restoredAtMs: enabledAtMs + 10 };

  it('stands still until an operator resumes', () => {
    expect(status(enabled, { store: restored })).toBe('STOPPED_BY_OPERATOR');
    // A resume in the millisecond of the restore may have come before it.
    for (const resumedByOperatorAtMs of [enabledAtMs + 9, enabledAtMs + 10])
      expect(status({ ...enabled, resumedByOperatorAtMs }, { store: restored })).toBe('STOPPED_BY_OPERATOR');
    expect(status({ ...enabled, resumedByOperatorAtMs: enabledAtMs + 11 }, { store: restored })).toBe('ON');
  });

  it('charges a store that was switched on for the first time since', () => {
    expect(status({ ...enabled, firstEnabledAtMs: enabledAtMs + 11 }, { store: restored })).toBe('ON');
  });
});
