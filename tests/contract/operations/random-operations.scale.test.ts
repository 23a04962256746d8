/**
 * Checks the invariants of a contract and its timeline under any actions of several actors, in any order, with any
 * fault.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FactChange } from '../../../lib/timeline/facts.ts';
import { isSameFactText } from '../../../lib/timeline/facts.ts';
import { propertyRuns } from '../../full-size.ts';
import {
  CONTRACTS,
  type Command,
  charges,
  clashes,
  createRandomWorld,
  crowds,
  type RandomWorld,
  type Transition,
  weeks,
} from './random-operations.ts';

const RUNS = propertyRuns(2_000);
const MAX_RUNS = 6;

test.each([
  ['weeks', weeks],
  ['clashes', clashes],
])(
  `${RUNS.numRuns} random %s: nothing by halves, one entry a change, no stray skip, no order of a paused contract`,
  async (_name, commands) => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const world = await runCommands(sequence);
        expect(world.broken).toEqual([]);
        expect(await world.openIntents()).toBe(0);
        for (const id of CONTRACTS) {
          expect(world.straySkips(id)).toEqual([]);
          await expectRecordedOnce(world, id);
        }
      }),
      RUNS,
    );
  },
);

test.each([
  ['crowds', crowds],
  ['charges', charges],
])(
  `${RUNS.numRuns} random %s at once: one entry a change and an attempt, no attempt that nobody clearly wanted`,
  async (_name, commands) => {
    await fc.assert(
      fc.asyncProperty(commands, fc.constantFrom(0, 3, 200), async (sequence, seconds) => {
        const world = await runCommands(sequence, { watchesCycles: true, seconds });
        expect([...world.broken, ...world.brokenCharges]).toEqual([]);
        expect(await world.openIntents()).toBe(0);
        for (const id of CONTRACTS) {
          await expectRecordedOnce(world, id);
          const entries = await world.entriesOf(id);
          const reported = entries.filter(({ details }) => typeof details.idempotencyKey === 'string');
          const charges = reported.map(({ action, changes }) => `${changes[0]?.after} ${action}`);
          expect(charges.sort()).toEqual(world.chargesToRecord(id));
        }
      }),
      RUNS,
    );
  },
);

/** Runs a sequence, and then the scheduled work until no intent is open. */
async function runCommands(
  sequence: readonly Command[],
  options?: Parameters<typeof createRandomWorld>[0],
): Promise<RandomWorld> {
  const world = createRandomWorld(options);
  for (const command of sequence) await world.run(command);
  for (let runs = 0; runs === 0 || (runs < MAX_RUNS && (await world.openIntents()) > 0); runs++) {
    await world.settle();
  }
  return world;
}

/**
 * Checks that the timeline's entries match the platform's changes: each DONE is a change, and other changes are
 * UNKNOWN. Two concurrent changes of the status have both read the state before the first.
 */
async function expectRecordedOnce(world: RandomWorld, id: (typeof CONTRACTS)[number]): Promise<void> {
  const entries = await world.entriesOf(id);
  const none = entries
    .flatMap(({ changes }) => changes)
    .filter(({ field, before, after }) => before !== null && isSameFactText(field, before, after));
  expect(none).toEqual([]);
  const reported = (outcome: string) =>
    entries
      .filter((entry) => entry.outcome === outcome)
      .flatMap(({ changes }) => changes)
      .filter(({ field, before, after }) => world.isWatched(field) && before !== after);
  const done = reported('DONE');
  const doubtful = reported('UNKNOWN');
  const made = world.transitions.filter(({ contract }) => contract === id);
  let clashes = world.clashes.get(id) ?? 0;
  const unrecorded = made
    .filter((one) => !take(done, one, isSame))
    .filter((one) => clashes === 0 || !take(done, one, isSameStatus) || clashes-- === 0)
    .filter((one) => !take(doubtful, one, isSame));
  expect({ recordedButNotDone: done, unrecorded }).toEqual({ recordedButNotDone: [], unrecorded: [] });
}

type RecordedChange = Pick<FactChange, 'field' | 'before' | 'after'>;
type Made = Pick<Transition, 'field' | 'after'> & { readonly before?: string };

const isSame = (one: RecordedChange, other: Made) => isSameEnd(one, other) && one.before === other.before;
const isSameEnd = (one: RecordedChange, { field, after }: Made) => one.field === field && one.after === after;
const isSameStatus = (one: RecordedChange, other: Made) => one.field === 'status' && isSameEnd(one, other);

function take(
  reported: RecordedChange[],
  made: Made,
  isRecorded: (one: RecordedChange, other: Made) => boolean,
): boolean {
  const index = reported.findIndex((one) => isRecorded(one, made));
  if (index >= 0) reported.splice(index, 1);
  return index >= 0;
}
