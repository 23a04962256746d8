/** `subscriptionBillingCycles` without a range begins at the next order, on both endpoints. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createOperationWorld, gid, type OperationWorld } from '../world/operation-world.ts';

const WEEKLY = 9_101_001;
const MONTHLY = 9_101_002;
const DAY_MS = 86_400_000;
const BEN = gid('SubscriptionContract', 9_101_004);

let world: OperationWorld;
beforeEach(() => {
  world = createOperationWorld();
});

const nowMs = () => world.platform.holder.nowMs;
const currentIndex = () => findCycleAt(world.contract(WEEKLY), nowMs())?.index ?? 0;
const bill = (...indices: number[]) => world.contract(WEEKLY).billedCycles.push(...indices);
const move = (index: number, toMs: number) => {
  world.contract(WEEKLY).cycleEdits[index] = {
    skipped: false,
    billingDate: formatIsoInstant(toMs),
    contract: null,
  };
};

type Request = Parameters<OperationWorld['run']>[0];
const cycles = (args = '', id = WEEKLY) =>
  `subscriptionBillingCycles(contractId: "${gid('SubscriptionContract', id)}"${args}) { nodes { cycleIndex skipped status } pageInfo { hasPreviousPage } }`;

async function list(args = '', request: Partial<Request> = {}, id = WEEKLY) {
  const { payload, code, documents } = await world.run({
    as: 'customer',
    query: `{ ${cycles(args, id)} }`,
    ...request,
  });
  const nodes = (payload?.nodes ?? []) as { cycleIndex: number; skipped: boolean }[];
  return { indices: nodes.map(({ cycleIndex }) => cycleIndex), nodes, code, requests: documents.length };
}
const range = (length: number, from: number) => Array.from({ length }, (_, place) => from + place);

describe.each(['customer', 'store', 'store for a customer'] as const)('as a %s', (as) => {
  test('lists 25 orders from the next one on, in one request', async () => {
    expect(await list('', { as })).toMatchObject({
      indices: range(25, currentIndex()),
      code: undefined,
      requests: 1,
    });
    expect((await list(', first: 2', { as })).indices).toEqual(range(2, currentIndex()));
  });

  test('begins after an order that was charged before its cycle ends', async () => {
    bill(currentIndex());
    const next = currentIndex() + 1;
    expect(await list('', { as })).toMatchObject({ indices: range(25, next), requests: 2 });
    // The next order was brought forward, and charged, too.
    move(next, (findCycleAt(world.contract(WEEKLY), nowMs())?.endMs ?? 0) + 3_600_000);
    bill(next);
    expect(await list('', { as })).toMatchObject({ indices: range(25, next + 1), requests: 3 });
    const { indices } = await list(', reverse: true, first: 250', { as });
    expect(indices.at(-1)).toBe(next + 1);
  });
});

describe('the next order', () => {
  test('can be skipped by its index, stays in the list, and can be restored', async () => {
    const [index = 0] = (await list()).indices;
    const skip = (value: boolean) =>
      world.run({
        as: 'customer',
        table: createMemoryTable(),
        query: `mutation { subscriptionBillingCycleSkip(contractId: "${gid('SubscriptionContract', WEEKLY)}", billingCycleIndex: ${index}, skip: ${value}) { billingCycle { skipped } userErrors { message } } }`,
      });
    expect((await skip(true)).payload).toEqual({ billingCycle: { skipped: true }, userErrors: [] });
    expect((await list()).nodes[0]).toMatchObject({ cycleIndex: index, skipped: true });
    expect((await skip(false)).payload).toMatchObject({ billingCycle: { skipped: false } });
  });

  test('is listed while it is overdue and its cycle runs', async () => {
    move(currentIndex(), nowMs() - DAY_MS);
    expect((await list()).indices[0]).toBe(currentIndex());
  });

  test('is the last node of a reversed list, and `last` counts from the end of the coming year', async () => {
    const year = (await list(', first: 250')).indices;
    expect(year.length).toBeGreaterThanOrEqual(52);
    expect((await list(', first: 250, reverse: true')).indices).toEqual(year.toReversed());
    expect((await list(', last: 3')).indices).toEqual(year.slice(-3));
  });
});

describe('a range', () => {
  const indices = ', billingCyclesIndexRangeSelector: { startIndex: 1, endIndex: 3 }';

  test('lists what it names, in one request', async () => {
    bill(currentIndex());
    expect(await list(indices)).toMatchObject({ indices: [1, 2, 3], requests: 1 });
    const dates = `, billingCyclesDateRangeSelector: { startDate: "${formatIsoInstant(nowMs())}", endDate: "${formatIsoInstant(nowMs() + DAY_MS)}" }`;
    expect(await list(dates)).toMatchObject({ indices: [currentIndex()], requests: 1 });
  });

  test('in variables that are null or left out is none', async () => {
    const query = `query($d: SubscriptionBillingCyclesDateRangeSelector, $i: SubscriptionBillingCyclesIndexRangeSelector) { ${cycles(', billingCyclesDateRangeSelector: $d, billingCyclesIndexRangeSelector: $i')} }`;
    const upcoming = range(25, currentIndex());
    for (const variables of [{}, { d: null, i: null }])
      expect((await list('', { query, variables })).indices).toEqual(upcoming);
    expect((await list(', billingCyclesDateRangeSelector: null')).indices).toEqual(upcoming);
    const i = { startIndex: 1, endIndex: 2 };
    expect((await list('', { query, variables: { i } })).indices).toEqual([1, 2]);
    const d = { startDate: formatIsoInstant(0), endDate: formatIsoInstant(nowMs()) };
    expect((await list('', { query, variables: { d } })).indices).toEqual(range(currentIndex(), 1));
    const both = await list('', { query, variables: { d, i } });
    expect(both.code).toBe('INVALID_FIELD_ARGUMENTS');
  });
});

test('a list that a condition leaves out is not sent, and others move by themselves', async () => {
  bill(currentIndex());
  const hidden = `c: subscriptionBillingCycles(contractId: "${BEN}") @include(if: $shown) { nodes { cycleIndex } }`;
  const query = `query($shown: Boolean = false) { a: ${cycles(', first: 1')} b: ${cycles(', first: 1', MONTHLY)} ${hidden} }`;
  const { payload, code, documents } = await world.run({ as: 'customer', query });
  expect(payload.nodes).toMatchObject([{ cycleIndex: currentIndex() + 1 }]);
  expect([code, documents.length]).toEqual([undefined, 2]);
});

test('another customer’s contract is refused with the same requests, billed or not', async () => {
  const query = `{ subscriptionBillingCycles(contractId: "${BEN}") { nodes { cycleIndex } } }`;
  const before = await world.run({ as: 'customer', query });
  const contract = world.contract(9_101_004);
  contract.billedCycles.push(findCycleAt(contract, nowMs())?.index ?? 0);
  const after = await world.run({ as: 'customer', query });
  for (const { code, documents } of [before, after])
    expect([code, documents.length]).toEqual(['FORBIDDEN', 1]);
});

test.each(['customer', 'store for a customer'] as const)(
  'an unknown contract has the response of another customer’s contract, with a range and without one (%s)',
  async (as) => {
    for (const args of ['', ', billingCyclesIndexRangeSelector: { startIndex: 1, endIndex: 3 }']) {
      for (const id of [9_101_004, 99])
        expect(await list(args, { as }, id)).toMatchObject({ nodes: [], code: 'FORBIDDEN' });
    }
  },
);
