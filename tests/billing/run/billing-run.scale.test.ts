/** The service's billing charges, skips, ends and reports what the oracle expects, whatever breaks. */
import { expect, test } from '@jest/globals';
import { propertyRuns } from '../../full-size.ts';
import type { Description } from '../oracle/description.ts';
import { generateDescription } from '../oracle/random/generate-description.ts';
import { findDisagreements, findViolations, shortenBusyTimes } from './accept-description.ts';
import { CALM, createStorm, type FaultProfile } from './fault-profile.ts';

const { numRuns, seed: firstSeed } = propertyRuns(500);
const TIMEOUT_MS = 3_600_000;
/** The behaviours of the platform in which it prevents least. */
const PERMISSIVE = { openAttempts: 'several', paymentsPerOrder: 'several', keysRemembered: 'hour' } as const;

type Find = (description: Description, faults: FaultProfile) => Promise<string[]>;
type Stores = { readonly isQuiet?: boolean; readonly createFaults?: (seed: number) => FaultProfile };

const createPermissiveStorm = (seed: number) => createStorm(seed, PERMISSIVE);

async function findInEachStore(find: Find, { isQuiet = false, createFaults = () => CALM }: Stores) {
  const found: string[] = [];
  for (let run = 0; run < numRuns; run += 1) {
    const seed = firstSeed + run;
    const description = shortenBusyTimes(generateDescription({ seed, contractCount: 6, days: 60, isQuiet }));
    const texts = await find(description, createFaults(seed));
    found.push(...texts.map((text) => `seed ${seed}: ${text}`));
  }
  return found;
}

test(
  'does with each order what the oracle expects',
  async () => {
    expect(await findInEachStore(findDisagreements, {})).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'charges each order once while processes crash, and answers and webhooks are lost',
  async () => {
    const storms = { isQuiet: true, createFaults: createPermissiveStorm };
    expect(await findInEachStore(findDisagreements, storms)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'charges no order twice or while stopped, whatever customers, merchants, banks and other servers do',
  async () => {
    expect(await findInEachStore(findViolations, { createFaults: createPermissiveStorm })).toEqual([]);
  },
  TIMEOUT_MS,
);
