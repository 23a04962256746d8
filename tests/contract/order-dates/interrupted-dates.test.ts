/** A date of the next order whose change was interrupted, and what clients do before the scheduled work finishes it. */
import { describe, expect } from '@jest/globals';
import { listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import { createPostponementWorld, FIRST, failDocument, ID } from '../postponement/postponement-world.ts';
import { test } from '../world/contract-test.ts';

type World = ReturnType<typeof createPostponementWorld>;

const ACTIVATE = `subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: "2027-01-20")`;
const FORTNIGHT = 'interval: { interval: WEEK, intervalCount: 2 }';
const INTERVAL = `subscriptionContractIntervalUpdate(contractId: "${ID}", ${FORTNIGHT}, nextBillingDate: "2027-01-20")`;
const MINUTE_MS = 60_000;

async function send({ send }: World, mutation: string): Promise<unknown> {
  const { payload, code } = await send('store', `mutation { ${mutation} { userErrors { code } } }`);
  return code ?? payload.userErrors;
}

/** The days of the next three orders. */
function nextDays({ contract, now }: World): string[] {
  return listCyclesBetween(contract, 1, 60)
    .filter(({ skipped, billed, expectedMs }) => !skipped && !billed && expectedMs > now())
    .map(({ expectedMs }) => new Date(expectedMs).toISOString().slice(0, 10))
    .sort()
    .slice(0, 3);
}

/** Loses both rounds of the second step; more than a minute later the orders can be changed again. */
async function interrupt(world: World, mutation: string): Promise<void> {
  world.at('2026-11-30T12:00:00Z', []);
  failDocument(world, 1, { kind: 'lost before' });
  expect(await send(world, mutation)).toBe('OUTCOME_UNKNOWN');
  world.later(2 * MINUTE_MS);
}

describe.each([
  ['a resumption', ACTIVATE],
  ['a new interval', INTERVAL],
])('after %s whose date was interrupted', (_which, mutation) => {
  test('the scheduled work moves the next order to the date', async () => {
    const world = createPostponementWorld();
    await interrupt(world, mutation);
    await world.runWork();
    expect(nextDays(world)[0]).toBe('2027-01-20');
  });

  test('the scheduled work moves the next order also when an order after the date was skipped', async () => {
    const world = createPostponementWorld();
    await interrupt(world, mutation);
    expect(
      await send(world, `subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 9)`),
    ).toEqual([]);
    await world.runWork();
    expect(nextDays(world)[0]).toBe('2027-01-20');
  });

  test.each([
    [
      'moved',
      `subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 4, billingDate: "2026-12-05")`,
    ],
    ['skipped', `subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 4)`],
    [
      'postponed',
      `subscriptionOrderPostpone(contractId: "${ID}", expectedDate: "${FIRST}", to: "2026-12-12")`,
    ],
  ])('an order that was %s since stays as the client saw it', async (_how, change) => {
    const world = createPostponementWorld();
    await interrupt(world, mutation);
    expect(await send(world, change)).toEqual([]);
    const daysBefore = nextDays(world);
    await world.runWork();
    await world.runWork();
    expect(nextDays(world)).toEqual(daysBefore);
  });
});

test('a new interval keeps a chosen date also after 250 further entries', async () => {
  const world = createPostponementWorld();
  world.at('2026-11-30T12:00:00Z', []);
  // The day of a regular order: a moved next order keeps its date in any case.
  expect(await send(world, ACTIVATE.replace('2027-01-20', '2027-02-09'))).toEqual([]);
  for (let count = 0; count < 251; count++) {
    world.later(1000);
    expect(
      await send(world, `subscriptionContractNoteUpdate(contractId: "${ID}", note: "${count}")`),
    ).toEqual([]);
  }
  expect(await send(world, `subscriptionContractIntervalUpdate(contractId: "${ID}", ${FORTNIGHT})`)).toEqual(
    [],
  );
  expect(nextDays(world)[0]).toBe('2027-02-09');
});
