/** The service's billing charges, skips, ends and reports what the oracle expects, whatever breaks. */
import { expect, test } from '@jest/globals';
import { propertyRuns } from '../../full-size.ts';
import { generateDescription } from '../oracle/random/generate-description.ts';
import { findDisagreements, shortenBusyTimes } from './accept-description.ts';
import { CALM, createStorm, type FaultProfile } from './fault-profile.ts';

const { numRuns, seed: firstSeed } = propertyRuns(500);
const TIMEOUT_MS = 3_600_000;

async function findAllDisagreements(isQuiet: boolean, createFaults: (seed: number) => FaultProfile) {
  const disagreements: string[] = [];
  for (let run = 0; run < numRuns; run += 1) {
    const seed = firstSeed + run;
    const description = shortenBusyTimes(generateDescription({ seed, contractCount: 6, days: 60, isQuiet }));
    const found = await findDisagreements(description, createFaults(seed));
    disagreements.push(...found.map((text) => `seed ${seed}: ${text}`));
  }
  return disagreements;
}

test(
  'does with each order what the oracle expects',
  async () => {
    expect(await findAllDisagreements(false, () => CALM)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'charges each order once while processes crash, and answers and webhooks are lost',
  async () => {
    const behaviour = {
      openAttempts: 'several',
      paymentsPerOrder: 'several',
      keysRemembered: 'hour',
    } as const;
    expect(await findAllDisagreements(true, (seed) => createStorm(seed, behaviour))).toEqual([]);
  },
  TIMEOUT_MS,
);
