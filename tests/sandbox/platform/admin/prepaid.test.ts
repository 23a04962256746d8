import { describe, expect, test } from '@jest/globals';
import { addRequestedSeeds } from '../../../../sandbox/platform/state/seed/seed-from-request.ts';
import { commit, errors, open, update } from './draft-steps.ts';
import { type Json, juniper, newPlatform, type Platform, startMs } from './harness.ts';

/** Three deliveries of 170.00 paid at once: 20 % off, 10 % after three orders. */
const prepaid = 'gid://shopify/SubscriptionContract/9201004';
const onMondays = 'gid://shopify/SubscriptionContract/9201005';
const forAPrice = 'gid://shopify/SubscriptionContract/9201006';

const money = 'amount currencyCode';
const line = `quantity currentPrice { ${money} } lineDiscountedPrice { amount }
  pricingPolicy { basePrice { amount } cycleDiscounts { adjustmentType afterCycle computedPrice { amount } } }`;

async function contractOf(platform: Platform, id: string, fields: string): Promise<Json> {
  const query = `{ subscriptionContract(id: "${id}") { ${fields} } }`;
  return (await platform.data(query, {}, juniper)).subscriptionContract;
}

/** Charges the cycle when it is due, and reads the order. */
async function charged(platform: Platform, id: string, options: Json = {}): Promise<Json> {
  const { index = 1, originTime = null, lateMs = 0, fields = 'id' } = options;
  const cycles = `subscriptionBillingCycle(billingCycleInput: { contractId: "${id}", selector: { index: ${index} } }) { billingAttemptExpectedDate }`;
  const { subscriptionBillingCycle } = await platform.data(`{ ${cycles} }`, {}, juniper);
  platform.holder.nowMs = Date.parse(subscriptionBillingCycle.billingAttemptExpectedDate) + lateMs;
  const { subscriptionBillingAttemptCreate } = await platform.data(
    `mutation ($origin: DateTime) { subscriptionBillingAttemptCreate(subscriptionContractId: "${id}", subscriptionBillingAttemptInput: { idempotencyKey: "${id}-${index}", originTime: $origin, billingCycleSelector: { index: ${index} } }) { subscriptionBillingAttempt { id } ${errors} } }`,
    { origin: originTime },
    juniper,
  );
  expect(subscriptionBillingAttemptCreate.userErrors).toEqual([]);
  const attempt = subscriptionBillingAttemptCreate.subscriptionBillingAttempt.id;
  const read = `{ subscriptionBillingAttempt(id: "${attempt}") { order { id ${fields} } } }`;
  return (await platform.data(read, {}, juniper)).subscriptionBillingAttempt.order;
}

/** Days on which an order's deliveries are due. */
function daysDue(platform: Platform, order: Json): string[] {
  const record = platform.store(juniper).orders.get(Number(order.id.split('/').at(-1)));
  return (record?.deliveriesDue ?? []).map((due) => due.slice(0, 10));
}

describe('a line of a prepaid contract', () => {
  test('costs for the whole payment what its base, of one delivery, comes to', async () => {
    const { lines } = await contractOf(newPlatform(), prepaid, `lines(first: 1) { nodes { ${line} } }`);
    expect(lines.nodes).toEqual([
      {
        quantity: 1,
        currentPrice: { amount: '408.0', currencyCode: 'GBP' },
        lineDiscountedPrice: { amount: '408.0' },
        pricingPolicy: {
          basePrice: { amount: '170.0' },
          cycleDiscounts: [
            { adjustmentType: 'PERCENTAGE', afterCycle: 0, computedPrice: { amount: '408.0' } },
            { adjustmentType: 'PERCENTAGE', afterCycle: 3, computedPrice: { amount: '459.0' } },
          ],
        },
      },
    ]);
  });

  test('keeps its price under another interval: a new interval reprices nothing', async () => {
    const platform = newPlatform();
    const { draft } = (
      await platform.data(
        `mutation { subscriptionContractUpdate(contractId: "${prepaid}") { draft { id } } }`,
        {},
        juniper,
      )
    ).subscriptionContractUpdate;
    const { subscriptionDraftCommit } = await platform.data(
      `mutation { subscriptionDraftUpdate(draftId: "${draft.id}", input: { billingPolicy: { interval: MONTH, intervalCount: 1 } }) { ${errors} }
        subscriptionDraftCommit(draftId: "${draft.id}") { contract { lines(first: 1) { nodes { currentPrice { amount } } } } ${errors} } }`,
      {},
      juniper,
    );
    expect(subscriptionDraftCommit).toMatchObject({
      contract: { lines: { nodes: [{ currentPrice: { amount: '408.0' } }] } },
      userErrors: [],
    });
  });

  test('has no price where the rule is not published: PRICE over several deliveries', () => {
    const platform = newPlatform();
    const sellingPlanGroups = [
      {
        id: 8309001,
        name: 'One price',
        productIds: [8202003],
        plans: [
          {
            name: 'Three for 20',
            billing: ['MONTH', 3] as const,
            delivery: ['MONTH', 1] as const,
            prices: [['PRICE', 2000] as const],
          },
        ],
      },
    ];
    const subscriptions = [
      {
        id: 9209001,
        customerId: 7002004,
        createdMs: startMs,
        planId: 830900101,
        lines: [[820200301, 1] as [number, number]],
      },
    ];
    const seed = () =>
      addRequestedSeeds(platform.store(juniper), { sellingPlanGroups, subscriptions }, startMs);
    expect(seed).toThrow('not published');
  });
});

describe('a charge of a prepaid contract', () => {
  const totals = `currentTotalPriceSet { shopMoney { amount } } subtotalLineItemsQuantity displayFulfillmentStatus
    lineItems(first: 1) { nodes { quantity unfulfilledQuantity originalTotalSet { shopMoney { amount } } originalUnitPriceSet { shopMoney { amount } } } }`;

  test('is paid once, for all its deliveries', async () => {
    const platform = newPlatform();
    const order = await charged(platform, prepaid, { fields: totals });
    expect(order).toMatchObject({
      currentTotalPriceSet: { shopMoney: { amount: '412.9' } },
      subtotalLineItemsQuantity: 3,
      displayFulfillmentStatus: 'UNFULFILLED',
      lineItems: {
        nodes: [
          {
            quantity: 3,
            unfulfilledQuantity: 3,
            originalTotalSet: { shopMoney: { amount: '408.0' } },
            originalUnitPriceSet: { shopMoney: { amount: '136.0' } },
          },
        ],
      },
    });
    expect(daysDue(platform, order)).toEqual(['2027-01-12', '2027-02-12', '2027-03-12']);
  });

  test('dates late deliveries from the origin time that the app names', async () => {
    const days = async (originTime: string | null) => {
      const platform = newPlatform();
      return daysDue(
        platform,
        await charged(platform, prepaid, { originTime, lateMs: 9 * 86_400_000, fields: totals }),
      );
    };
    expect(await days('2027-01-10T00:00:00Z')).toEqual(['2027-01-10', '2027-02-10', '2027-03-10']);
    expect(await days(null)).toEqual(['2027-01-21', '2027-02-21', '2027-03-21']);
  });

  test('raises no price after its step: the app does', async () => {
    const platform = newPlatform();
    for (const index of [1, 2, 3, 4]) await charged(platform, prepaid, { index });
    const { lines } = await contractOf(
      platform,
      prepaid,
      'lines(first: 1) { nodes { currentPrice { amount } } }',
    );
    expect(lines.nodes).toEqual([{ currentPrice: { amount: '408.0' } }]);
  });

  test("is no checkout's order: that one stays the origin, or there is none", async () => {
    const platform = newPlatform();
    const fields = 'originOrder { id sourceName } orders(first: 3) { nodes { sourceName } }';
    const before = await contractOf(platform, prepaid, fields);
    expect(before.originOrder.sourceName).toBe('web');
    await charged(platform, prepaid);
    expect(await contractOf(platform, prepaid, fields)).toEqual({
      originOrder: before.originOrder,
      orders: { nodes: [{ sourceName: 'web' }, { sourceName: 'subscription_contract' }] },
    });
    expect((await contractOf(platform, forAPrice, fields)).originOrder).toBeNull();
  });

  test('delivers on anchored days, one for each delivery', async () => {
    const platform = newPlatform();
    const contract = platform.store(juniper).contracts.get(9201007);
    if (contract !== undefined) contract.content.status = 'ACTIVE';
    const order = await charged(platform, 'gid://shopify/SubscriptionContract/9201007');
    expect(daysDue(platform, order)).toEqual(['2027-01-01', '2027-02-01', '2027-03-01']);
  });
});

test('an anchored contract copies the anchors of its plan, cutoff day included, and is billed on them', async () => {
  const anchors = 'anchors { type day month cutoffDay }';
  const contract = await contractOf(
    newPlatform(),
    onMondays,
    `billingPolicy { ${anchors} } deliveryPolicy { ${anchors} } nextBillingDate`,
  );
  const monday = [{ type: 'WEEKDAY', day: 1, month: null, cutoffDay: 5 }];
  expect(contract).toMatchObject({
    billingPolicy: { anchors: monday },
    deliveryPolicy: { anchors: monday },
  });
  expect(new Date(contract.nextBillingDate).getUTCDay()).toBe(1);
});

test('a PRICE plan is its price', async () => {
  const { lines } = await contractOf(
    newPlatform(),
    forAPrice,
    'lines(first: 1) { nodes { currentPrice { amount } pricingPolicy { basePrice { amount } } } }',
  );
  expect(lines.nodes).toEqual([
    { currentPrice: { amount: '9.0' }, pricingPolicy: { basePrice: { amount: '12.95' } } },
  ]);
});

test('a cycle limit ends no cycles: the app that bills keeps it', async () => {
  const platform = newPlatform();
  const draftId = await open(platform);
  await update(platform, draftId, 'billingPolicy: { interval: WEEK, intervalCount: 1, maxCycles: 7 }');
  await commit(platform, draftId);
  const { subscriptionBillingCycles } = await platform.data(
    '{ subscriptionBillingCycles(contractId: "gid://shopify/SubscriptionContract/9101001", first: 3, billingCyclesIndexRangeSelector: { startIndex: 7, endIndex: 9 }) { nodes { cycleIndex } } }',
  );
  expect(subscriptionBillingCycles.nodes.map(({ cycleIndex }: Json) => cycleIndex)).toEqual([7, 8, 9]);
});
