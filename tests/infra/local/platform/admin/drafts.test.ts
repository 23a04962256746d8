import { describe, expect, test } from '@jest/globals';
import { absent, ada, harbor, type Json, monthly, newPlatform, type Platform, weekly } from './harness.ts';

const errors = 'userErrors { field code message }';
const house500 = 'gid://shopify/ProductVariant/810100102';
const decaf = 'gid://shopify/ProductVariant/810100201';

async function open(platform: Platform, contractId = weekly): Promise<string> {
  const { draft, userErrors } = await platform.run(
    `{ subscriptionContractUpdate(contractId: "${contractId}") { draft { id } ${errors} } }`,
  );
  expect(userErrors).toEqual([]);
  return draft.id;
}

function commit(platform: Platform, draftId: string, fields = 'id'): Promise<Json> {
  return platform.run(
    `{ subscriptionDraftCommit(draftId: "${draftId}") { contract { ${fields} } ${errors} } }`,
  );
}

async function lineIds(platform: Platform, contractId: string): Promise<string[]> {
  const { subscriptionContract } = await platform.data(
    `{ subscriptionContract(id: "${contractId}") { lines(first: 10) { nodes { id } } } }`,
  );
  return subscriptionContract.lines.nodes.map(({ id }: { id: string }) => id);
}

function addLine(platform: Platform, draftId: string, input: string): Promise<Json> {
  return platform.run(
    `{ subscriptionDraftLineAdd(draftId: "${draftId}", input: { ${input} }) { lineAdded { id title quantity currentPrice { amount } } draft { id } ${errors} } }`,
  );
}

function update(platform: Platform, draftId: string, input: string, fields = 'id'): Promise<Json> {
  return platform.run(
    `{ subscriptionDraftUpdate(draftId: "${draftId}", input: { ${input} }) { draft { ${fields} } ${errors} } }`,
  );
}

describe('opening and committing', () => {
  test('an absent contract and an absent draft are user errors', async () => {
    const platform = newPlatform();
    const opened = await platform.run(
      `{ subscriptionContractUpdate(contractId: "${absent}") { draft { id } ${errors} } }`,
    );
    expect(opened).toMatchObject({ draft: null, userErrors: [{ field: ['contractId'], code: 'INVALID' }] });
    expect((await commit(platform, 'gid://shopify/SubscriptionDraft/1')).userErrors).toMatchObject([
      { field: ['draftId'] },
    ]);
  });

  test('nothing of a draft shows on the contract before its commit', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await update(platform, draftId, 'note: "Leave it at the door"');
    expect(
      (await platform.data(`{ subscriptionContract(id: "${weekly}") { note } }`)).subscriptionContract.note,
    ).toBeNull();
    expect((await commit(platform, draftId, 'note')).contract).toEqual({ note: 'Leave it at the door' });
  });

  test('a second commit is COMMITTED, and so is a change after it', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await commit(platform, draftId);
    expect((await commit(platform, draftId)).userErrors).toMatchObject([{ code: 'COMMITTED' }]);
    expect((await update(platform, draftId, 'note: "late"')).userErrors).toMatchObject([
      { code: 'COMMITTED' },
    ]);
  });

  test('the slower of two drafts is STALE_CONTRACT and changes nothing', async () => {
    const platform = newPlatform();
    const [first, second] = [await open(platform), await open(platform)];
    await update(platform, first, 'note: "first"');
    await update(platform, second, 'note: "second"');
    await commit(platform, first);
    expect(await commit(platform, second)).toMatchObject({
      contract: null,
      userErrors: [{ code: 'STALE_CONTRACT' }],
    });
    expect(
      (await platform.data(`{ subscriptionContract(id: "${weekly}") { note } }`)).subscriptionContract.note,
    ).toBe('first');
  });

  test('a pause in between makes it stale too', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await platform.run(`{ subscriptionContractPause(subscriptionContractId: "${weekly}") { ${errors} } }`);
    expect((await commit(platform, draftId)).userErrors).toMatchObject([{ code: 'STALE_CONTRACT' }]);
  });
});

describe('lines', () => {
  test.each([
    [`productVariantId: "${decaf}", quantity: 0, currentPrice: 5`, 'GREATER_THAN_OR_EQUAL_TO', 'quantity'],
    [
      `productVariantId: "${decaf}", quantity: 1, currentPrice: -1`,
      'GREATER_THAN_OR_EQUAL_TO',
      'currentPrice',
    ],
    [
      'productVariantId: "gid://shopify/ProductVariant/1", quantity: 1, currentPrice: 5',
      'INVALID',
      'productVariantId',
    ],
    [
      `productVariantId: "${decaf}", quantity: 1, currentPrice: 5, sellingPlanId: "gid://shopify/SellingPlan/1"`,
      'INVALID',
      'sellingPlanId',
    ],
  ])('%s: %s', async (input, code, field) => {
    const platform = newPlatform();
    const added = await addLine(platform, await open(platform), input);
    expect(added).toMatchObject({ lineAdded: null, userErrors: [{ code, field: ['input', field] }] });
  });

  test('added, changed and removed in one commit', async () => {
    const platform = newPlatform();
    const [first = ''] = await lineIds(platform, monthly);
    const draftId = await open(platform, monthly);
    const { lineAdded } = await addLine(
      platform,
      draftId,
      `productVariantId: "${decaf}", quantity: 3, currentPrice: "13.50"`,
    );
    expect(lineAdded).toMatchObject({
      title: 'Night Watch Decaf',
      quantity: 3,
      currentPrice: { amount: '13.5' },
    });
    expect(lineAdded.id).toMatch(
      /^gid:\/\/shopify\/SubscriptionLine\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const changed = await platform.run(
      `{ subscriptionDraftLineUpdate(draftId: "${draftId}", lineId: "${lineAdded.id}", input: { quantity: 2, productVariantId: "${house500}" }) { lineUpdated { variantTitle quantity currentPrice { amount } } ${errors} } }`,
    );
    expect(changed.lineUpdated).toEqual({
      variantTitle: '500 g',
      quantity: 2,
      currentPrice: { amount: '13.5' },
    });
    const removal = `{ subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${first}") { lineRemoved { id } draft { linesAdded(first: 5) { nodes { id } } linesRemoved(first: 5) { nodes { id } } } ${errors} } }`;
    const { draft } = await platform.run(removal);
    expect(draft).toEqual({
      linesAdded: { nodes: [{ id: lineAdded.id }] },
      linesRemoved: { nodes: [{ id: first }] },
    });
    expect((await platform.run(removal)).userErrors).toMatchObject([{ code: 'ALREADY_REMOVED' }]);
    const { contract } = await commit(
      platform,
      draftId,
      'lines(first: 5) { nodes { id } } linesCount { count }',
    );
    expect(contract.linesCount.count).toBe(2);
    expect(contract.lines.nodes).not.toContainEqual({ id: first });
  });

  test('a contract without lines is INVALID_LINES', async () => {
    const platform = newPlatform();
    const [only = ''] = await lineIds(platform, weekly);
    const draftId = await open(platform);
    await platform.run(
      `{ subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${only}") { ${errors} } }`,
    );
    expect((await commit(platform, draftId)).userErrors).toMatchObject([{ code: 'INVALID_LINES' }]);
  });

  test('a product change in one go', async () => {
    const platform = newPlatform();
    const [line = ''] = await lineIds(platform, weekly);
    const change = (lineId: string) =>
      `{ subscriptionContractProductChange(subscriptionContractId: "${weekly}", lineId: "${lineId}", actor: MERCHANT, input: { productVariantId: "${house500}", currentPrice: 23.4 }) { contract { id } lineUpdated { id variantTitle currentPrice { amount } } ${errors} } }`;
    expect((await platform.run(change(line))).lineUpdated).toEqual({
      id: line,
      variantTitle: '500 g',
      currentPrice: { amount: '23.4' },
    });
    expect((await platform.run(change('gid://shopify/SubscriptionLine/none'))).userErrors).toMatchObject([
      { field: ['lineId'] },
    ]);
  });
});

describe('policies', () => {
  const policies = (billing: string, delivery: string) =>
    `billingPolicy: { ${billing} }, deliveryPolicy: { ${delivery} }`;

  test.each([
    ['interval: WEEK, intervalCount: 3', 'interval: WEEK, intervalCount: 2', false],
    ['interval: MONTH, intervalCount: 1', 'interval: WEEK, intervalCount: 2', false],
    ['interval: YEAR, intervalCount: 1', 'interval: MONTH, intervalCount: 3', true],
    ['interval: WEEK, intervalCount: 2', 'interval: DAY, intervalCount: 7', true],
  ])('billed every %s, delivered every %s: %s', async (billing, delivery, fits) => {
    const platform = newPlatform();
    const draftId = await open(platform);
    expect((await update(platform, draftId, policies(billing, delivery))).userErrors).toEqual([]);
    const codes = (await commit(platform, draftId)).userErrors.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(fits ? [] : ['DELIVERY_MUST_BE_MULTIPLE_OF_BILLING']);
  });

  test.each([
    ['billingPolicy: { interval: WEEK, intervalCount: 0 }', 'GREATER_THAN'],
    [
      'billingPolicy: { interval: WEEK, intervalCount: 1, minCycles: 5, maxCycles: 5 }',
      'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
    ],
    ['nextBillingDate: "2001-01-01T00:00:00Z"', 'INVALID_BILLING_DATE'],
    ['paymentMethodId: "gid://shopify/CustomerPaymentMethod/none"', 'MISSING_CUSTOMER_PAYMENT_METHOD'],
    [`note: "${'x'.repeat(5001)}"`, 'INVALID_NOTE_LENGTH'],
    ['deliveryPrice: -1', 'GREATER_THAN_OR_EQUAL_TO'],
    ['deliveryMethod: {}', 'INVALID'],
    [
      'deliveryMethod: { localDelivery: { address: { city: "Portland", countryCode: US } } }',
      'MISSING_LOCAL_DELIVERY_OPTIONS',
    ],
    ['deliveryMethod: { pickup: { pickupOption: { locationId: "gid://shopify/Location/1" } } }', 'INVALID'],
  ])('%.60s: %s', async (input, code) => {
    const platform = newPlatform();
    const { userErrors } = await update(platform, await open(platform), input);
    expect(userErrors).toMatchObject([{ code, field: expect.arrayContaining(['input']) }]);
  });

  test("another customer's card is CUSTOMER_MISMATCH", async () => {
    const platform = newPlatform();
    const foreign = [...platform.store().paymentMethods.values()].find(
      ({ customerId }) => customerId === 7001002,
    );
    const { userErrors } = await update(
      platform,
      await open(platform),
      `paymentMethodId: "gid://shopify/CustomerPaymentMethod/${foreign?.id}"`,
    );
    expect(userErrors).toMatchObject([{ code: 'CUSTOMER_MISMATCH', field: ['input', 'paymentMethodId'] }]);
  });

  test('cycle limits that are not sent again are gone', async () => {
    const platform = newPlatform();
    const one = await open(platform);
    await update(
      platform,
      one,
      policies(
        'interval: WEEK, intervalCount: 1, minCycles: 2, maxCycles: 40',
        'interval: WEEK, intervalCount: 1',
      ),
    );
    await commit(platform, one);
    const two = await open(platform);
    await update(platform, two, 'billingPolicy: { interval: WEEK, intervalCount: 1 }');
    expect(
      (await commit(platform, two, 'billingPolicy { minCycles maxCycles }')).contract.billingPolicy,
    ).toEqual({ minCycles: null, maxCycles: null });
  });

  test('a new interval keeps the next order, its skip by index, and loses moved dates', async () => {
    const platform = newPlatform();
    const edit = (index: number, input: string) =>
      platform.run(
        `{ subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${weekly}", selector: { index: ${index} } }, input: { reason: DEV_INITIATED, ${input} }) { ${errors} } }`,
      );
    await edit(8, 'skip: true');
    await edit(9, 'billingDate: "2026-12-08T00:00:00Z"');
    const draftId = await open(platform);
    await update(
      platform,
      draftId,
      policies('interval: WEEK, intervalCount: 2', 'interval: WEEK, intervalCount: 2'),
    );
    await commit(platform, draftId);
    const { subscriptionBillingCycles } = await platform.data(
      `{ subscriptionBillingCycles(contractId: "${weekly}", first: 3, billingCyclesIndexRangeSelector: { startIndex: 7, endIndex: 9 }) { nodes { cycleIndex skipped billingAttemptExpectedDate } } }`,
    );
    expect(subscriptionBillingCycles.nodes).toEqual([
      { cycleIndex: 7, skipped: false, billingAttemptExpectedDate: '2026-11-25T08:00:00Z' },
      { cycleIndex: 8, skipped: true, billingAttemptExpectedDate: '2026-12-09T08:00:00Z' },
      { cycleIndex: 9, skipped: false, billingAttemptExpectedDate: '2026-12-23T08:00:00Z' },
    ]);
  });

  test('status and date in one draft', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await update(platform, draftId, 'status: PAUSED, nextBillingDate: "2026-12-01T00:00:00Z"');
    expect((await commit(platform, draftId, 'status nextBillingDate')).contract).toEqual({
      status: 'PAUSED',
      nextBillingDate: '2026-12-01T00:00:00Z',
    });
  });
});

describe('delivery options', () => {
  const options = `deliveryOptions(deliveryAddress: $address) { __typename
    ... on SubscriptionDeliveryOptionResultSuccess { deliveryOptions { __typename ... on SubscriptionShippingOption { code title price { amount } } } }
    ... on SubscriptionDeliveryOptionResultFailure { message } }`;
  const ask = async (platform: Platform, id: string, address: Json) =>
    (
      await platform.data(
        `query ($id: ID!, $address: MailingAddressInput) { subscriptionDraft(id: $id) { ${options} } }`,
        { id, address },
      )
    ).subscriptionDraft.deliveryOptions;

  test('are pending at first, for each address, then there', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const bangor = { address1: '1 Main Street', city: 'Bangor', countryCode: 'US', zip: '04401' };
    expect(await ask(platform, draftId, bangor)).toBeNull();
    const { deliveryOptions } = await ask(platform, draftId, bangor);
    expect(deliveryOptions).toMatchObject([
      { code: 'standard', price: { amount: '4.9' } },
      { code: 'express' },
    ]);
    expect(await ask(platform, draftId, null)).toBeNull();
    const own = (await ask(platform, draftId, null)).deliveryOptions.map((option: Json) => option.__typename);
    expect(own).toEqual([
      'SubscriptionShippingOption',
      'SubscriptionShippingOption',
      'SubscriptionLocalDeliveryOption',
      'SubscriptionPickupOption',
    ]);
  });

  test('a country that is not shipped to is a failure', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const address = { address1: '1 rue', city: 'Paris', countryCode: 'FR' };
    await ask(platform, draftId, address);
    expect(await ask(platform, draftId, address)).toMatchObject({
      __typename: 'SubscriptionDeliveryOptionResultFailure',
    });
  });

  test('a method with address, option and price is committed', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const input =
      'deliveryPrice: "9.90", deliveryMethod: { shipping: { address: { firstName: "Ada", address1: "2 New Road", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" }, shippingOption: { code: "express", title: "Express" } } }';
    expect((await update(platform, draftId, input)).userErrors).toEqual([]);
    const { contract } = await commit(
      platform,
      draftId,
      'deliveryPrice { amount } deliveryMethod { ... on SubscriptionDeliveryMethodShipping { address { address1 country countryCodeV2 } shippingOption { title } } }',
    );
    expect(contract).toEqual({
      deliveryPrice: { amount: '9.9' },
      deliveryMethod: {
        address: { address1: '2 New Road', country: 'United States', countryCodeV2: 'US' },
        shippingOption: { title: 'Express' },
      },
    });
  });
});

describe('discounts', () => {
  const apply = (platform: Platform, draftId: string, code: string) =>
    platform.run(
      `{ subscriptionDraftDiscountCodeApply(draftId: "${draftId}", redeemCode: "${code}") { appliedDiscount { id redeemCode rejectionReason } ${errors} } }`,
    );

  test.each([
    ['WELCOME10', null],
    ['SPRING20', 'CURRENTLY_INACTIVE'],
    ['GONE50', 'USAGE_LIMIT_REACHED'],
    ['NOSUCH', 'NOT_FOUND'],
  ])('the code %s is taken, with the reason %s', async (code, rejectionReason) => {
    const platform = newPlatform();
    const applied = await apply(platform, await open(platform), code);
    expect(applied).toMatchObject({ appliedDiscount: { redeemCode: code, rejectionReason }, userErrors: [] });
  });

  test('a code that counts takes its share off the lines, and can be removed', async () => {
    const platform = newPlatform();
    const one = await open(platform);
    await apply(platform, one, 'welcome10');
    const { contract } = await commit(
      platform,
      one,
      'discounts(first: 5) { nodes { id type title } } lines(first: 1) { nodes { lineDiscountedPrice { amount } discountAllocations { amount { amount } } } }',
    );
    expect(contract.lines.nodes).toEqual([
      { lineDiscountedPrice: { amount: '10.71' }, discountAllocations: [{ amount: { amount: '1.19' } }] },
    ]);
    expect(contract.discounts.nodes).toMatchObject([{ type: 'CODE_DISCOUNT', title: 'WELCOME10' }]);
    const two = await open(platform);
    const remove = `{ subscriptionDraftDiscountRemove(draftId: "${two}", discountId: "${contract.discounts.nodes[0].id}") { draft { discountsRemoved(first: 5) { nodes { __typename } } } ${errors} } }`;
    expect((await platform.run(remove)).draft.discountsRemoved.nodes).toEqual([
      { __typename: 'SubscriptionAppliedCodeDiscount' },
    ]);
    expect((await platform.run(remove)).userErrors).toMatchObject([{ code: 'ALREADY_REMOVED' }]);
    expect(
      (await commit(platform, two, 'discounts(first: 5) { nodes { id } }')).contract.discounts.nodes,
    ).toEqual([]);
  });

  test('a rejected code takes nothing off', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await apply(platform, draftId, 'SPRING20');
    const { contract } = await commit(
      platform,
      draftId,
      'lines(first: 1) { nodes { lineDiscountedPrice { amount } } }',
    );
    expect(contract.lines.nodes).toEqual([{ lineDiscountedPrice: { amount: '11.9' } }]);
  });

  test.each([
    ['title: "nothing"', 'PRESENCE'],
    ['value: { percentage: 101 }', 'NOT_IN_RANGE'],
    ['value: { fixedAmount: { amount: 0 } }', 'GREATER_THAN'],
    ['value: { percentage: 5 }, entitledLines: { lines: { add: [] } }', 'NO_ENTITLED_LINES'],
    [
      'value: { percentage: 5 }, entitledLines: { lines: { add: ["gid://shopify/SubscriptionLine/none"] } }',
      'INVALID',
    ],
  ])('%s: %s', async (input, code) => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const added = await platform.run(
      `{ subscriptionDraftDiscountAdd(draftId: "${draftId}", input: { ${input} }) { discountAdded { id } ${errors} } }`,
    );
    expect(added).toMatchObject({ discountAdded: null, userErrors: [{ code }] });
  });

  test('by hand: for one line, changed, and narrowed when the line goes', async () => {
    const platform = newPlatform();
    const [first = '', second = ''] = await lineIds(platform, monthly);
    const draftId = await open(platform, monthly);
    const { discountAdded } = await platform.run(
      `{ subscriptionDraftDiscountAdd(draftId: "${draftId}", input: { title: "Sorry", value: { fixedAmount: { amount: 2, appliesOnEachItem: true } }, entitledLines: { lines: { add: ["${first}", "${second}"] } } }) { discountAdded { id entitledLines { all lines(first: 5) { nodes { id } } } } ${errors} } }`,
    );
    expect(discountAdded.entitledLines).toEqual({
      all: false,
      lines: { nodes: [{ id: first }, { id: second }] },
    });
    const updated = await platform.run(
      `{ subscriptionDraftDiscountUpdate(draftId: "${draftId}", discountId: "${discountAdded.id}", input: { value: { percentage: 50 } }) { discountUpdated { value { ... on SubscriptionDiscountPercentageValue { percentage } } } ${errors} } }`,
    );
    expect(updated.discountUpdated.value).toEqual({ percentage: 50 });
    const removed = await platform.run(
      `{ subscriptionDraftLineRemove(draftId: "${draftId}", lineId: "${second}") { discountsUpdated { id entitledLines { lines(first: 5) { nodes { id } } } } ${errors} } }`,
    );
    expect(removed.discountsUpdated).toEqual([
      { id: discountAdded.id, entitledLines: { lines: { nodes: [{ id: first }] } } },
    ]);
  });

  test('free shipping', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const { discountAdded } = await platform.run(
      `{ subscriptionDraftFreeShippingDiscountAdd(draftId: "${draftId}", input: { title: "Free" }) { discountAdded { targetType } ${errors} } }`,
    );
    expect(discountAdded).toEqual({ targetType: 'SHIPPING_LINE' });
  });
});

describe('the contract of one cycle', () => {
  const edit = (contractId: string, selector: string) =>
    `{ subscriptionBillingCycleContractEdit(billingCycleInput: { contractId: "${contractId}", selector: ${selector} }) { draft { id billingCycle { cycleIndex } } ${errors} } }`;
  const commitCycle = (id: string) =>
    `{ subscriptionBillingCycleContractDraftCommit(draftId: "${id}") { contract { lines(first: 5) { nodes { quantity } } billingCycles(first: 2) { nodes { cycleIndex edited } } } ${errors} } }`;

  test.each([
    [absent, '{ index: 8 }', 'INVALID'],
    [weekly, '{ index: 0 }', 'CYCLE_SELECTOR_VALIDATE_ONE_OF'],
    [weekly, '{ index: 2 }', 'INVALID'],
  ])('%s %s: %s', async (contractId, selector, code) => {
    expect(await newPlatform().run(edit(contractId, selector))).toMatchObject({
      draft: null,
      userErrors: [{ code }],
    });
  });

  test('is changed for that cycle alone, blocks drafts of the contract, and can be taken back', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(edit(weekly, '{ index: 8 }'));
    expect(draft.billingCycle.cycleIndex).toBe(8);
    expect((await commit(platform, draft.id)).userErrors).toMatchObject([{ code: 'BILLING_CYCLE_PRESENT' }]);
    expect(
      (await update(platform, draft.id, 'billingPolicy: { interval: WEEK, intervalCount: 1 }')).userErrors,
    ).toMatchObject([{ code: 'BILLING_CYCLE_CONTRACT_DRAFT_BILLING_POLICY_INVALID' }]);
    const [line = ''] = await lineIds(platform, weekly);
    await platform.run(
      `{ subscriptionDraftLineUpdate(draftId: "${draft.id}", lineId: "${line}", input: { quantity: 4 }) { ${errors} } }`,
    );
    const { contract } = await platform.run(commitCycle(draft.id));
    expect(contract).toEqual({
      lines: { nodes: [{ quantity: 4 }] },
      billingCycles: { nodes: [{ cycleIndex: 8, edited: true }] },
    });
    const plain = await open(platform);
    expect((await commit(platform, plain)).userErrors).toMatchObject([{ code: 'HAS_FUTURE_EDITS' }]);
    expect((await platform.run(commitCycle(plain))).userErrors).toMatchObject([
      { code: 'BILLING_CYCLE_ABSENT' },
    ]);
    await platform.run(
      `{ subscriptionBillingCycleEditDelete(billingCycleInput: { contractId: "${weekly}", selector: { index: 8 } }) { ${errors} } }`,
    );
    expect((await commit(platform, await open(platform))).userErrors).toEqual([]);
  });

  test('cycles of other contracts join it, of the same customer only', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(edit(weekly, '{ index: 7 }'));
    const join = (contractId: string, index: number) =>
      platform.run(
        `{ subscriptionBillingCycleContractDraftConcatenate(draftId: "${draft.id}", concatenatedBillingCycleContracts: [{ contractId: "${contractId}", selector: { index: ${index} } }]) { draft { lines(first: 9) { nodes { title concatenatedOriginContract { id } } } concatenatedBillingCycles(first: 9) { nodes { cycleIndex } } } ${errors} } }`,
      );
    expect((await join('gid://shopify/SubscriptionContract/9101004', 3)).userErrors).toMatchObject([
      { code: 'CUSTOMER_MISMATCH' },
    ]);
    const joined = await join(monthly, 4);
    expect(joined.draft.lines.nodes).toHaveLength(3);
    expect(joined.draft.lines.nodes[2].concatenatedOriginContract).toEqual({ id: monthly });
    expect(joined.draft.concatenatedBillingCycles.nodes).toEqual([{ cycleIndex: 4 }]);
    expect((await join(monthly, 5)).userErrors).toMatchObject([{ code: 'DUPLICATE_CONCATENATED_CONTRACTS' }]);
  });
});

describe('new contracts', () => {
  const rhythm =
    'billingPolicy: { interval: MONTH, intervalCount: 1 }, deliveryPolicy: { interval: MONTH, intervalCount: 1 }';
  const shipping =
    'deliveryMethod: { shipping: { address: { address1: "8 Wharf Street", city: "Portland", countryCode: US } } }';
  const create = (input: string, contract = `${rhythm}, ${shipping}`) =>
    `{ subscriptionContractAtomicCreate(input: { customerId: "${ada}", currencyCode: USD, nextBillingDate: "2026-12-21T00:00:00Z", contract: { ${contract} }, ${input} }) { contract { id status customer { id } lines(first: 5) { nodes { title } } discounts(first: 5) { nodes { title } } } ${errors} } }`;

  test.each([
    ['lines: []', 'INVALID_LINES'],
    [
      `lines: [{ line: { productVariantId: "${decaf}", quantity: 0, currentPrice: 1 } }]`,
      'GREATER_THAN_OR_EQUAL_TO',
    ],
  ])('%s: %s', async (input, code) => {
    const platform = newPlatform();
    const before = platform.store(harbor).contracts.size;
    expect(await platform.run(create(input))).toMatchObject({ contract: null, userErrors: [{ code }] });
    expect(platform.store(harbor).contracts.size).toBe(before);
  });

  test('in one go, with discounts and codes; its first cycle starts now', async () => {
    const platform = newPlatform();
    const line = `{ line: { productVariantId: "${decaf}", quantity: 1, currentPrice: 15 }, discounts: [{ title: "Hello", value: { percentage: 10 } }] }`;
    const { contract } = await platform.run(create(`lines: [${line}], discountCodes: ["WELCOME10"]`));
    expect(contract).toMatchObject({
      status: 'ACTIVE',
      customer: { id: ada },
      lines: { nodes: [{ title: 'Night Watch Decaf' }] },
    });
    expect(contract.discounts.nodes.map(({ title }: { title: string }) => title)).toEqual([
      'Hello',
      'WELCOME10',
    ]);
    const { subscriptionBillingCycles } = await platform.data(
      `{ subscriptionBillingCycles(contractId: "${contract.id}", first: 1) { nodes { cycleStartAt cycleEndAt } } }`,
    );
    expect(subscriptionBillingCycles.nodes).toEqual([
      { cycleStartAt: '2026-11-21T08:30:00Z', cycleEndAt: '2026-12-21T08:00:00Z' },
    ]);
  });

  test('by a draft', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(
      `{ subscriptionContractCreate(input: { customerId: "${ada}", currencyCode: CAD, nextBillingDate: "2026-12-21T00:00:00Z", contract: { ${rhythm} } }) { draft { id currencyCode originalContract { id } } ${errors} } }`,
    );
    expect(draft).toMatchObject({ currencyCode: 'CAD', originalContract: null });
    await addLine(platform, draft.id, `productVariantId: "${decaf}", quantity: 1, currentPrice: 15`);
    expect((await commit(platform, draft.id)).userErrors).toMatchObject([
      { code: 'DELIVERY_METHOD_REQUIRED' },
    ]);
    await update(platform, draft.id, shipping);
    expect(
      (
        await commit(
          platform,
          draft.id,
          'currencyCode lines(first: 1) { nodes { currentPrice { currencyCode } } }',
        )
      ).contract,
    ).toEqual({
      currencyCode: 'CAD',
      lines: { nodes: [{ currentPrice: { currencyCode: 'CAD' } }] },
    });
  });

  test.each([
    ['customerId: "gid://shopify/Customer/1", currencyCode: USD', 'CUSTOMER_DOES_NOT_EXIST'],
    [`customerId: "${ada}", currencyCode: JPY`, 'CURRENCY_NOT_ENABLED'],
  ])('%s: %s', async (input, code) => {
    const created = await newPlatform().run(
      `{ subscriptionContractCreate(input: { ${input}, nextBillingDate: "2026-12-21T00:00:00Z", contract: { ${rhythm} } }) { draft { id } ${errors} } }`,
    );
    expect(created).toMatchObject({ draft: null, userErrors: [{ code }] });
  });
});
