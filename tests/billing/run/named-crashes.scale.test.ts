/** The service goes on after a crash at each of the points that random stores seldom reach. */
import { expect, test } from '@jest/globals';
import { propertyRuns } from '../../full-size.ts';
import { createDraw } from '../oracle/random/draw.ts';
import { findDisagreements } from './accept-description.ts';
import { type CrashKind, createNamedCrash, NAMED_POINTS } from './named-crashes.ts';

const { numRuns, seed: firstSeed } = propertyRuns(100);
const KINDS: readonly CrashKind[] = ['before', 'after'];

test.each(NAMED_POINTS.flatMap((point) => KINDS.map((kind) => [kind, point] as const)))(
  'charges each order once, and forgets none, when a process has crashed %s “%s”',
  async (kind, point) => {
    for (let seed = firstSeed; seed < firstSeed + numRuns; seed += 1) {
      const { description, faults, countCrashes } = createNamedCrash(createDraw(seed), point, kind);
      const { faults: found, counts } = await findDisagreements(description, faults);
      expect({ seed, found, counts, crashes: countCrashes() }).toMatchObject({
        ...{ seed, found: [], counts: { 'forgotten orders': 0 }, crashes: 1 },
      });
    }
  },
);
