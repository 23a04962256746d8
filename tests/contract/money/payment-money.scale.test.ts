/** Money per delivery before and after any change, by whomever: never a free delivery, never a double payment. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { playStory, type Tally } from './payment-checks.ts';
import { stories } from './payment-world.ts';

const RUNS = propertyRuns(1_000);

test(`${RUNS.numRuns} random stores: each change costs what the oracle says, shows it before, and is charged`, async () => {
  const tally: Tally = {};
  await fc.assert(
    fc.asyncProperty(stories, (story) => playStory(story, tally)),
    RUNS,
  );
  // Enough of it has to happen, not to be refused; of a few runs nobody can say.
  const happened = [
    'interval changed',
    'plan changed',
    'added',
    'swapped',
    'charged',
    'interval refused',
    'plan refused',
  ];
  const rare = happened.filter((what) => (tally[what] ?? 0) * 10 < RUNS.numRuns);
  if (RUNS.numRuns >= 100) expect(rare).toEqual([]);
});
