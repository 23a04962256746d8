/** `nextOrder`: the next order, at every position of a contract in a document, and its platform requests. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { dayMs, newPlatform, type Platform } from '../../sandbox/platform/admin/harness.ts';
import { type PlanRequest, runPlan, type StandIn } from '../world/harness.ts';

const gid = (type: string, tail: number | string) => `gid://platform/${type}/${tail}`;
const contractGid = (number: number) => gid('SubscriptionContract', number);
const [ADAS, ADAS_MONTHLY, ADAS_PAUSED, BENS] = [9101001, 9101002, 9101003, 9101004];
const NEXT = 'nextOrder { date cycleIndex total { amount currencyCode } isSkippable }';
/** As the seed has it: two bags and the delivery. */
const WEEKLY = {
  date: '2026-11-25T08:00:00Z',
  cycleIndex: 7,
  total: { amount: expect.any(String), currencyCode: 'USD' },
  isSkippable: true,
};

let platform: Platform;
beforeEach(() => {
  platform = newPlatform();
});

function contract(number = ADAS): ContractRecord {
  const found = platform.store().contracts.get(number);
  if (found === undefined) throw new Error(`The seed has no contract ${number}.`);
  return found;
}

const standIn: StandIn = async ({ document, variables }) => {
  platform.api.reset();
  const { data = null, errors = [] } = await platform.ask(document, variables);
  return { data, errors };
};

async function ask(query: string, more: Partial<PlanRequest> = {}) {
  const now = () => platform.holder.nowMs;
  const table = createMemoryTable();
  const { result, sent } = await runPlan({ as: 'customer', query, now, standIn, table, ...more });
  const errors = (result.errors ?? []).map(
    ({ extensions, path }) => `${extensions?.code} at ${path?.join('.')}`,
  );
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  return { result, data: result.data as any, errors, sent };
}

const one = (selection = NEXT, number = ADAS) =>
  `{ subscriptionContract(id: "${contractGid(number)}") { ${selection} } }`;

const moving = (index: number, date: string) =>
  `mutation { moved: subscriptionBillingCycleReschedule(contractId: "${contractGid(ADAS)}", billingCycleIndex: ${index}, billingDate: "${date}") {
    billingCycle { cycleIndex } contract { id ${NEXT} } userErrors { message } } }`;

function skip(cycles: readonly number[], of = contract()): void {
  for (const index of cycles) of.cycleEdits[index] = { skipped: true, billingDate: null, contract: null };
}

describe('where it can stand', () => {
  const documents = [
    ['a root', one(), 'subscriptionContract.nextOrder'],
    [
      'node',
      `{ node(id: "${contractGid(ADAS)}") { ... on SubscriptionContract { ${NEXT} } } }`,
      'node.nextOrder',
    ],
    [
      'nodes, a fragment around it',
      `{ nodes(ids: ["${contractGid(ADAS)}"]) { ...C } } fragment C on SubscriptionContract { ${NEXT} }`,
      'nodes.0.nextOrder',
    ],
    [
      'a list below the customer',
      `{ customer(id: "${gid('Customer', 7001001)}") { subscriptionContracts(first: 1) { nodes { ${NEXT} } } } }`,
      'customer.subscriptionContracts.nodes.0.nextOrder',
    ],
    [
      'edges',
      `{ customer(id: "${gid('Customer', 7001001)}") { subscriptionContracts(first: 1) { edges { node { ${NEXT} } } } } }`,
      'customer.subscriptionContracts.edges.0.node.nextOrder',
    ],
  ] as const;
  const at = (data: unknown, path: string) =>
    path.split('.').reduce((value, step) => (value as Record<string, unknown>)?.[step], data);

  test.each(documents)('%s: two requests to the platform', async (_, query, path) => {
    const actors = ['customer', 'store for a customer', 'store'] as const;
    // Customers have no `node` and no `nodes`.
    for (const as of actors.slice(path.startsWith('node') ? 1 : 0)) {
      const { data, errors, sent } = await ask(query, { as });
      expect([as, errors, at(data, path), sent.length]).toEqual([as, [], WEEKLY, 2]);
    }
  });

  test('reads all contracts of a response together, each once, however often it is selected', async () => {
    const list = `{
      customer(id: "${gid('Customer', 7001001)}") {
        subscriptionContracts(first: 10) { nodes { id status a: nextOrder { date } b: nextOrder { isSkippable } } }
      }
      again: subscriptionContract(id: "${contractGid(ADAS)}") { nextOrder { cycleIndex } customer { portalUrl } }
    }`;
    const { data, errors, sent } = await ask(list);
    expect(errors).toEqual([]);
    const [weekly, monthly, paused] = data.customer.subscriptionContracts.nodes;
    expect(weekly).toMatchObject({ a: { date: WEEKLY.date }, b: { isSkippable: true } });
    expect(monthly.a).toEqual({ date: expect.any(String) });
    expect(paused).toMatchObject({ status: 'PAUSED', a: null, b: null });
    expect(data.again).toEqual({ nextOrder: { cycleIndex: 7 }, customer: { portalUrl: expect.any(String) } });
    expect(sent).toHaveLength(2);
    expect(sent[1]?.document.match(/subscriptionBillingCycles\(/g)).toHaveLength(2);
  });

  test('reads the details with the first request, whatever else is selected', async () => {
    const details = `{ subscriptionContractDetails(contractId: "${contractGid(ADAS)}") {
      plain: contract { id } contract { id ${NEXT} } more: contract { ... { n: nextOrder { date } } }
      billingCycles(first: 1) { nodes { cycleIndex } } } }`;
    const { data, errors, sent } = await ask(details);
    expect([errors, sent.length]).toEqual([[], 1]);
    expect(data.subscriptionContractDetails).toEqual({
      plain: { id: contractGid(ADAS) },
      contract: { id: contractGid(ADAS), nextOrder: WEEKLY },
      more: { n: { date: WEEKLY.date } },
      billingCycles: { nodes: [{ cycleIndex: 7 }] },
    });
  });

  test('reads the details of a contract with one more request when its first cycles are skipped', async () => {
    skip([7, 8, 9]);
    const { data, sent } = await ask(
      `{ subscriptionContractDetails(contractId: "${contractGid(ADAS)}") { contract { ${NEXT} } } }`,
    );
    expect(data.subscriptionContractDetails.contract.nextOrder).toMatchObject({ cycleIndex: 10 });
    expect(sent).toHaveLength(2);
  });

  test('returns the following order in the payload of a change', async () => {
    const skipping = `mutation { subscriptionBillingCycleSkip(contractId: "${contractGid(ADAS)}", billingCycleIndex: 7) {
      billingCycle { sourceContract { ${NEXT} } } userErrors { message } } }`;
    const skipped = await ask(skipping);
    const { billingCycle, userErrors } = skipped.data.subscriptionBillingCycleSkip;
    expect([skipped.errors, userErrors, skipped.sent.length]).toEqual([[], [], 3]);
    expect(billingCycle.sourceContract.nextOrder).toMatchObject({ cycleIndex: 8 });
    const moved = await ask(moving(8, '2026-12-01T08:00:00Z'));
    expect([moved.errors, moved.sent.length]).toEqual([[], 3]);
    expect(moved.data.moved.contract.nextOrder).toMatchObject({
      date: '2026-12-01T08:00:00Z',
      cycleIndex: 8,
    });
  });

  test('sends no extra request where the field is left out', async () => {
    const query = `query ($no: Boolean!) { subscriptionContract(id: "${contractGid(ADAS)}") { id ${NEXT.replace('{', '@include(if: $no) {')} } }`;
    const { data, sent } = await ask(query, { variables: { no: false } });
    expect(data).toEqual({ subscriptionContract: { id: contractGid(ADAS) } });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.document).toContain('... @include(if: $no) { _svcContract: id');
  });
});

describe('whose it is', () => {
  test('refuses another customer’s next order before reading it', async () => {
    const { data, errors, sent } = await ask(one(NEXT, BENS));
    expect(data).toEqual({ subscriptionContract: null });
    expect(errors).toEqual(['FORBIDDEN at subscriptionContract']);
    expect(sent).toHaveLength(1);
  });

  test('returns the same for the details of another customer’s contract as for an absent one', async () => {
    const details = (number: number) =>
      `{ subscriptionContractDetails(contractId: "${contractGid(number)}") { contract { ${NEXT} } } }`;
    for (const number of [BENS, 9199999]) {
      const { data, errors } = await ask(details(number));
      expect([data, errors]).toEqual([
        { subscriptionContractDetails: null },
        ['FORBIDDEN at subscriptionContractDetails'],
      ]);
    }
    const absent = await ask(details(9199999), { as: 'store' });
    expect(absent.data).toEqual({ subscriptionContractDetails: null });
  });

  test('leaves out a contract that was transferred, and does not read its cycles', async () => {
    contract(ADAS_MONTHLY).content.customerId = 7001002;
    const query = `{ nodes(ids: ["${contractGid(ADAS)}", "${contractGid(ADAS_MONTHLY)}"]) { ... on SubscriptionContract { ${NEXT} } } }`;
    const { data, sent } = await ask(query, { as: 'store for a customer' });
    expect(data.nodes).toEqual([{ nextOrder: WEEKLY }, null]);
    expect(Object.values(sent[1]?.variables ?? {})).not.toContain(
      `gid://shopify/SubscriptionContract/${ADAS_MONTHLY}`,
    );
  });
});

describe('what comes next', () => {
  test.each(['PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED'] as const)(
    'returns no next order for the status %s',
    async (status) => {
      contract().content.status = status;
      const { data, errors, sent } = await ask(one());
      expect([data.subscriptionContract.nextOrder, errors, sent.length]).toEqual([null, [], 1]);
    },
  );

  test('three skipped orders take one request more, and only for their contract', async () => {
    skip([7, 8, 9]);
    const list = `{ customer(id: "${gid('Customer', 7001001)}") { subscriptionContracts(first: 2) { nodes { ${NEXT} } } } }`;
    const { data, sent } = await ask(list);
    expect(data.customer.subscriptionContracts.nodes[0].nextOrder).toMatchObject({ cycleIndex: 10 });
    expect(sent).toHaveLength(3);
    expect(sent[2]?.document.match(/subscriptionBillingCycles\(/g)).toHaveLength(1);
  });

  test('a year of skipped orders: nothing', async () => {
    skip(Array.from({ length: 60 }, (_, offset) => 7 + offset));
    expect((await ask(one())).data.subscriptionContract.nextOrder).toBeNull();
  });

  test('an order that was moved to a day that has passed is no longer the next one', async () => {
    const billingDate = new Date(platform.holder.nowMs - dayMs).toISOString().replace('.000Z', 'Z');
    contract().cycleEdits[7] = { skipped: false, billingDate, contract: null };
    const { data } = await ask(one());
    expect(data.subscriptionContract.nextOrder).toMatchObject({ cycleIndex: 8, isSkippable: true });
  });

  test.each([
    [20, true],
    [21, false],
  ])('with %i lines, the total is known: %s', async (count, isKnown) => {
    const { content } = contract();
    const [line] = content.lines;
    if (line === undefined) throw new Error('no line');
    content.lines = Array.from({ length: count }, (_, index) => ({ ...line, id: `line-${index}` }));
    const { data } = await ask(one());
    const total = isKnown ? { amount: expect.any(String), currencyCode: 'USD' } : null;
    expect(data.subscriptionContract.nextOrder).toEqual({ ...WEEKLY, total });
  });
});

describe('limits', () => {
  const many = (count: number) =>
    `{ nodes(ids: [${Array.from({ length: count }, (_, index) => `"${contractGid(9102000 + index)}"`)}]) {
      ... on SubscriptionContract { status nextOrder { date } } } }`;

  test('25 contracts share one request, below 800 points; 26 are too many, at the field', async () => {
    platform = newPlatform({ contracts: 60 });
    const full = await ask(many(25), { as: 'store' });
    expect([full.errors, full.sent.length]).toEqual([[], 2]);
    const beyond = await ask(many(26), { as: 'store' });
    expect(beyond.errors).toHaveLength(26);
    expect(new Set(beyond.errors)).toContain('QUERY_TOO_COMPLEX at nodes.0.nextOrder');
    expect(beyond.data.nodes[0]).toEqual({ status: expect.any(String), nextOrder: null });
    expect(beyond.sent).toHaveLength(1);
  });

  test('a document that would reach 800 points is split: 7 contracts with 50 cycles each', async () => {
    platform = newPlatform({ contracts: 60 });
    const contracts = Array.from({ length: 25 }, (_, index) => contract(9102000 + index));
    for (const one of contracts) {
      one.content.status = 'ACTIVE';
      const from = findCycleAt(one, platform.holder.nowMs)?.index ?? 1;
      skip([from, from + 1, from + 2], one);
    }
    const { data, errors, sent } = await ask(many(25), { as: 'store' });
    expect([
      errors,
      data.nodes.filter(({ nextOrder }: { nextOrder: unknown }) => nextOrder === null),
    ]).toEqual([[], []]);
    const roots = sent.map(({ document }) => document.match(/subscriptionBillingCycles\(/g)?.length ?? 0);
    expect(roots).toEqual([0, 25, 7, 7, 7, 4]);
  });

  test('it counts among the objects of a customer’s query', async () => {
    const list = (first: number) =>
      `{ customer(id: "${gid('Customer', 7001001)}") { subscriptionContracts(first: ${first}) { nodes { nextOrder { date } } } } }`;
    expect((await ask(list(60))).errors).toEqual([]);
    const { result, sent } = await ask(list(100));
    expect(result.errors?.[0]?.message).toMatch(/objects/);
    expect(sent).toEqual([]);
  });

  test('its request counts among the costs that a store reads', async () => {
    const { result } = await ask(one(), { as: 'store' });
    expect(result.extensions?.cost).toBeUndefined();
    const cost = { requestedQueryCost: 7, actualQueryCost: 5, throttleStatus: STATUS };
    const counted = await ask(one(), {
      as: 'store',
      standIn: async (sent) => ({ ...(await standIn(sent)), cost }),
    });
    expect(counted.result.extensions?.cost).toEqual({ ...cost, requestedQueryCost: 14, actualQueryCost: 10 });
  });
});

const STATUS = { maximumAvailable: 1000, currentlyAvailable: 900, restoreRate: 50 };

describe('where the platform fails', () => {
  /** Fails the requests that read cycles for `nextOrder`. */
  const failing =
    (answer: StandIn): StandIn =>
    (sent) =>
      sent.document.startsWith('query NextOrders') ? answer(sent) : standIn(sent);

  test('a query is tried again as a whole', async () => {
    const throttled = failing(() => {
      throw new ServiceError('THROTTLED', { retryAfterSeconds: 2 });
    });
    await expect(ask(one(), { standIn: throttled })).rejects.toMatchObject({ code: 'THROTTLED' });
  });

  test('returns the change, and an error for this field alone, when the next order cannot be read', async () => {
    const down = failing(() => {
      throw new ServiceError('PLATFORM_UNAVAILABLE');
    });
    const { data, errors } = await ask(moving(7, '2026-11-24T08:00:00Z'), { standIn: down });
    expect(data.moved).toEqual({
      billingCycle: { cycleIndex: 7 },
      contract: { id: contractGid(ADAS), nextOrder: null },
      userErrors: [],
    });
    expect(errors).toEqual(['PLATFORM_UNAVAILABLE at moved.contract.nextOrder']);
  });

  test('returns the other contracts when one cannot be read', async () => {
    const absent = `gid://shopify/SubscriptionContract/${ADAS_MONTHLY}`;
    const gone = failing((sent) => {
      const alias = Object.entries(sent.variables).find(([, value]) => value === absent)?.[0];
      if (alias === undefined) return standIn(sent);
      return { data: null, errors: [{ message: 'Invalid id', path: [alias.replace('id', 'c')] }] };
    });
    const list = `{ nodes(ids: ["${contractGid(ADAS_MONTHLY)}", "${contractGid(ADAS)}"]) { ... on SubscriptionContract { ${NEXT} } } }`;
    const { data, errors, sent } = await ask(list, { as: 'store', standIn: gone });
    expect(data.nodes).toEqual([{ nextOrder: null }, { nextOrder: WEEKLY }]);
    expect(errors).toEqual(['PLATFORM_UNAVAILABLE at nodes.0.nextOrder']);
    expect(sent).toHaveLength(3);
  });

  test('ends the search with an error at the field when the pages of skipped orders never end', async () => {
    const endless = failing(async (sent) => {
      const { data } = (await standIn(sent)) as {
        data: Record<string, { nodes: object[]; pageInfo: object }>;
      };
      for (const page of Object.values(data)) {
        page.nodes = page.nodes.map((node) => ({ ...node, skipped: true }));
        page.pageInfo = { ...page.pageInfo, hasNextPage: true };
      }
      return { data };
    });
    const list = `{ nodes(ids: ["${contractGid(ADAS)}"]) { ... on SubscriptionContract { ${NEXT} } } }`;
    const { data, errors, sent } = await ask(list, { as: 'store', standIn: endless });
    expect(data.nodes).toEqual([{ nextOrder: null }]);
    expect(errors).toEqual(['PLATFORM_UNAVAILABLE at nodes.0.nextOrder']);
    expect(sent).toHaveLength(5);
  });

  test('does not read the cycles of a paused contract', async () => {
    expect((await ask(one(NEXT, ADAS_PAUSED))).sent).toHaveLength(1);
  });
});
