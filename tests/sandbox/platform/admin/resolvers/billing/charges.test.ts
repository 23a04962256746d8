import { describe, expect, test } from '@jest/globals';
import {
  absent,
  ben,
  dayMs,
  failed,
  type Json,
  newPlatform,
  type Platform,
  paused,
  weekly,
} from '../../harness.ts';

const outcome = `ready order { name customer { id } totalPriceSet { shopMoney { amount } } }
  state { __typename ... on SubscriptionBillingAttemptFailedState { error { ... on SubscriptionBillingAttemptPaymentError { code } ... on SubscriptionBillingAttemptInventoryError { inventory: code } } } }`;

function attempt(platform: Platform, contractId: string, input: string): Promise<Json> {
  return platform.run(
    `{ subscriptionBillingAttemptCreate(subscriptionContractId: "${contractId}", subscriptionBillingAttemptInput: { ${input} }) { subscriptionBillingAttempt { id ready } userErrors { field code } } }`,
  );
}

async function read(platform: Platform, id: string): Promise<Json> {
  return (await platform.data(`{ subscriptionBillingAttempt(id: "${id}") { ${outcome} } }`))
    .subscriptionBillingAttempt;
}

/** The weekly contract's next order is due on 25 November, 8:00. */
function due(platform: Platform): void {
  platform.holder.nowMs = Date.parse('2026-11-25T07:00:00Z');
}

describe('what cannot be charged', () => {
  test.each([
    [absent, 'idempotencyKey: "k"', 'CONTRACT_NOT_FOUND'],
    [paused, 'idempotencyKey: "k"', 'CONTRACT_PAUSED'],
    [weekly, 'idempotencyKey: " "', 'BLANK'],
    [weekly, 'idempotencyKey: "k"', 'BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE'],
    [weekly, 'idempotencyKey: "k", billingCycleSelector: { index: 6 }', 'INVALID'],
    [weekly, 'idempotencyKey: "k", billingCycleSelector: { index: 0 }', 'INVALID'],
    [weekly, 'idempotencyKey: "k", billingCycleSelector: { index: 90000 }', 'UPCOMING_CYCLE_LIMIT_EXCEEDED'],
    [
      weekly,
      'idempotencyKey: "k", originTime: "2001-01-01T00:00:00Z"',
      'ORIGIN_TIME_BEFORE_CONTRACT_CREATION',
    ],
    [
      weekly,
      'idempotencyKey: "k", originTime: "2026-10-20T00:00:00Z", billingCycleSelector: { index: 7 }',
      'ORIGIN_TIME_OUT_OF_RANGE',
    ],
  ])('%s with %s returns %s', async (contractId, input, code) => {
    expect(await attempt(newPlatform(), contractId, input)).toMatchObject({
      subscriptionBillingAttempt: null,
      userErrors: [{ code }],
    });
  });

  test('refuses a skipped cycle and a cancelled contract', async () => {
    const platform = newPlatform();
    due(platform);
    await platform.run(
      `{ subscriptionBillingCycleSkip(billingCycleInput: { contractId: "${weekly}", selector: { index: 7 } }) { userErrors { code } } }`,
    );
    expect((await attempt(platform, weekly, 'idempotencyKey: "a"')).userErrors).toMatchObject([
      { code: 'BILLING_CYCLE_SKIPPED' },
    ]);
    await platform.run(
      `{ subscriptionContractCancel(subscriptionContractId: "${weekly}") { userErrors { code } } }`,
    );
    expect((await attempt(platform, weekly, 'idempotencyKey: "b"')).userErrors).toMatchObject([
      { code: 'CONTRACT_TERMINATED' },
    ]);
  });
});

describe('a charge', () => {
  test('is pending first, then an order of the cycle; the same key is the same attempt', async () => {
    const platform = newPlatform();
    due(platform);
    const { subscriptionBillingAttempt: first } = await attempt(platform, weekly, 'idempotencyKey: "once"');
    expect(first.ready).toBe(false);
    const done = await read(platform, first.id);
    expect(done).toMatchObject({
      ready: true,
      state: { __typename: 'SubscriptionBillingAttemptSuccessState' },
    });
    expect(done.order.totalPriceSet.shopMoney.amount).toBe('16.8');
    expect((await attempt(platform, weekly, 'idempotencyKey: "once"')).subscriptionBillingAttempt.id).toBe(
      first.id,
    );
    expect((await attempt(platform, weekly, 'idempotencyKey: "twice"')).userErrors).toMatchObject([
      { code: 'INVALID' },
    ]);
    const { subscriptionContract, subscriptionBillingCycle } = await platform.data(`{
      subscriptionContract(id: "${weekly}") { lastPaymentStatus orders(first: 1, reverse: true) { nodes { name } } }
      subscriptionBillingCycle(billingCycleInput: { contractId: "${weekly}", selector: { index: 7 } }) { status billingAttempts(first: 5) { nodes { id } } } }`);
    expect(subscriptionContract).toEqual({
      lastPaymentStatus: 'SUCCEEDED',
      orders: { nodes: [{ name: done.order.name }] },
    });
    expect(subscriptionBillingCycle).toEqual({
      status: 'BILLED',
      billingAttempts: { nodes: [{ id: first.id }] },
    });
  });

  test.each([
    ['day', dayMs],
    ['hour', dayMs / 24],
    ['forever', 400 * dayMs],
  ] as const)('is known by its key as long as the store’s setting says: %s', async (keysRemembered, ms) => {
    const platform = newPlatform();
    platform.store().unpublished.keysRemembered = keysRemembered;
    const overdue = 'billingCycleSelector: { index: 2 }';
    const one = async () =>
      (await attempt(platform, failed, `idempotencyKey: "k", ${overdue}`)).subscriptionBillingAttempt.id;
    const first = await one();
    platform.holder.nowMs += ms;
    expect(await one()).toBe(first);
    if (keysRemembered === 'forever') return;
    platform.holder.nowMs += 1000;
    const second = await one();
    expect(second).not.toBe(first);
    expect(await one()).toBe(second);
  });

  test('stays pending as long as the store says, and blocks edits of its cycle', async () => {
    const platform = newPlatform();
    due(platform);
    platform.store().chargeDelaySeconds = 30;
    const { subscriptionBillingAttempt } = await attempt(platform, weekly, 'idempotencyKey: "slow"');
    expect(await read(platform, subscriptionBillingAttempt.id)).toMatchObject({
      ready: false,
      state: { __typename: 'SubscriptionBillingAttemptPendingState' },
    });
    const edit = await platform.run(
      `{ subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${weekly}", selector: { index: 7 } }, input: { reason: DEV_INITIATED, skip: true }) { userErrors { code } } }`,
    );
    expect(edit.userErrors).toEqual([{ code: 'INCOMPLETE_BILLING_ATTEMPTS' }]);
    expect((await attempt(platform, weekly, 'idempotencyKey: "other"')).userErrors).toMatchObject([
      { code: 'INVALID' },
    ]);
    platform.holder.nowMs += 30_000;
    expect((await read(platform, subscriptionBillingAttempt.id)).ready).toBe(true);
  });

  test("Ben's card is declined again, and pays once it is a good one", async () => {
    const platform = newPlatform();
    const overdue = 'billingCycleSelector: { index: 2 }';
    const { subscriptionBillingAttempt } = await attempt(platform, failed, `idempotencyKey: "1", ${overdue}`);
    const declined = await read(platform, subscriptionBillingAttempt.id);
    expect(declined).toMatchObject({ order: null, state: { error: { code: 'CARD_DECLINED' } } });
    const { customer } = await platform.data(
      `{ customer(id: "${ben}") { paymentMethods(first: 1) { nodes { id } } } }`,
    );
    const renewed = await platform.run(
      `{ customerPaymentMethodCreditCardUpdate(id: "${customer.paymentMethods.nodes[0].id}", sessionId: "card-visa-1881-09-2031", billingAddress: { city: "Portland", countryCode: US }) { customerPaymentMethod { instrument { ... on CustomerCreditCard { lastDigits } } } userErrors { message } } }`,
    );
    expect(renewed.customerPaymentMethod.instrument.lastDigits).toBe('1881');
    const again = await attempt(platform, failed, `idempotencyKey: "2", ${overdue}`);
    expect((await read(platform, again.subscriptionBillingAttempt.id)).order).not.toBeNull();
    const { subscriptionContract } = await platform.data(
      `{ subscriptionContract(id: "${failed}") { lastPaymentStatus lastBillingAttemptErrorType } }`,
    );
    expect(subscriptionContract).toEqual({
      lastPaymentStatus: 'SUCCEEDED',
      lastBillingAttemptErrorType: null,
    });
  });

  test('an expired card fails, or leaves an unpaid order if that is allowed', async () => {
    const platform = newPlatform();
    due(platform);
    for (const { instrument } of platform.store().paymentMethods.values()) {
      if (instrument.__typename === 'CustomerCreditCard') instrument.expiryYear = 2020;
    }
    const one = await attempt(platform, weekly, 'idempotencyKey: "1"');
    expect((await read(platform, one.subscriptionBillingAttempt.id)).state.error).toEqual({
      code: 'EXPIRED_PAYMENT_METHOD',
    });
    const two = await attempt(
      platform,
      weekly,
      'idempotencyKey: "2", paymentProcessingPolicy: SKIP_PAYMENT_AND_CREATE_UNPAID_ORDER',
    );
    await read(platform, two.subscriptionBillingAttempt.id);
    const { orders } = await platform.data(
      '{ orders(first: 1, reverse: true, sortKey: ID) { nodes { unpaid displayFinancialStatus } } }',
    );
    expect(orders.nodes).toEqual([{ unpaid: true, displayFinancialStatus: 'PENDING' }]);
  });

  test('a card that expires after the charge has paid, though the next request comes later', async () => {
    const platform = newPlatform();
    due(platform);
    for (const { instrument } of platform.store().paymentMethods.values()) {
      if (instrument.__typename !== 'CustomerCreditCard') continue;
      Object.assign(instrument, { expiryYear: 2026, expiryMonth: 11 });
    }
    const { subscriptionBillingAttempt } = await attempt(platform, weekly, 'idempotencyKey: "1"');
    platform.holder.nowMs += 30 * dayMs;
    expect((await read(platform, subscriptionBillingAttempt.id)).state.__typename).toBe(
      'SubscriptionBillingAttemptSuccessState',
    );
  });

  test('without stock it fails, unless overselling is allowed', async () => {
    const platform = newPlatform();
    due(platform);
    for (const variant of platform.store().variants.values()) variant.inventoryQuantity = 0;
    const one = await attempt(platform, weekly, 'idempotencyKey: "1"');
    expect((await read(platform, one.subscriptionBillingAttempt.id)).state.error).toEqual({
      inventory: 'INSUFFICIENT_INVENTORY',
    });
    const two = await attempt(platform, weekly, 'idempotencyKey: "2", inventoryPolicy: ALLOW_OVERSELLING');
    expect((await read(platform, two.subscriptionBillingAttempt.id)).order).not.toBeNull();
  });

  test('stays open for its 3-D Secure when the stock runs out later', async () => {
    const platform = newPlatform();
    due(platform);
    for (const { instrument } of platform.store().paymentMethods.values())
      instrument.declines = 'ACTION_REQUIRED';
    const { subscriptionBillingAttempt: made } = await attempt(platform, weekly, 'idempotencyKey: "1"');
    const action = 'SubscriptionBillingAttemptActionRequiredState';
    const stateOf = async () =>
      (await platform.data(`{ subscriptionBillingAttempt(id: "${made.id}") { state { __typename } } }`))
        .subscriptionBillingAttempt.state.__typename;
    expect(await stateOf()).toBe(action);
    for (const variant of platform.store().variants.values()) variant.inventoryQuantity = 0;
    expect(await stateOf()).toBe(action);
  });

  test('charges the price at which it was made, when prices change before the customer has confirmed it', async () => {
    const platform = newPlatform();
    due(platform);
    const instruments = [...platform.store().paymentMethods.values()].map(({ instrument }) => instrument);
    for (const instrument of instruments) instrument.declines = 'ACTION_REQUIRED';
    const { subscriptionBillingAttempt: made } = await attempt(platform, weekly, 'idempotencyKey: "1"');
    expect((await read(platform, made.id)).order).toBeNull();
    for (const line of platform.store().contracts.get(9101001)?.content.lines ?? [])
      line.currentPriceMinor += 500;
    for (const instrument of instruments) instrument.declines = null;
    expect((await read(platform, made.id)).order.totalPriceSet.shopMoney.amount).toBe('16.8');
  });

  test('takes the lines of an edited cycle', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(
      `{ subscriptionBillingCycleContractEdit(billingCycleInput: { contractId: "${weekly}", selector: { index: 7 } }) { draft { id lines(first: 1) { nodes { id } } } } }`,
    );
    await platform.run(
      `{ subscriptionDraftLineUpdate(draftId: "${draft.id}", lineId: "${draft.lines.nodes[0].id}", input: { quantity: 3 }) { userErrors { code } } }`,
    );
    await platform.run(
      `{ subscriptionBillingCycleContractDraftCommit(draftId: "${draft.id}") { userErrors { code } } }`,
    );
    due(platform);
    const { subscriptionBillingAttempt } = await attempt(platform, weekly, 'idempotencyKey: "1"');
    expect((await read(platform, subscriptionBillingAttempt.id)).order.totalPriceSet.shopMoney.amount).toBe(
      '40.6',
    );
  });

  test('a discount ends after its cycles', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(
      `{ subscriptionContractUpdate(contractId: "${weekly}") { draft { id } } }`,
    );
    await platform.run(
      `{ subscriptionDraftDiscountAdd(draftId: "${draft.id}", input: { recurringCycleLimit: 1, value: { percentage: 100 } }) { userErrors { code } } }`,
    );
    await platform.run(`{ subscriptionDraftCommit(draftId: "${draft.id}") { userErrors { code } } }`);
    const totals: string[] = [];
    for (const index of [7, 8]) {
      platform.holder.nowMs = Date.parse('2026-11-25T07:00:00Z') + (index - 7) * 7 * dayMs;
      const { subscriptionBillingAttempt } = await attempt(platform, weekly, `idempotencyKey: "${index}"`);
      totals.push((await read(platform, subscriptionBillingAttempt.id)).order.totalPriceSet.shopMoney.amount);
    }
    expect(totals).toEqual(['4.9', '16.8']);
  });
});
