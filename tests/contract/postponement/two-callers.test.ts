/**
 * Two changes of one contract's orders at once: the second one runs at each step of the first. The result is that of the
 * two in some order, or of one alone, and no order comes twice.
 */
import { expect, test } from '@jest/globals';
import { cyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { FIRST, ID, postpone, REVERT, sendNow } from './postponement-world.ts';
import { createSteppedWorld } from './stepped-world.ts';

type World = ReturnType<typeof createSteppedWorld>;
const POSTPONE = postpone(FIRST, '2026-12-16');
const SKIP = `mutation { subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 4, expectedDate: "${FIRST}") { userErrors { code } } }`;
const CHARGE = `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${ID}", billingCycleSelector: { index: 4 }) { userErrors { code } } }`;
const LAID = '2026-12-16T10:00:00Z';

async function prepared(isPostponed: boolean): Promise<World> {
  const world = createSteppedWorld();
  world.at('2026-12-08T12:00:00Z', []);
  if (isPostponed) await world.send('store', POSTPONE);
  return world;
}

/** The days of the orders that come until the 20th of January. */
function coming({ contract }: World): string {
  return cyclesBetween(contract, 4, 8)
    .filter(({ skipped, expectedMs }) => !skipped && expectedMs < Date.parse('2027-01-20'))
    .map(({ expectedMs }) => new Date(expectedMs).toISOString().slice(0, 10))
    .join();
}

async function settled(world: World): Promise<string> {
  for (let runs = 0; runs < 3; runs += 1) await world.runWork();
  return coming(world);
}

test.each([
  ['a postponement', 'a skip', POSTPONE, SKIP, false],
  ['a postponement', 'a charge', POSTPONE, CHARGE, false],
  ['a revert', 'a charge', REVERT, CHARGE, true],
  ['a postponement', 'a dispatch', POSTPONE, sendNow(FIRST), false],
  ['a dispatch', 'another', sendNow(LAID), sendNow(LAID), true],
])(
  '%s and %s at once leave the orders of one after the other',
  async (_one, _other, one, other, isPostponed) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const allowed: string[] = [];
      for (const queries of [[first], [second], [first, second], [second, first]]) {
        const world = await prepared(isPostponed);
        for (const query of queries) await world.send('store', query);
        allowed.push(await settled(world));
      }
      const recorded = await prepared(isPostponed);
      const send = (world: World, query: string, at = -1, runSecond?: () => Promise<unknown>) =>
        world.runStepped(
          ({ asFunction }) => world.send('store', query, asFunction),
          async ({ count }) => {
            if (count === at) await runSecond?.();
            return undefined;
          },
        );
      const { steps } = await send(recorded, first);
      for (const { count, name } of steps) {
        const world = await prepared(isPostponed);
        await send(world, first, count, () => send(world, second));
        const result = await settled(world);
        expect([count, name, allowed]).toEqual([count, name, expect.arrayContaining([result])]);
      }
    }
  },
);
