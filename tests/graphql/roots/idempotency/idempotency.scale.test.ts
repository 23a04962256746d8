/**
 * Retries changes with a key, in any order and concurrently, with crashes and lost responses of platform and table, and
 * with a clock that moves across the 24 hours: there is one change, one entry, and one outcome for all requests.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendNow } from '../../../appending.ts';
import type { Acting } from '../../../contract/world/operation-world.ts';
import { propertyRuns } from '../../../full-size.ts';
import type { Call, Fault } from '../../../lib/stores/world/faults.ts';
import { HOUR_MS, MINUTE_MS } from '../../../world/store-world.ts';
import {
  ALL_FIELDS,
  createIdempotencyWorld,
  type Field,
  type IdempotencyWorld,
  type Request,
} from './idempotency-world.ts';

const RUNS = propertyRuns(1_000);

type FaultPlan = {
  readonly platform: 'lost before' | 'lost after' | 'stale' | undefined;
  readonly table: { readonly fault: Fault; readonly at: number } | undefined;
};
type Step = Request & FaultPlan;
type Command =
  | { readonly kind: 'ask'; readonly step: Step }
  | { readonly kind: 'both'; readonly steps: readonly [Step, Step]; readonly ticks: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'undo'; readonly field: Field }
  | { readonly kind: 'work' };

const stepOf = (field: Field): fc.Arbitrary<Step> =>
  fc.record({
    as: fc.constantFrom<Acting>('customer', 'store', 'store for a customer'),
    field: fc.constant(field),
    choice: fc.constantFrom(0, 0, 0, 0, 1),
    key: fc.constantFrom('one', 'one', 'one', 'two'),
    platform: fc.constantFrom(undefined, undefined, undefined, 'lost before', 'lost after', 'stale'),
    table: fc.option(
      fc.record({ fault: fc.constantFrom<Fault>('before', 'after', 'lost', 'down'), at: fc.nat(9) }),
      { nil: undefined, freq: 3 },
    ),
  });

type Sequence = { readonly field: Field; readonly commands: readonly Command[] };

const sequences: fc.Arbitrary<Sequence> = fc.constantFrom(...ALL_FIELDS).chain((field) => {
  const step = stepOf(field);
  const commands = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask' as const), step }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('both' as const),
          steps: fc.tuple(step, step),
          ticks: fc.nat(30),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('wait' as const),
          ms: fc.constantFrom(1_000, 40_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 23 * HOUR_MS, 25 * HOUR_MS),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const, field }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'work' as const }) },
    ),
    { minLength: 2, maxLength: 9 },
  );
  return fc.record({ field: fc.constant(field), commands });
});

test(`${RUNS.numRuns} random interleavings: one change, one entry, one outcome told to all`, async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async ({ field, commands }) => {
      const world = createIdempotencyWorld(field);
      const requests: Step[] = [];
      for (const command of commands) requests.push(...(await run(world, command)));
      await settle(world);
      await expectAnswers(world, requests);
      expect(world.model.broken).toEqual([]);
      // Entries have no values of addresses, so one of two concurrent changes of an address can be recorded in excess or not at all.
      const concurrent = commands.filter(({ kind }) => kind === 'both').length;
      await expectRecordedOnce(world, field, field === 'address' ? concurrent : 0);
    }),
    RUNS,
  );
});

async function run(world: IdempotencyWorld, command: Command): Promise<readonly Step[]> {
  const ask = ({ platform, table, ...request }: Step, ticks = 0) =>
    world.ask(request, { platform, table: table && at(table), ticks });
  let steps: readonly Step[] = [];
  if (command.kind === 'ask') {
    steps = [command.step];
    await ask(command.step);
  } else if (command.kind === 'both') {
    steps = command.steps;
    await Promise.all([ask(command.steps[0]), ask(command.steps[1], command.ticks)]);
  } else if (command.kind === 'undo') await world.undo(command.field);
  else if (command.kind === 'work') await world.work();
  else await wait(world, command.ms);
  world.clearFaults();
  world.later(1);
  return steps;
}

/** The scheduled work runs every quarter of an hour. */
async function wait(world: IdempotencyWorld, ms: number): Promise<void> {
  if (ms > QUARTER_MS) {
    world.later(QUARTER_MS);
    await world.work();
  }
  world.later(ms);
}

const QUARTER_MS = 15 * MINUTE_MS;

function at({ fault, at: count }: NonNullable<FaultPlan['table']>): (call: Call) => Fault | undefined {
  return (call) => (call.count === count ? fault : undefined);
}

async function settle(world: IdempotencyWorld): Promise<void> {
  for (let runs = 0; runs < 3; runs++) {
    world.later(10 * MINUTE_MS);
    await world.work();
  }
}

/**
 * After all work has ended, each request gets a final response: done, rejected, other arguments, or an unknown outcome.
 */
async function expectAnswers(world: IdempotencyWorld, requests: readonly Step[]): Promise<void> {
  for (const { as, field, choice, key } of requests) {
    const outcome = await world.ask({ as, field, choice, key });
    const codes = [
      undefined,
      'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      ...((await world.isSomeUnknown()) ? ['OUTCOME_UNKNOWN'] : []),
    ];
    expect(codes).toContain(outcome?.code);
    world.later(1);
  }
}

/** `tolerance`: so many changes may have an entry in excess, or none. */
async function expectRecordedOnce(world: IdempotencyWorld, field: Field, tolerance: number): Promise<void> {
  await settle(world);
  const entries = await world.entries();
  // Concurrent requests for the same change each have an entry; then the change remains in one of them.
  await appendNow(world);
  const done = (await world.entries()).filter(
    ({ outcome, changes }) => outcome === 'DONE' && (field === 'bulk' || changes.length > 0),
  ).length;
  const made = world.changes();
  expect({ done, made }).toEqual({ done: expect.any(Number), made: expect.any(Number) });
  if (done > made + tolerance || made > entries.length + tolerance) {
    throw new Error(`${made} changes, ${done} done and ${entries.length} entries in all`);
  }
}
