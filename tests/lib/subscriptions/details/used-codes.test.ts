/** A code with a limit of payments is used no more often than its limit, however often a customer takes it off. */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { DiscountRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { type Acting, createOperationWorld, gid } from '../../../contract/world/operation-world.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { weekly } from '../../../sandbox/platform/admin/harness.ts';

const WEEKLY = 9_101_001;
const ERRORS = 'userErrors { field message code }';
const APPLY = `mutation ($contractId: ID!, $code: String!) {
  subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: $code) { ${ERRORS} }
}`;
const REMOVE = `mutation ($contractId: ID!, $discount: ID!) {
  subscriptionContractDiscountRemove(contractId: $contractId, discountId: $discount) { ${ERRORS} }
}`;
const CHARGE = `{ subscriptionBillingAttemptCreate(subscriptionContractId: "${weekly}",
  subscriptionBillingAttemptInput: { idempotencyKey: "first" }) { userErrors { code } } }`;
const CODE = 'TWICE20';
const MINUTE_MS = 60_000;
const CUSTOMERS: readonly Acting[] = ['customer', 'store for a customer'];

/** A contract whose next order can be charged, in a store with the code TWICE20 for two payments. */
function createCodeWorld() {
  const world = createOperationWorld();
  const { holder, store } = world.platform;
  holder.nowMs = Date.parse('2026-11-25T07:00:00Z');
  const table = createMemoryTable();
  const discounts = (): DiscountRecord[] => world.contract(WEEKLY).content.discounts;
  const run = (as: Acting, query: string, variables: object, over = table) => {
    const contractId = gid('SubscriptionContract', WEEKLY);
    const request = { as, query, table: over, now: () => holder.nowMs };
    return world.run({ ...request, variables: { contractId, ...variables } });
  };
  const startCharge = async () => {
    expect((await world.platform.run(CHARGE)).userErrors).toEqual([]);
  };
  return {
    ...world,
    table,
    discounts,
    /** A code that is for this number of payments; undefined: for all. */
    addCode: (code: string, recurringCycleLimit?: number) => {
      const limit = recurringCycleLimit === undefined ? {} : { recurringCycleLimit };
      store().discountCodes.set(code, { code, percentage: 20, rejectionReason: null, ...limit });
    },
    apply: (as: Acting, code = CODE) => run(as, APPLY, { code }),
    remove: (as: Acting, over = table) =>
      run(as, REMOVE, { discount: gid('SubscriptionManualDiscount', discounts()[0]?.id ?? 'none') }, over),
    startCharge,
    async charge(): Promise<void> {
      await startCharge();
      holder.nowMs += MINUTE_MS;
    },
  };
}

type CodeWorld = ReturnType<typeof createCodeWorld>;

const ALREADY_USED = { code: 'DISCOUNT_REJECTED', details: { rejectionReason: 'ALREADY_USED' } };

/** A world whose customer has applied the code and paid one order with it. */
async function createUsedWorld(code = CODE): Promise<CodeWorld> {
  const world = createCodeWorld();
  if (code !== CODE) world.addCode(code, 2);
  expect((await world.apply('customer', code)).refusals).toEqual([]);
  await world.charge();
  return world;
}

/** Applies the code and returns the refusals: an empty list when the code is in force. */
const refusalsOf = async (world: CodeWorld, as: Acting, code = CODE) =>
  (await world.apply(as, code)).refusals;

describe('a code for two payments that was used for one', () => {
  test.each(CUSTOMERS)('is refused to a %s who took it off and applies it again', async (as) => {
    const world = await createUsedWorld();
    expect((await world.remove(as)).refusals).toEqual([]);
    expect(world.discounts()).toEqual([]);
    // Both orders belong to the same customer.
    for (const again of CUSTOMERS) {
      const { refusals, sent, payload } = await world.apply(again);
      expect(refusals).toMatchObject([ALREADY_USED]);
      expect(payload.userErrors).toMatchObject([
        {
          field: ['redeemCode'],
          message:
            'This discount code was already used for this subscription and then removed. Only the store can apply it again.',
        },
      ]);
      expect(sent.flat()).not.toContain('subscriptionDraftCommit');
    }
    expect(world.discounts()).toEqual([]);
  });

  test('stays refused after the store applied it again and the customer removed it before the next payment', async () => {
    const world = await createUsedWorld();
    await world.remove('customer');
    expect(await refusalsOf(world, 'store')).toEqual([]);
    expect(world.discounts()).toMatchObject([{ redeemCode: CODE, usageCount: 0 }]);
    await world.remove('customer');
    expect(await refusalsOf(world, 'customer')).toMatchObject([ALREADY_USED]);
  });

  test('is not refused on another subscription, nor is another code on this one', async () => {
    const world = await createUsedWorld();
    await world.remove('customer');
    expect(await refusalsOf(world, 'customer', 'WELCOME10')).toEqual([]);
    const [other] = [...world.platform.store().contracts.values()].filter(
      ({ id, content }) => id !== WEEKLY && content.customerId === world.contract(WEEKLY).content.customerId,
    );
    const variables = { contractId: gid('SubscriptionContract', other?.id ?? 0), code: CODE };
    const applied = await world.run({ as: 'customer', query: APPLY, variables, table: world.table });
    expect([applied.code, applied.refusals]).toEqual([undefined, []]);
  });

  test.each([
    ['TWICE20', ' twice20 '],
    ['STRASSE20', 'straße20'],
    ['KISS20', '\u212AI\u017Fs20'],
    ['ÉTÉ20', 'e\u0301te\u030120'],
  ])('%s is refused when it is typed as %j', async (code, typed) => {
    const world = await createUsedWorld(code);
    await world.remove('customer');
    expect(await refusalsOf(world, 'customer', typed)).not.toEqual([]);
    expect(world.discounts()).toEqual([]);
  });

  test('is refused when the response to the commit of the removal was lost', async () => {
    const world = await createUsedWorld();
    world.fail({ kind: 'lost after', at: 'subscriptionDraftCommit' });
    expect((await world.remove('customer')).refusals).toEqual([]);
    expect(await refusalsOf(world, 'customer')).toMatchObject([ALREADY_USED]);
  });

  test('stays on the subscription when the removal breaks off before the commit, and counts on', async () => {
    const world = await createUsedWorld();
    world.fail({ kind: 'lost before', at: 'subscriptionDraftDiscountRemove' });
    expect(await world.remove('customer')).toMatchObject({ code: 'PLATFORM_UNAVAILABLE' });
    expect(await refusalsOf(world, 'customer')).toEqual([]);
    expect(world.discounts()).toMatchObject([{ redeemCode: CODE, usageCount: 1 }]);
  });

  test('is not removed while the service cannot record that it was used', async () => {
    const world = await createUsedWorld();
    const put: typeof world.table.put = async (item, condition) => {
      if (item.sk.startsWith('~code#')) throw new ServiceError('TEMPORARILY_UNAVAILABLE');
      return world.table.put(item, condition);
    };
    const outcome = await world.remove('customer', { ...world.table, put });
    expect(outcome).toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
    expect(outcome.sent.flat()).not.toContain('subscriptionDraftCommit');
    expect(world.discounts()).toHaveLength(1);
  });

  test('is never applied anew by removals and applications at the same time', async () => {
    const world = await createUsedWorld();
    const both = [world.remove('customer'), world.remove('customer'), world.remove('store for a customer')];
    await Promise.all([...both, ...CUSTOMERS.map((as) => world.apply(as))]);
    await Promise.all(CUSTOMERS.map((as) => world.apply(as)));
    const left = world.discounts().filter(({ usageCount }) => usageCount === 0);
    expect(left).toEqual([]);
    expect(await refusalsOf(world, 'customer')).toMatchObject(
      world.discounts().length === 0 ? [ALREADY_USED] : [],
    );
  });
});

test('a code that a payment under way may be using counts as used when the customer takes it off', async () => {
  const world = createCodeWorld();
  await world.apply('customer');
  world.platform.store().chargeDelaySeconds = 300;
  await world.startCharge();
  await world.remove('customer');
  expect(await refusalsOf(world, 'customer')).toMatchObject([ALREADY_USED]);
  world.platform.holder.nowMs += 6 * MINUTE_MS;
  expect(await refusalsOf(world, 'customer')).toMatchObject([ALREADY_USED]);
});

describe('a code that was taken off can be applied again', () => {
  test('by the customer when the payment under way has failed, and not before', async () => {
    const world = createCodeWorld();
    const { store, holder } = world.platform;
    await world.apply('customer');
    store().chargeDelaySeconds = 300;
    for (const { instrument } of store().paymentMethods.values()) instrument.declines = 'INSUFFICIENT_FUNDS';
    await world.startCharge();
    await world.remove('customer');
    expect(await refusalsOf(world, 'customer')).toMatchObject([ALREADY_USED]);
    holder.nowMs += 6 * MINUTE_MS;
    expect(await refusalsOf(world, 'customer')).toEqual([]);
    expect(world.discounts()).toMatchObject([{ redeemCode: CODE, usageCount: 0 }]);
  });

  test.each(CUSTOMERS)('by a %s when no payment has used it', async (as) => {
    const world = createCodeWorld();
    for (let time = 0; time < 3; time++) {
      expect(await refusalsOf(world, as)).toEqual([]);
      await world.remove(as);
    }
    expect(world.discounts()).toEqual([]);
  });

  test('by the customer when it is for all payments', async () => {
    const world = createCodeWorld();
    world.addCode('ALWAYS20');
    await world.apply('customer', 'ALWAYS20');
    await world.charge();
    await world.remove('customer');
    expect(await refusalsOf(world, 'customer', 'ALWAYS20')).toEqual([]);
  });

  test('by the customer when the store took it off, and by the store in any case', async () => {
    const byStore = await createUsedWorld();
    await byStore.remove('store');
    expect(await refusalsOf(byStore, 'customer')).toEqual([]);
    const byCustomer = await createUsedWorld();
    await byCustomer.remove('customer');
    expect(await refusalsOf(byCustomer, 'store')).toEqual([]);
    // A code that the store applied is there for the customer, too.
    expect(await refusalsOf(byCustomer, 'customer')).toEqual([]);
  });
});
