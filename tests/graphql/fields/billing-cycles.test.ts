/** `SubscriptionContract.billingCycles`: the same orders as in subscriptionContractDetails, with one further request. */
import { describe, expect, test } from '@jest/globals';
import { createOperationWorld, gid } from '../../contract/world/operation-world.ts';
import { createMemoryTable } from '../../memory-table.ts';

const id = gid('SubscriptionContract', 9_101_001);
const CYCLES = `(first: $count) { edges { cursor } nodes { ...Cycle } pageInfo { hasNextPage endCursor } }`;
const CYCLE = `fragment Cycle on SubscriptionBillingCycle { cycleIndex skipped isWithinPause billingAttemptExpectedDate
  sourceContract { id status nextOrder { date } customerPaymentMethod(showRevoked: true) { id } } }`;
const PAUSE = `mutation ($id: ID!, $count: Int) { subscriptionContractPause(subscriptionContractId: $id, until: "2026-12-20")
  { contract { status billingCycles${CYCLES} } userErrors { message } } } ${CYCLE}`;
const ROOT = 'subscriptionBillingCycles';

/** Runs documents against one store. */
function createCyclesWorld() {
  const world = createOperationWorld();
  const table = createMemoryTable();
  const ask = (query: string, as: 'customer' | 'store' = 'customer', variables: object = {}) =>
    world.run({ as, query, table, variables: { id, count: 4, ...variables } });
  return { ...world, ask };
}

describe('billing cycles of a contract', () => {
  test.each(['customer', 'store'] as const)(
    'returns the cycles of subscriptionContractDetails for a %s',
    async (as) => {
      const { ask } = createCyclesWorld();
      const one = `query ($id: ID!, $count: Int) { subscriptionContract(id: $id) { billingCycles${CYCLES} } } ${CYCLE}`;
      const details = `query ($id: ID!, $count: Int) { subscriptionContractDetails(contractId: $id) { billingCycles${CYCLES} } } ${CYCLE}`;
      const { payload, code, sent } = await ask(one, as);
      expect(code).toBeUndefined();
      expect(payload.billingCycles.nodes).toHaveLength(4);
      expect(payload.billingCycles).toEqual((await ask(details, as)).payload.billingCycles);
      expect(sent.map(([root]) => root)).toEqual(['subscriptionContract', ROOT, ROOT]);
    },
  );

  test('returns six cycles without a size, and continues after a cursor', async () => {
    const { ask } = createCyclesWorld();
    const query = (args: string) =>
      `query ($id: ID!, $count: Int) { subscriptionContract(id: $id) { a: billingCycles${args} { nodes { cycleIndex } pageInfo { endCursor } }
        b: billingCycles(first: $count) { nodes { status } } } }`;
    const { payload } = await ask(query(''));
    expect([payload.a.nodes.length, payload.b.nodes.length]).toEqual([6, 4]);
    const { payload: next } = await ask(query(`(after: "${payload.a.pageInfo.endCursor}", first: 1)`));
    expect(next.a.nodes).toEqual([{ cycleIndex: payload.a.nodes[5].cycleIndex + 1 }]);
    const refused = await ask(query('(after: "bmV2ZXI=", first: 1)'));
    expect([refused.code, refused.payload.a, refused.payload.b.nodes.length]).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
      null,
      4,
    ]);
  });

  test('returns the changed cycles in the payload of a mutation', async () => {
    const { ask } = createCyclesWorld();
    const { payload, code } = await ask(PAUSE);
    expect([code, payload.userErrors, payload.contract.status]).toEqual([undefined, [], 'PAUSED']);
    const nodes = payload.contract.billingCycles.nodes as readonly { isWithinPause: boolean }[];
    expect(nodes.map(({ isWithinPause }) => isWithinPause)).toEqual([true, true, true, true]);
  });

  test('returns null with an error when the cycles cannot be read after a change', async () => {
    const world = createCyclesWorld();
    world.fail({ kind: 'lost before', at: ROOT, times: 9 });
    const { payload, code } = await world.ask(PAUSE);
    expect(code).toBe('PLATFORM_UNAVAILABLE');
    expect(payload).toEqual({ contract: { status: 'PAUSED', billingCycles: null }, userErrors: [] });
  });

  test('reads the cycles of at most five contracts of one response', async () => {
    const { ask } = createCyclesWorld();
    const query = (count: number) =>
      `query ($id: ID!, $count: Int) { subscriptionContract(id: $id) { ${Array.from(
        { length: count },
        (_, index) => `a${index}: billingCycles(first: $count) { nodes { cycleIndex } }`,
      ).join(' ')} } }`;
    expect(await ask(query(5))).toMatchObject({ code: undefined });
    expect(await ask(query(6))).toMatchObject({ code: 'QUERY_TOO_COMPLEX', payload: { a0: null, a5: null } });
  });

  test('has the total of each order, that of its own content when it was edited, and none when it is unknown', async () => {
    const { ask, contract: contractOf } = createCyclesWorld();
    const contract = contractOf(9_101_001);
    const content = structuredClone(contract.content);
    for (const line of content.lines) line.quantity *= 3;
    const { createdAt } = contract;
    const edited = { content, createdAt, updatedAt: createdAt, concatenated: [] };
    contract.cycleEdits[8] = { skipped: false, billingDate: null, contract: edited };
    const query = `query ($id: ID!) { subscriptionContract(id: $id) { nextOrder { total { amount currencyCode } }
      billingCycles { nodes { cycleIndex total { amount currencyCode } } } } }`;
    const read = async () => {
      const { payload } = await ask(query);
      const { nodes } = payload.billingCycles as { nodes: { total: { amount: string } | null }[] };
      return { next: payload.nextOrder.total, totals: nodes.map(({ total }) => total) };
    };
    const { next, totals } = await read();
    const [first, second, third] = totals;
    expect([first, third]).toEqual([next, next]);
    expect(Number(second?.amount)).toBeGreaterThan(2 * Number(next.amount));
    contract.content.discounts.push({
      ...{ id: '10000000-0000-4000-8000-000000000000', title: 'Welcome', type: 'MANUAL' },
      ...{ targetType: 'LINE_ITEM', value: { percentage: 10 }, lineIds: null, redeemCode: null },
      ...{ recurringCycleLimit: 2, usageCount: 1, rejectionReason: null },
    });
    const limited = await read();
    expect(Number(limited.next.amount)).toBeLessThan(Number(next.amount));
    expect(limited.totals).toEqual([null, second, null, null, null, null]);
  });

  test('reads no cycles where the client excludes them', async () => {
    const { ask } = createCyclesWorld();
    const query = `query ($id: ID!, $yes: Boolean!) { subscriptionContract(id: $id) { id billingCycles @skip(if: $yes) { nodes { status } } } }`;
    const { payload, sent } = await ask(query, 'customer', { yes: true });
    expect([payload, sent.flat()]).toEqual([{ id }, expect.not.arrayContaining([ROOT])]);
  });
});
