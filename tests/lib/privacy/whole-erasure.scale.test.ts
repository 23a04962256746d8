/**
 * Checks that an erasure leaves nothing but the tombstone in the whole table, for any person and after a crash at any
 * step.
 */
import { afterEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { itemKindOf } from '../../../lib/storage/table.ts';
import { isFullSize, propertyRuns } from '../../full-size.ts';
import { HOUR_MS, WEEKLY } from '../../world/store-world.ts';
import { crashEverywhere, createFaults, faulty } from '../stores/world/faults.ts';
import { createErasureWorld, type ErasureWorld, everything, restore } from './erasure-world.ts';
import {
  KINDS_OF_PERSON,
  liveToTheFull,
  MONTHLY,
  person,
  searchTextsOf,
  type Texts,
} from './full-history.ts';

const CONTRACTS = [WEEKLY, MONTHLY].map(String);
const worlds: ErasureWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function lived(texts: Texts) {
  const world = await createErasureWorld();
  worlds.push(world);
  await liveToTheFull(world, texts);
  return { world, searchTexts: searchTextsOf(world, texts) };
}

test('nothing of the person is found in the whole table but the tombstone, sealed boxes opened', async () => {
  await fc.assert(
    fc.asyncProperty(person, fc.boolean(), async (texts, isKnown) => {
      const { world, searchTexts } = await lived(texts);
      const before = await world.found(searchTexts);
      expect([...new Set(before.map((pk) => itemKindOf({ pk })))].sort()).toEqual(KINDS_OF_PERSON);
      await world.erase(isKnown ? CONTRACTS : []);
      world.later(HOUR_MS);
      await world.work();
      expect(await world.sweep()).toBe(1);
      expect(await world.found(searchTexts)).toEqual([]);
      const left = (await world.wholeTable()).filter(({ pk }) => itemKindOf({ pk }) === 'TOMBSTONE');
      expect(left).toHaveLength(1);
    }),
    { ...propertyRuns(100), endOnFailure: true },
  );
});

test('wherever the erasure or the sweep dies, repeating it finds the rest', async () => {
  const [texts] = fc.sample(person, { seed: 3, numRuns: 1 }) as [Texts];
  const { world, searchTexts } = await lived(texts);
  const items = await everything(world);
  const points = await crashEverywhere(
    async (fault) => {
      await restore(world, items);
      const faults = createFaults();
      // In `npm test` it dies at every fortieth call alone.
      faults.plan = (call) => fault(isFullSize ? call : { ...call, count: call.count / 40 });
      const over = faulty(world.table, 'table', faults);
      await world.erase(CONTRACTS, over);
      world.later(HOUR_MS);
      await world.sweep(over);
    },
    async (point) => {
      await world.erase(CONTRACTS);
      world.later(7 * HOUR_MS);
      await world.sweep();
      expect([point, await world.found(searchTexts)]).toEqual([point, []]);
    },
  );
  expect(points).toBeGreaterThan(isFullSize ? 50 : 1);
});
