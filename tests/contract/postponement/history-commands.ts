/** Random contracts, and random commands of customers, the store, its job, another app and the clock. */
import fc from 'fast-check';
import type { TimeZone } from '../../../lib/domain/time-zone.ts';
import { RESCHEDULING_KINDS } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS } from '../../../sandbox/platform/state/instant.ts';
import { UNPUBLISHED_BEHAVIOURS } from '../../../sandbox/platform/state/unpublished-behaviour.ts';

const HOUR_MS = 3_600_000;

const intervals = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      interval: fc.constantFrom('MONTH' as const, 'MONTH' as const, 'WEEK' as const),
      intervalCount: fc.constantFrom(1, 1, 1, 2, 3, 4, 6),
    }),
  },
  fc.record({ interval: fc.constant('DAY' as const), intervalCount: fc.integer({ min: 5, max: 45 }) }),
  fc.constant({ interval: 'YEAR' as const, intervalCount: 1 }),
);
/** Intervals under which the contract's product is sold. */
const newInterval = fc.constantFrom(
  { interval: 'WEEK' as const, intervalCount: 1 },
  { interval: 'WEEK' as const, intervalCount: 2 },
  { interval: 'MONTH' as const, intervalCount: 1 },
  { interval: 'MONTH' as const, intervalCount: 2 },
);

const setups = fc.record({
  /** The end of a contract's first day: many begin at the end of a month. */
  createdMs: fc
    .record({
      hours: fc.integer({
        min: Date.parse('2026-01-01T00:00:00Z') / HOUR_MS,
        max: Date.parse('2028-12-31T00:00:00Z') / HOUR_MS,
      }),
      isAtMonthEnd: fc.boolean(),
    })
    .map(({ hours, isAtMonthEnd }) => {
      const created = new Date(hours * HOUR_MS);
      if (!isAtMonthEnd) return created.getTime();
      return Date.UTC(created.getUTCFullYear(), created.getUTCMonth() + 1, 0, created.getUTCHours());
    }),
  ageMs: fc.integer({ min: 1, max: 200 * 24 }).map((hours) => hours * HOUR_MS + 1_234),
  interval: intervals,
  timeZone: fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kathmandu') as fc.Arbitrary<TimeZone>,
  rescheduling: fc.constantFrom(...RESCHEDULING_KINDS),
  ways: fc.record({
    cycleBounds: fc.constantFrom(...UNPUBLISHED_BEHAVIOURS.cycleBounds),
    skippedDates: fc.constantFrom(...UNPUBLISHED_BEHAVIOURS.skippedDates),
    editReach: fc.constantFrom(...UNPUBLISHED_BEHAVIOURS.editReach),
  }),
});
export type Setup = typeof setups extends fc.Arbitrary<infer One> ? One : never;

const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
/** Counted from the next order, 0. */
const order = fc.nat(6);
const named = <Name extends string>(name: Name) => fc.constant(name);

const command = fc.oneof(
  {
    weight: 6,
    // A day beyond the bounds is refused.
    arbitrary: fc.record({
      name: named('postpone'),
      at: fc.oneof({ weight: 2, arbitrary: fraction }, named('cycle end')),
      daysBeyond: fc.constantFrom(0, 0, 0, 4),
    }),
  },
  { weight: 3, arbitrary: fc.record({ name: named('revert') }) },
  { weight: 3, arbitrary: fc.record({ name: named('skip'), order }) },
  { weight: 2, arbitrary: fc.record({ name: named('restore'), order }) },
  { weight: 3, arbitrary: fc.record({ name: named('move'), order, at: fraction }) },
  { weight: 1, arbitrary: fc.record({ name: named('pause'), days: fc.constantFrom(0, 3, 20, 60) }) },
  { weight: 2, arbitrary: fc.record({ name: named('resume') }) },
  { weight: 1, arbitrary: fc.record({ name: named('resume on'), order, at: fraction }) },
  { weight: 1, arbitrary: fc.record({ name: named('interval'), interval: newInterval }) },
  {
    weight: 1,
    arbitrary: fc.record({ name: named('interval on'), interval: newInterval, order, at: fraction }),
  },
  { weight: 2, arbitrary: fc.record({ name: named('send now') }) },
  { weight: 1, arbitrary: fc.record({ name: named('bank'), declines: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      name: named('other app'),
      edit: fc.constantFrom('skip', 'restore', 'move', 'delete', 'delete all'),
      order,
      at: fraction,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      name: named('wait'),
      ms: fc.constantFrom(60_000, HOUR_MS, 0.6 * DAY_MS, 9 * DAY_MS, 40 * DAY_MS, 200 * DAY_MS, 548 * DAY_MS),
      isWorking: fc.constantFrom(true, true, true, false),
    }),
  },
);
export type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;
export type Named<Name extends Command['name']> = Extract<Command, { name: Name }>;

export const histories = fc.record({
  setup: setups,
  commands: fc.array(command, { minLength: 1, maxLength: 14, size: 'max' }),
});
export type History = typeof histories extends fc.Arbitrary<infer One> ? One : never;
