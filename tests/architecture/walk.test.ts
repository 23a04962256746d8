/** A walk through the service is short enough to be read: `count-walk.ts` says what is counted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countWalk } from './count-walk.ts';
import { createWalkWorld, type WalkWorld } from './walk-world.ts';
import type { WalkName } from './walks.ts';

let world: WalkWorld;
beforeAll(async () => {
  world = await createWalkWorld();
});
afterAll(() => world.close());

test.each<{ name: WalkName; maximum: number }>([
  { name: "a customer's query", maximum: 28 },
  { name: 'an own mutation', maximum: 53 },
])('$name runs through at most $maximum files', async ({ name, maximum }) => {
  const files = await countWalk(world, name);
  // If the path grew, the message contains all its files.
  expect(files.length > maximum ? files : []).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});
