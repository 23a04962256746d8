/**
 * A dry run and the change that it previews: the same refusals, the same amounts to the cent, the same date; and a dry run
 * leaves nothing behind. Over contracts of many shapes and all changes with `dryRun`.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { propertyRuns } from '../../full-size.ts';
import { type Shaped, shape, shapedContracts } from '../../graphql/fields/charged-next.ts';
import { ADA, NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, MONTHLY, PLAN, PREPAID_PLAN } from '../../world/interval-world.ts';
import { WEEKLY } from '../../world/store-world.ts';
import { decaf250, filters100, house250, house500, lineId, mug } from '../world/lines-operation.ts';

const PREVIEW = `preview { total { amount currencyCode } deliveryPrice { amount } discountsTotal { amount } taxesIncluded date
  lines { title quantity price { amount currencyCode } } }`;
const CONTRACT = `contract { revisionId status deliveryPrice { amount } nextOrder { date total { amount currencyCode } }
  lines(first: 50) { nodes { title quantity lineDiscountedPrice { amount currencyCode } } } }`;
const PAYLOAD = `{ ${CONTRACT} ${PREVIEW} userErrors { code field } }`;

const MUTATIONS = {
  lines: `mutation ($contractId: ID!, $add: [SubscriptionLineAddInput!], $update: [SubscriptionLineChangeInput!], $remove: [ID!], $dryRun: Boolean) {
    subscriptionContractLinesUpdate(contractId: $contractId, add: $add, update: $update, remove: $remove, dryRun: $dryRun) ${PAYLOAD} }`,
  interval: `mutation ($contractId: ID!, $interval: SubscriptionIntervalInput, $plan: ID, $date: DateTime, $dryRun: Boolean) {
    subscriptionContractIntervalUpdate(contractId: $contractId, interval: $interval, sellingPlanId: $plan, nextBillingDate: $date, dryRun: $dryRun) ${PAYLOAD} }`,
  delivery: `mutation ($contractId: ID!, $method: SubscriptionDeliveryAddressInput!, $optionCode: String, $dryRun: Boolean) {
    subscriptionContractDeliveryUpdate(contractId: $contractId, deliveryMethod: $method, optionCode: $optionCode, dryRun: $dryRun) ${PAYLOAD} }`,
  code: `mutation ($contractId: ID!, $redeemCode: String!, $dryRun: Boolean) {
    subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: $redeemCode, dryRun: $dryRun) ${PAYLOAD} }`,
};

const ADDRESS = { firstName: 'Ada', lastName: 'Brewer', address1: '1 Main Street', city: 'Bangor' };
const days = (count: number) => formatIsoInstant(NOW_MS + count * 86_400_000);

const variants = fc.constantFrom(house250, house500, decaf250, filters100, mug);
const lineChange = fc.record({
  kind: fc.constant('lines' as const),
  add: fc.option(fc.record({ productVariantId: variants, quantity: fc.integer({ min: 1, max: 5 }) }), {
    nil: null,
    freq: 1,
  }),
  quantity: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
  swap: fc.option(variants, { nil: null, freq: 1 }),
  removes: fc.boolean(),
});
const intervalChange = fc.record({
  kind: fc.constant('interval' as const),
  interval: fc.option(
    fc.record({
      interval: fc.constantFrom('DAY', 'WEEK', 'MONTH'),
      intervalCount: fc.integer({ min: 1, max: 6 }),
    }),
    { nil: null },
  ),
  plan: fc.option(fc.constantFrom(PLAN, PREPAID_PLAN), { nil: null }),
  date: fc.option(fc.constantFrom(days(9), days(40), days(100), days(-1), days(9).slice(0, 10)), {
    nil: null,
  }),
});
const deliveryChange = fc.record({
  kind: fc.constant('delivery' as const),
  method: fc.constantFrom(
    { shipping: { ...ADDRESS, provinceCode: 'ME', zip: '04401', countryCode: 'US' } },
    { shipping: { ...ADDRESS, provinceCode: 'NY', zip: '10001', city: 'New York', countryCode: 'US' } },
    { shipping: { firstName: 'Ada', lastName: 'Brewer' } },
  ),
  optionCode: fc.constantFrom('standard', 'express', 'none', null),
});
const codeChange = fc.record({
  kind: fc.constant('code' as const),
  redeemCode: fc.constantFrom('WELCOME10', 'FREESHIP', 'NOSUCHCODE', 'welcome10', ''),
});
const changes = fc.oneof(lineChange, intervalChange, deliveryChange, codeChange);
type Change = typeof changes extends fc.Arbitrary<infer One> ? One : never;

const contracts = fc.record({
  shaped: fc.option(shapedContracts, { nil: null, freq: 2 }),
  number: fc.constantFrom(WEEKLY, MONTHLY),
  as: fc.constantFrom('customer', 'store', 'store for a customer'),
});

/** The changes of an order by itself block every change of the contract, and only the commit finds them. */
function withoutEditedOrders(shaped: Shaped): Shaped {
  return { ...shaped, cycles: shaped.cycles.map((cycle) => ({ ...cycle, contract: null })) };
}

type Money = { readonly amount: string; readonly currencyCode: string };
type Line = { readonly title: string; readonly quantity: number };

async function check(
  { shaped, number, as }: { shaped: Shaped | null; number: number; as: string },
  change: Change,
) {
  const table = createMemoryTable();
  const world = createIntervalWorld({ table, contract: number });
  const { contract } = world;
  if (shaped !== null) shape(world.platform, contract, withoutEditedOrders(shaped));
  contract.content.customerId = ADA;
  const { kind, ...given } = change;
  const variables = kind === 'lines' ? lineVariables(lineId(contract), change as never) : given;
  const before = JSON.stringify(contract);
  const actor = as as 'customer';
  const dry = await world.ask(MUTATIONS[kind], { ...variables, dryRun: true }, actor);

  expect(JSON.stringify(contract)).toBe(before);
  expect(dry.sent.flat()).not.toContain('subscriptionDraftCommit');
  expect(await world.entries()).toEqual([]);
  const stored = (await table.scan({ filter: 'attribute_exists(pk)' })).items.map(
    ({ pk }) => pk.split('#')[0],
  );
  expect(stored.filter((name) => name !== 'COOLDOWN')).toEqual([]);

  const made = await world.ask(MUTATIONS[kind], { ...variables, dryRun: false }, actor);
  const [preview, after] = [dry.payload?.preview, made.payload?.contract];
  expect([dry.code, dry.payload?.userErrors]).toEqual([made.code, made.payload?.userErrors]);
  if (made.payload === null || made.payload.userErrors.length > 0) {
    expect(preview ?? null).toBeNull();
    return;
  }
  expect(made.payload.preview).toBeNull();
  expect(dry.payload.contract.revisionId).toBe(
    JSON.parse(before).revision ?? dry.payload.contract.revisionId,
  );
  const total: Money | null = after.nextOrder?.total ?? null;
  if (total !== null && preview.total !== null) expect(preview.total).toEqual(total);
  // Only the commit shows whether a new code is on the free line or on the delivery.
  const isFree = ({ lineDiscountedPrice }: { lineDiscountedPrice: Money }) =>
    Number(lineDiscountedPrice.amount) === 0;
  const isUnknown = kind === 'code' && after.lines.nodes.some(isFree);
  if (total !== null && !isUnknown) expect(preview.total).not.toBeNull();
  if (preview.date !== null) expect(after.nextOrder?.date).toBe(preview.date);
  if (kind !== 'interval') expect(preview.date).toBe(after.nextOrder?.date ?? null);
  expect(preview.deliveryPrice).toEqual(after.deliveryPrice);
  const lines = after.lines.nodes.map(
    ({ lineDiscountedPrice: price, ...line }: Line & { lineDiscountedPrice: Money }) => ({
      ...line,
      price,
    }),
  );
  expect(preview.lines).toEqual(lines);
  expect(preview.taxesIncluded).toBe(true);
}

function lineVariables(
  id: string,
  {
    add,
    quantity,
    swap,
    removes,
  }: { add: object | null; quantity: number | null; swap: string | null; removes: boolean },
) {
  const update = {
    lineId: id,
    ...(quantity !== null && { quantity }),
    ...(swap !== null && { productVariantId: swap }),
  };
  return {
    ...(add !== null && { add: [add] }),
    ...(removes ? { remove: [id] } : { update: [update] }),
  };
}

test('a preview is what the change makes, and leaves nothing behind', async () => {
  await fc.assert(fc.asyncProperty(contracts, changes, check), propertyRuns(5000));
});

const POSTPONE = `mutation ($contractId: ID!, $date: DateTime!, $to: Date!, $dryRun: Boolean!) {
  subscriptionOrderPostpone(contractId: $contractId, expectedDate: $date, to: $to, dryRun: $dryRun) {
    contract { id } upcomingOrders { cycleIndex date skipped } userErrors { code field details { earliest latest cycleIndex date } } } }`;
const ORDERS = `query ($contractId: ID!) { subscriptionContractDetails(contractId: $contractId) {
  contract { nextOrder { date cycleIndex } }
  billingCycles(first: 30) { nodes { cycleIndex orderDate skipped } } } }`;
type Cycle = {
  readonly cycleIndex: number;
  /** The date of a skipped order when it is restored. Null in a cycle without an order. */
  readonly orderDate: string | null;
  readonly skipped: boolean;
};

const postponements = fc.record({
  shaped: fc.option(shapedContracts, { nil: null, freq: 2 }),
  number: fc.constantFrom(WEEKLY, MONTHLY),
  as: fc.constantFrom('customer' as const, 'store' as const, 'store for a customer' as const),
  days: fc.array(fc.integer({ min: -1, max: 40 }), { minLength: 1, maxLength: 3 }),
});

type Postponements = typeof postponements extends fc.Arbitrary<infer One> ? One : never;

async function checkPostponements({ shaped, number, as, days: distances }: Postponements) {
  const world = createIntervalWorld({ table: createMemoryTable(), contract: number });
  const { contract } = world;
  if (shaped !== null) shape(world.platform, contract, shaped);
  contract.content.customerId = ADA;
  for (const distance of distances) {
    // The customer's share of points is full again.
    world.later(60_000);
    const { nextOrder } = (await world.ask(ORDERS, {}, as)).payload.contract;
    const date: string = nextOrder?.date ?? days(5);
    const to = formatIsoInstant(Date.parse(date) + distance * 86_400_000).slice(0, 10);
    const before = JSON.stringify(contract);
    const dry = await world.ask(POSTPONE, { date, to, dryRun: true }, as);
    expect(JSON.stringify(contract)).toBe(before);
    const made = await world.ask(POSTPONE, { date, to, dryRun: false }, as);
    expect([dry.code, dry.payload?.userErrors, dry.payload?.upcomingOrders]).toEqual([
      made.code,
      made.payload?.userErrors,
      made.payload?.upcomingOrders,
    ]);
    if (made.payload === null || made.payload.userErrors.length > 0) continue;
    const read = (await world.ask(ORDERS, {}, as)).payload;
    const [first] = dry.payload.upcomingOrders;
    expect(read.contract.nextOrder).toEqual({ date: first.date, cycleIndex: first.cycleIndex });
    const orders = (read.billingCycles.nodes as readonly Cycle[]).map(({ orderDate: date, ...order }) => ({
      ...order,
      date,
    }));
    // The payload also has orders of later years than are read here.
    const lastRead = orders.findLast((order) => order.date !== null)?.date ?? '';
    const readable = dry.payload.upcomingOrders.filter(
      (order: { readonly date: string }) => order.date <= lastRead,
    );
    expect(readable).not.toEqual([]);
    expect(orders).toEqual(expect.arrayContaining(readable));
  }
}

test('the dates of a previewed postponement are those of the change', async () => {
  await fc.assert(fc.asyncProperty(postponements, checkPostponements), propertyRuns(2000));
});
