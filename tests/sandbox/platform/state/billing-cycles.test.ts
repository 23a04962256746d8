import { describe, expect, test } from '@jest/globals';
import {
  createNextSegment,
  findCycleAt,
  findCycleByIndex,
  listCyclesBetween,
  type ReschedulingRule,
} from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { FrequencyPolicy } from '../../../../sandbox/platform/state/catalogue-records.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { createSeededState } from '../../../../sandbox/platform/state/seed/seed.ts';

function contractOf(
  createdAt: string,
  policy: Partial<FrequencyPolicy>,
  maxCycles: number | null = null,
): ContractRecord {
  const [store] = createSeededState({
    nowMs: Date.parse('2026-11-21T08:00:00Z'),
    contracts: 0,
  }).stores.values();
  const contract = store?.contracts.get(9101001);
  if (contract === undefined) throw new Error('no contract');
  const whole: FrequencyPolicy = { interval: 'MONTH', intervalCount: 1, anchors: [], ...policy };
  const content = { ...contract.content, billingPolicy: { ...whole, minCycles: null, maxCycles } };
  return {
    ...contract,
    createdAt,
    content,
    schedule: [{ fromIndex: 1, startAt: createdAt, policy: whole }],
    cycleEdits: {},
    billedCycles: [],
  };
}

function ends(contract: ContractRecord, count: number): string[] {
  return listCyclesBetween(contract, 1, count).map(({ endMs }) => formatIsoInstant(endMs));
}

describe('as measured on the real platform', () => {
  test('a cycle ends on the full hour counted from the making, the next starts a second later, billed at its end', () => {
    const cycles = listCyclesBetween(contractOf('2026-08-12T04:44:45Z', {}), 1, 3);
    expect(
      cycles.map(({ startMs, endMs, expectedMs }) => [startMs, endMs, expectedMs].map(formatIsoInstant)),
    ).toEqual([
      ['2026-08-12T04:44:45Z', '2026-09-12T04:00:00Z', '2026-09-12T04:00:00Z'],
      ['2026-09-12T04:00:01Z', '2026-10-12T04:00:00Z', '2026-10-12T04:00:00Z'],
      ['2026-10-12T04:00:01Z', '2026-11-12T04:00:00Z', '2026-11-12T04:00:00Z'],
    ]);
  });
});

describe('the calendar', () => {
  test('the 31st becomes the last day of short months and comes back', () => {
    expect(ends(contractOf('2026-12-31T10:00:00Z', {}), 4)).toEqual([
      '2027-01-31T10:00:00Z',
      '2027-02-28T10:00:00Z',
      '2027-03-31T10:00:00Z',
      '2027-04-30T10:00:00Z',
    ]);
  });

  test.each([
    ['DAY', 10, ['2026-03-11T00:00:00Z', '2026-03-21T00:00:00Z']],
    ['WEEK', 2, ['2026-03-15T00:00:00Z', '2026-03-29T00:00:00Z']],
    ['MONTH', 3, ['2026-06-01T00:00:00Z', '2026-09-01T00:00:00Z']],
    ['YEAR', 1, ['2027-03-01T00:00:00Z', '2028-03-01T00:00:00Z']],
  ] as const)('%s × %d', (interval, intervalCount, expected) => {
    expect(ends(contractOf('2026-03-01T00:00:00Z', { interval, intervalCount }), 2)).toEqual(expected);
  });

  test.each([
    ['WEEK', { type: 'WEEKDAY', day: 1 }, ['2026-03-09', '2026-03-16']],
    ['MONTH', { type: 'MONTHDAY', day: 31 }, ['2026-03-31', '2026-04-30']],
    ['YEAR', { type: 'YEARDAY', day: 24, month: 12 }, ['2026-12-24', '2027-12-24']],
  ] as const)('follows anchors: %s on %j', (interval, anchor, days) => {
    const anchors = [{ month: null, cutoffDay: null, ...anchor }];
    // 4 March 2026 is a Wednesday.
    expect(ends(contractOf('2026-03-04T06:00:00Z', { interval, anchors }), 2)).toEqual(
      days.map((day) => `${day}T06:00:00Z`),
    );
  });

  test('two anchors that mean the last day of a short month take turns in the order of their days', () => {
    const anchors = [31, 29].map((day) => ({ type: 'MONTHDAY' as const, day, month: null, cutoffDay: null }));
    expect(ends(contractOf('2027-02-24T06:00:00Z', { anchors, intervalCount: 2 }), 4)).toEqual(
      ['2027-03-29', '2027-03-31', '2027-05-29', '2027-05-31'].map((day) => `${day}T06:00:00Z`),
    );
  });

  test('an anchor on the last day holds through short months, and every cycle ends once', () => {
    const anchors = [{ type: 'MONTHDAY' as const, day: 31, month: null, cutoffDay: null }];
    expect(ends(contractOf('2026-11-28T06:00:00Z', { anchors }), 6)).toEqual(
      ['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'].map(
        (day) => `${day}T06:00:00Z`,
      ),
    );
    const leapDay = [{ type: 'YEARDAY' as const, day: 29, month: 2, cutoffDay: null }];
    expect(ends(contractOf('2026-02-28T06:00:00Z', { interval: 'YEAR', anchors: leapDay }), 3)).toEqual([
      '2027-02-28T06:00:00Z',
      '2028-02-29T06:00:00Z',
      '2029-02-28T06:00:00Z',
    ]);
  });

  // 4 March 2026 is a Wednesday.
  test.each([
    ['WEEK', 2, { type: 'WEEKDAY', day: 1 }, ['2026-03-16', '2026-03-30', '2026-04-13']],
    ['MONTH', 3, { type: 'MONTHDAY', day: 31 }, ['2026-05-31', '2026-08-31', '2026-11-30']],
    ['YEAR', 2, { type: 'YEARDAY', day: 1, month: 2 }, ['2028-02-01', '2030-02-01', '2032-02-01']],
  ] as const)(
    'every %s × %d begins at the last anchor of the first period: %j',
    (interval, intervalCount, anchor, days) => {
      const anchors = [{ month: null, cutoffDay: null, ...anchor }];
      expect(ends(contractOf('2026-03-04T06:00:00Z', { interval, intervalCount, anchors }), 3)).toEqual(
        days.map((day) => `${day}T06:00:00Z`),
      );
    },
  );

  test('follows two anchors a month', () => {
    const anchors = [1, 15].map((day) => ({ type: 'MONTHDAY' as const, day, month: null, cutoffDay: null }));
    expect(ends(contractOf('2026-03-04T06:00:00Z', { anchors }), 4)).toEqual([
      '2026-03-15T06:00:00Z',
      '2026-04-01T06:00:00Z',
      '2026-04-15T06:00:00Z',
      '2026-05-01T06:00:00Z',
    ]);
  });
});

describe('finding a cycle', () => {
  // Its `maxCycles` ends nothing.
  const contract = contractOf('2026-08-12T04:44:45Z', {}, 5);

  test.each([
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [1, 1],
    [5, 5],
    [6, 6],
  ])('finds the cycle with index %d', (index, found) => {
    expect(findCycleByIndex(contract, index)?.index).toBe(found);
  });

  test.each([
    ['2026-08-12T04:44:44Z', undefined],
    ['2026-08-12T04:44:45Z', 1],
    ['2026-09-12T04:00:00Z', 1],
    ['2026-09-12T04:00:01Z', 2],
    ['2027-01-12T04:00:00Z', 5],
    ['2027-01-12T04:00:01Z', 6],
  ])('finds the cycle at %s', (at, found) => {
    expect(findCycleAt(contract, Date.parse(at))?.index).toBe(found);
  });
});

describe('a new interval, in the two ways that merchants report', () => {
  const nowMs = Date.parse('2026-09-20T00:00:00Z');

  function rescheduled(rescheduling: ReschedulingRule, policy: Partial<FrequencyPolicy>): ContractRecord {
    const contract = contractOf('2026-08-12T04:44:45Z', {});
    const whole: FrequencyPolicy = { interval: 'WEEK', intervalCount: 1, anchors: [], ...policy };
    const segment = createNextSegment({ rescheduling }, contract, { policy: whole, nowMs });
    if (segment !== null) contract.schedule.push(segment);
    return contract;
  }

  test('the running cycle keeps its end, and the new interval counts from there', () => {
    const contract = rescheduled('AFTER_CURRENT_CYCLE', {});
    expect(ends(contract, 4)).toEqual([
      '2026-09-12T04:00:00Z',
      '2026-10-12T04:00:00Z',
      '2026-10-19T04:00:00Z',
      '2026-10-26T04:00:00Z',
    ]);
    expect(findCycleAt(contract, Date.parse('2026-10-13T00:00:00Z'))?.index).toBe(3);
  });

  test('the running cycle is counted again from its start, even to an end in the past', () => {
    const contract = rescheduled('FROM_CURRENT_CYCLE', {});
    expect(ends(contract, 4)).toEqual([
      '2026-09-12T04:00:00Z',
      '2026-09-19T04:00:00Z',
      '2026-09-26T04:00:00Z',
      '2026-10-03T04:00:00Z',
    ]);
    expect(findCycleAt(contract, nowMs)?.index).toBe(3);
    expect(ends(rescheduled('FROM_CURRENT_CYCLE', { intervalCount: 6 }), 3)).toEqual([
      '2026-09-12T04:00:00Z',
      '2026-10-24T04:00:00Z',
      '2026-12-05T04:00:00Z',
    ]);
  });
});
