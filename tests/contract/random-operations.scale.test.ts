/** What must hold whatever is done, by whomever, in whatever order, and whatever breaks meanwhile. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fullSize } from '../full-size.ts';
import {
  CONTRACTS,
  type Command,
  commands,
  createRandomWorld,
  type RandomWorld,
} from './random-operations.ts';

const SEQUENCES = fullSize(2_000);
const MOST_RUNS = 6;

test(`${SEQUENCES} random sequences: nothing by halves, one entry a change, no stray skip, no order of a paused contract`, async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const world = await played(sequence);
      expect(world.broken).toEqual([]);
      expect(await world.openIntents()).toBe(0);
      for (const id of CONTRACTS) {
        expect(world.straySkips(id)).toEqual([]);
        await expectToldOnce(world, id);
      }
    }),
    { numRuns: SEQUENCES },
  );
});

/** Plays a sequence, and the scheduled work until nothing is open. */
async function played(sequence: readonly Command[]): Promise<RandomWorld> {
  const world = createRandomWorld();
  for (const command of sequence) await world.play(command);
  for (let runs = 0; runs === 0 || (runs < MOST_RUNS && (await world.openIntents()) > 0); runs++) {
    await world.settle();
  }
  return world;
}

/** What the platform changed is what the timeline tells: DONE surely, and nothing else but where it is in doubt. */
async function expectToldOnce(world: RandomWorld, id: (typeof CONTRACTS)[number]): Promise<void> {
  const entries = await world.entriesOf(id);
  const told = (outcome: string) =>
    entries
      .filter((entry) => entry.outcome === outcome)
      .flatMap(({ changes }) => changes)
      .filter(({ field, before, after }) => world.isWatched(field) && before !== after)
      .map(({ field, before, after }) => `${field}: ${before} → ${after}`);
  const left = told('DONE');
  const doubtful = told('UNKNOWN');
  const untold: string[] = [];
  for (const { contract, field, before, after } of world.transitions) {
    if (contract !== id) continue;
    const text = `${field}: ${before} → ${after}`;
    if (!take(left, text) && !take(doubtful, text)) untold.push(text);
  }
  expect({ toldButNotDone: left, untold }).toEqual({ toldButNotDone: [], untold: [] });
}

function take(texts: string[], text: string): boolean {
  const index = texts.indexOf(text);
  if (index >= 0) texts.splice(index, 1);
  return index >= 0;
}
