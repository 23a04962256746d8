/**
 * Two changes of one contract's orders at once: the second one runs at each step of the first. The result is that of the
 * two in some order, or of one alone.
 */
import { expect, test } from '@jest/globals';
import { listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { isFullSize } from '../../full-size.ts';
import { FIRST, ID, postpone, REVERT, sendNow } from './postponement-world.ts';
import { createSteppedWorld } from './stepped-world.ts';

type World = ReturnType<typeof createSteppedWorld>;
type Changes = Readonly<Record<string, string>>;
type Situation = { readonly now: string; readonly before: readonly string[]; readonly changes: Changes };

const SECOND = '2027-01-09T10:00:00Z';
const POSTPONED = '2026-12-16T10:00:00Z';

const mutation = (name: string, args: string) => `mutation { ${name}(${args}) { userErrors { code } } }`;
const onContract = (name: string, more = '') => mutation(name, `subscriptionContractId: "${ID}"${more}`);
const onOrder = (name: string, index: number, more: string) =>
  mutation(name, `contractId: "${ID}", billingCycleIndex: ${index}, ${more}`);
const skip = (index: number, date: string) =>
  onOrder('subscriptionBillingCycleSkip', index, `expectedDate: "${date}"`);
const move = (index: number, to: string) =>
  onOrder('subscriptionBillingCycleReschedule', index, `billingDate: "${to}"`);
const CHARGE = onContract('subscriptionBillingCycleCharge', ', billingCycleSelector: { index: 4 }');

/** Changes that are the same in all situations. Cycle 4 is that of the first order. */
const GENERAL: Changes = {
  restore: onOrder('subscriptionBillingCycleSkip', 4, 'skip: false'),
  'change of the interval': mutation(
    'subscriptionContractIntervalUpdate',
    `contractId: "${ID}", interval: { interval: WEEK, intervalCount: 2 }`,
  ),
  pause: onContract('subscriptionContractPause'),
  'resumption with a date': onContract(
    'subscriptionContractActivate',
    ', nextBillingDate: "2026-12-28T10:00:00Z"',
  ),
  cancellation: onContract('subscriptionContractCancel'),
};

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a contract without edits': {
    now: '2026-12-06T12:00:00Z',
    before: [],
    changes: {
      postponement: postpone(FIRST, '2026-12-16'),
      'send now': sendNow(FIRST),
      skip: skip(4, FIRST),
      move: move(4, '2026-12-07T20:00:00Z'),
      ...GENERAL,
    },
  },
  'a postponed contract': {
    now: '2026-12-06T12:00:00Z',
    before: [postpone(FIRST, '2026-12-16')],
    changes: {
      postponement: postpone(POSTPONED, '2027-01-03'),
      revert: REVERT,
      'send now': sendNow(POSTPONED),
      skip: skip(5, POSTPONED),
      move: move(5, '2026-12-20T20:00:00Z'),
      ...GENERAL,
    },
  },
  'a contract whose first order is skipped': {
    now: '2026-12-06T12:00:00Z',
    before: [skip(4, FIRST)],
    changes: {
      postponement: postpone(SECOND, '2027-01-16'),
      'send now': sendNow(SECOND),
      skip: skip(5, SECOND),
      move: move(5, '2026-12-20T20:00:00Z'),
      ...GENERAL,
    },
  },
  'an order that can be charged': {
    now: '2026-12-08T12:00:00Z',
    before: [],
    changes: { charge: CHARGE, postponement: postpone(FIRST, '2026-12-16'), 'send now': sendNow(FIRST) },
  },
  'a postponed order that could be charged on its former date': {
    now: '2026-12-08T12:00:00Z',
    before: [postpone(FIRST, '2026-12-16')],
    changes: { charge: CHARGE, revert: REVERT, 'send now': sendNow(POSTPONED) },
  },
};

/**
 * Pairs that have another result. The platform has no conditional edits, so the skip of an order that is not postponed is
 * made on the cycle that was recounted since it was decided.
 */
const OTHER_RESULTS = [/^a contract whose first order is skipped: skip during a change of the interval$/];

async function prepared({ now, before }: Situation): Promise<World> {
  const world = createSteppedWorld();
  world.at(now, []);
  for (const query of before) expect((await world.send('store', query)).payload.userErrors).toEqual([]);
  return world;
}

/** The status, the interval, and the days of the orders that come until spring. */
async function settled(world: World): Promise<string> {
  for (let runs = 0; runs < 3; runs += 1) await world.runWork();
  const { status, billingPolicy } = world.contract.content;
  if (status === 'CANCELLED') return status;
  const days = listCyclesBetween(world.contract, 4, 14)
    .filter(({ skipped, expectedMs }) => !skipped && expectedMs < Date.parse('2027-03-20'))
    .map(({ expectedMs }) => new Date(expectedMs).toISOString().slice(0, 10));
  return [status, billingPolicy.interval, ...days].join(' ');
}

const knownResults = new Map<string, Promise<string>>();

/** The result of changes one after the other. It is allowed for several pairs, and made once. */
function resultOf(situation: Situation, queries: readonly string[]): Promise<string> {
  const key = JSON.stringify([situation.now, situation.before, queries]);
  const result = knownResults.get(key) ?? sendInOrder(situation, queries);
  knownResults.set(key, result);
  return result;
}

async function sendInOrder(situation: Situation, queries: readonly string[]): Promise<string> {
  const world = await prepared(situation);
  for (const query of queries) await world.send('store', query);
  return settled(world);
}

/** Returns the steps of the first change. `runSecond` is called before each of them. */
async function runBoth(world: World, first: string, runSecond: (step: number) => Promise<unknown>) {
  const { steps } = await world.runStepped(
    ({ asFunction }) => world.send('store', first, asFunction),
    async ({ count }) => {
      await runSecond(count);
      return undefined;
    },
  );
  return steps;
}

const SITUATION_PAIRS = Object.entries(SITUATIONS).flatMap(([name, situation]) =>
  Object.keys(situation.changes).map((first) => [first, name, situation] as const),
);

test.each(SITUATION_PAIRS)(
  'a %s beside any other change leaves the orders of one after the other, for %s',
  async (firstName, name, situation) => {
    const { changes } = situation;
    const first = changes[firstName] ?? '';
    const alone = await resultOf(situation, [first]);
    const steps = await runBoth(await prepared(situation), first, async () => undefined);
    for (const [at, [secondName, second]] of Object.entries(changes).entries()) {
      const pair = `${name}: ${firstName} during a ${secondName}`;
      if (OTHER_RESULTS.some((other) => other.test(pair))) continue;
      const tried = steps.filter(({ count }) => isFullSize || (count + 5 * at) % 100 === 0);
      if (tried.length === 0) continue;
      const allowed = [
        alone,
        await resultOf(situation, [second]),
        await resultOf(situation, [first, second]),
        await resultOf(situation, [second, first]),
      ];
      for (const { count, name: step } of tried) {
        const world = await prepared(situation);
        await runBoth(world, first, async (now) => now === count && (await world.send('store', second)));
        const result = await settled(world);
        expect([pair, count, step, allowed]).toEqual([pair, count, step, expect.arrayContaining([result])]);
      }
    }
  },
);
