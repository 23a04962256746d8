/** The operations that are one draft: lines, payment method, discounts, note. */
import { describe, expect, test } from '@jest/globals';
import type { ContractRecord, DiscountRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import type { PaymentMethodRecord } from '../../../../sandbox/platform/state/customer-records.ts';
import { discountByHand } from '../../../contract/world/discount-by-hand.ts';
import { linesCase } from '../../../contract/world/lines-operation.ts';
import { describeOperation } from '../../../contract/world/operation-cases.ts';
import {
  type Acting,
  createOperationWorld,
  gid,
  type OperationWorld,
} from '../../../contract/world/operation-world.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const ERRORS = 'userErrors { field message code }';

const NOTE = `mutation ($contractId: ID!, $note: String, $attributes: [AttributeInput!]) {
  subscriptionContractNoteUpdate(contractId: $contractId, note: $note, customAttributes: $attributes) {
    contract { note customAttributes { key value } } ${ERRORS}
  }
}`;

describeOperation('subscriptionContractNoteUpdate', {
  query: NOTE,
  variables: () => ({ note: 'Ring twice', attributes: [{ key: 'door', value: 'blue' }] }),
  contractArgument: 'contractId',
  actors: ['store', 'store for a customer'],
  fact: ({ content }) => [content.note, content.customAttributes],
  after: ['Ring twice', [{ key: 'door', value: 'blue' }]],
  payload: { contract: { note: 'Ring twice', customAttributes: [{ key: 'door', value: 'blue' }] } },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, retry: 2 },
  action: 'subscription_note_updated',
});

const PAY = `mutation ($contractId: ID!, $method: ID!) {
  subscriptionContractPaymentMethodUpdate(contractId: $contractId, paymentMethodId: $method) {
    contract { customerPaymentMethod { id } } ${ERRORS}
  }
}`;
const SECOND_CARD = 'a5ca1ab1e0ddba11';
const cardOf = ({ content }: ContractRecord) => content.paymentMethodId;

/** A second card like the contract's own; `more` makes it another one. */
function addCard(
  { platform }: OperationWorld,
  contract: ContractRecord,
  more: Partial<PaymentMethodRecord> = {},
): void {
  const { paymentMethods } = platform.store();
  const first = paymentMethods.get(cardOf(contract) ?? '');
  if (first === undefined) throw new Error('The contract has no card.');
  paymentMethods.set(SECOND_CARD, { ...first, id: SECOND_CARD, ...more });
}

describeOperation('subscriptionContractPaymentMethodUpdate', {
  query: PAY,
  prepare: (world, contract) => void addCard(world, contract),
  variables: () => ({ method: gid('CustomerPaymentMethod', SECOND_CARD) }),
  contractArgument: 'contractId',
  fact: cardOf,
  after: SECOND_CARD,
  payload: { contract: { customerPaymentMethod: { id: gid('CustomerPaymentMethod', SECOND_CARD) } } },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, retry: 2 },
  action: 'subscription_payment_method_updated',
});

const APPLY = `mutation ($contractId: ID!, $code: String!) {
  subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: $code) {
    contract {
      discounts(first: 5) { nodes { title } }
      lines(first: 5) { nodes { currentPrice { amount } lineDiscountedPrice { amount } } }
    }
    ${ERRORS}
  }
}`;

describeOperation('subscriptionContractDiscountCodeApply', {
  query: APPLY,
  variables: () => ({ code: 'welcome10' }),
  contractArgument: 'contractId',
  fact: ({ content }) => content.discounts.map(({ redeemCode }) => redeemCode),
  after: ['WELCOME10'],
  payload: {
    contract: {
      discounts: { nodes: [{ title: 'WELCOME10' }] },
      // The prices of the next order.
      lines: { nodes: [{ currentPrice: { amount: '11.9' }, lineDiscountedPrice: { amount: '10.71' } }] },
    },
  },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, retry: 2 },
  action: 'subscription_discount_applied',
  table: createMemoryTable,
});

const GOODWILL: DiscountRecord = {
  id: '0f0f0f0f-0000-4000-a000-00000000000d',
  title: 'Sorry for the delay',
  type: 'MANUAL',
  targetType: 'LINE_ITEM',
  value: { percentage: 50 },
  lineIds: null,
  recurringCycleLimit: null,
  usageCount: 0,
  redeemCode: null,
  rejectionReason: null,
};

describeOperation('subscriptionContractDiscountRemove', {
  query: `mutation ($contractId: ID!, $discount: ID!) {
    subscriptionContractDiscountRemove(contractId: $contractId, discountId: $discount) {
      contract { discounts(first: 5) { nodes { id } } lines(first: 5) { nodes { lineDiscountedPrice { amount } } } }
      ${ERRORS}
    }
  }`,
  prepare: (_world, { content }) => void content.discounts.push(structuredClone(GOODWILL)),
  variables: () => ({ discount: gid('SubscriptionManualDiscount', GOODWILL.id) }),
  contractArgument: 'contractId',
  fact: ({ content }) => content.discounts.length,
  after: 0,
  payload: {
    contract: {
      discounts: { nodes: [] },
      lines: { nodes: [{ lineDiscountedPrice: { amount: '11.9' } }] },
    },
  },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, retry: 1 },
  action: 'subscription_discount_removed',
  retryCode: 'INVALID',
});

describeOperation('subscriptionContractLinesUpdate', linesCase);

const WEEKLY = 9_101_001;
const BEN = 7_001_002;
const contractId = gid('SubscriptionContract', WEEKLY);

describe('a payment method', () => {
  test('records no previous payment method when that one was revoked', async () => {
    const world = createOperationWorld();
    const contract = world.contract(WEEKLY);
    addCard(world, contract);
    const first = world.platform.store().paymentMethods.get(cardOf(contract) ?? '');
    if (first !== undefined) first.revokedAt = '2026-11-20T00:00:00Z';
    const variables = { contractId, method: gid('CustomerPaymentMethod', SECOND_CARD) };
    const { recorded } = await world.run({ as: 'customer', query: PAY, variables });
    expect(recorded).toMatchObject([{ changes: [{ before: null, after: SECOND_CARD }] }]);
  });

  const pay = (as: 'customer' | 'store', more?: Partial<PaymentMethodRecord>) => {
    const world = createOperationWorld();
    if (more !== undefined) addCard(world, world.contract(WEEKLY), more);
    const variables = { contractId, method: gid('CustomerPaymentMethod', SECOND_CARD) };
    return world.run({ as, query: PAY, variables });
  };

  test('returns the same error for the payment method of another customer as for an absent one', async () => {
    const [foreign, absent] = [await pay('customer', { customerId: BEN }), await pay('customer')];
    expect(foreign).toEqual(absent);
    expect(foreign).toMatchObject({ code: 'FORBIDDEN', payload: null, recorded: [] });
  });

  test.each([
    ['absent', undefined, 'was not found'],
    ["another customer's", { customerId: BEN }, 'belongs to another customer'],
    ['revoked', { revokedAt: '2026-11-01T00:00:00Z' }, 'revoked'],
  ])('returns the reason to the store when the payment method is %s', async (_name, more, message) => {
    const { payload, recorded } = await pay('store', more);
    expect(payload.userErrors).toEqual([
      { field: ['paymentMethodId'], code: 'INVALID', message: expect.stringContaining(message) },
    ]);
    expect(recorded).toEqual([]);
  });
});

test('accepts another card for a contract whose payments failed', async () => {
  const world = createOperationWorld();
  const contract = world.contract(WEEKLY);
  addCard(world, contract);
  contract.content.status = 'FAILED';
  const variables = { contractId, method: gid('CustomerPaymentMethod', SECOND_CARD) };
  const { payload } = await world.run({ as: 'customer', query: PAY, variables });
  expect(payload.userErrors).toEqual([]);
  expect(cardOf(contract)).toBe(SECOND_CARD);
});

describe('a discount code that does not count', () => {
  test.each([
    ['SPRING20', 'not active'],
    ['GONE50', 'reached its usage limit'],
    ['NEVERHEARD', 'was not found'],
  ])('%s is refused with its reason and never reaches the contract', async (code, message) => {
    const world = createOperationWorld();
    const content = structuredClone(world.contract(WEEKLY));
    const { payload, sent, recorded } = await world.run({
      as: 'customer',
      query: APPLY,
      variables: { contractId, code },
      table: createMemoryTable(),
    });
    expect(payload.userErrors).toEqual([
      { field: ['redeemCode'], code: 'DISCOUNT_REJECTED', message: expect.stringContaining(message) },
    ]);
    expect(sent.flat()).not.toContain('subscriptionDraftCommit');
    expect(world.contract(WEEKLY)).toEqual(content);
    expect(recorded.map(({ outcome }) => outcome)).toEqual(['not done']);
  });

  test('rejects an empty code before a draft is opened', async () => {
    const variables = { contractId, code: ' ' };
    const { payload, sent } = await createOperationWorld().run({ as: 'customer', query: APPLY, variables });
    expect(payload.userErrors).toMatchObject([{ field: ['redeemCode'], code: 'INVALID' }]);
    expect(sent).toHaveLength(1);
  });
});

const MAX_WRONG = 10;
const RIGHT = 'WELCOME10';
const REMOVE = `mutation ($contractId: ID!, $discount: ID!) {
  subscriptionContractDiscountRemove(contractId: $contractId, discountId: $discount) { ${ERRORS} }
}`;

/** Codes are tried in one store and table. */
function createCodeWorld() {
  const world = createOperationWorld();
  const table = createMemoryTable();
  const now = () => world.platform.holder.nowMs;
  const run = (as: Acting, query: string, variables: object) =>
    world.run({ as, query, variables: { contractId, ...variables }, table, now });
  return {
    ...world,
    try: (code: string, as: Acting = 'customer') => run(as, APPLY, { code }),
    async tryWrong(times: number, as: Acting = 'customer'): Promise<void> {
      for (let time = 0; time < times; time++) await run(as, APPLY, { code: `GUESS${time}` });
    },
    applied: () => world.contract(WEEKLY).content.discounts.map(({ redeemCode }) => redeemCode),
    removeAll: async () => {
      for (const { id } of world.contract(WEEKLY).content.discounts)
        await run('customer', REMOVE, { discount: gid('SubscriptionAppliedCodeDiscount', id) });
    },
    pass: (minutes: number) => {
      world.platform.holder.nowMs += minutes * 60_000;
    },
  };
}
const tooMany = (minutes: string) => [
  {
    field: ['redeemCode'],
    code: 'INVALID',
    message: `Too many invalid discount codes were entered. Try again in ${minutes}.`,
  },
];

describe('discount codes are not guessed', () => {
  test.each<Acting>(['customer', 'store for a customer'])(
    'refuses a %s every code after ten wrong ones until the hour is over',
    async (as) => {
      const world = createCodeWorld();
      await world.tryWrong(MAX_WRONG - 1, as);
      world.pass(20);
      expect((await world.try('NEVERHEARD', as)).payload.userErrors).toMatchObject([
        { code: 'DISCOUNT_REJECTED' },
      ]);
      for (const code of ['NEVERHEARD', RIGHT]) {
        const { payload, sent, recorded } = await world.try(code, as);
        expect([payload.userErrors, sent.length, recorded]).toEqual([tooMany('40 minutes'), 1, []]);
      }
      // In either way a customer comes, they are the same customer's.
      const other = as === 'customer' ? 'store for a customer' : 'customer';
      expect((await world.try(RIGHT, other)).payload.userErrors).toEqual(tooMany('40 minutes'));
      world.pass(40);
      expect((await world.try(RIGHT, as)).payload.userErrors).toEqual([]);
      expect(world.applied()).toEqual([RIGHT]);
    },
  );

  test('checks only ten of sixty concurrent codes', async () => {
    const world = createCodeWorld();
    const guesses = Array.from({ length: 60 }, (_, guess) => world.try(`GUESS${guess}`));
    const outcomes = await Promise.all(guesses);
    const rejected = outcomes.filter(({ payload }) => payload?.userErrors[0].code === 'DISCOUNT_REJECTED');
    expect(rejected.length).toBeLessThanOrEqual(MAX_WRONG);
    expect(rejected.length).toBeGreaterThan(0);
    await world.tryWrong(MAX_WRONG - rejected.length);
    expect((await world.try(RIGHT)).payload.userErrors).toEqual(tooMany('60 minutes'));
  });

  test('does not count right codes, applied ones, and those that could not be tried', async () => {
    const world = createCodeWorld();
    await world.tryWrong(MAX_WRONG - 1);
    for (let time = 0; time < 2; time++) {
      expect((await world.try(RIGHT)).payload.userErrors).toEqual([]);
      expect((await world.try(RIGHT)).payload.userErrors).toEqual([]);
      await world.removeAll();
    }
    world.fail({ kind: 'lost before', at: 'subscriptionDraftDiscountCodeApply' });
    expect(await world.try(RIGHT)).toMatchObject({ code: 'PLATFORM_UNAVAILABLE' });
    world.fail({ kind: 'stale', at: 'subscriptionDraftCommit', times: 2 });
    expect((await world.try(RIGHT)).payload.userErrors).toEqual([]);
    await world.removeAll();
    // The customer's points come back.
    world.pass(0.5);
    // None of them has given back what a wrong one has taken.
    await world.tryWrong(1);
    expect((await world.try(RIGHT)).payload.userErrors).toEqual(tooMany('60 minutes'));
  });

  test('does not count right codes that this subscription does not take', async () => {
    const world = createCodeWorld();
    const discounts = () => world.contract(WEEKLY).content.discounts;
    const refusedWith = async (code: string) => {
      const { payload } = await world.try(code);
      world.pass(0.5);
      return payload.userErrors.map((error: { code: string }) => error.code);
    };
    expect(await refusedWith('TWICE20')).toEqual([]);
    for (const discount of discounts()) discount.usageCount = 1;
    await world.removeAll();
    discounts().push(discountByHand({ value: { amountMinor: 1100, appliesOnEachItem: false } }));
    for (let time = 0; time < MAX_WRONG; time++) {
      expect(await refusedWith('TWICE20')).toEqual(['DISCOUNT_REJECTED']);
      expect(await refusedWith(RIGHT)).toEqual(['GOODS_WITHOUT_PRICE']);
    }
    await world.tryWrong(MAX_WRONG - 1);
    expect(await refusedWith(RIGHT)).toEqual(['GOODS_WITHOUT_PRICE']);
    expect(await refusedWith('GUESS')).toEqual(['DISCOUNT_REJECTED']);
    expect(await refusedWith(RIGHT)).toEqual(['INVALID']);
  });

  test('does not limit a key in its own name or other customers', async () => {
    const world = createCodeWorld();
    await world.tryWrong(MAX_WRONG);
    await world.tryWrong(MAX_WRONG + 1, 'store');
    expect((await world.try(RIGHT, 'store')).payload.userErrors).toEqual([]);
  });
});

describe('a note', () => {
  test('keeps a note that is left out, and removes it for null', async () => {
    const world = createOperationWorld();
    const { content } = world.contract(WEEKLY);
    Object.assign(content, { note: 'Ring twice', customAttributes: [{ key: 'door', value: 'blue' }] });
    const noted = async (variables: object) => {
      const outcome = await world.run({ as: 'store', query: NOTE, variables: { contractId, ...variables } });
      return [outcome.payload.contract.note, outcome.payload.contract.customAttributes.length];
    };
    expect(await noted({})).toEqual(['Ring twice', 1]);
    expect(await noted({ attributes: [] })).toEqual(['Ring twice', 0]);
    expect(await noted({ note: null })).toEqual([null, 0]);
  });

  test('rejects a note that is too long for the platform', async () => {
    const variables = { contractId, note: 'x'.repeat(5001) };
    const { payload } = await createOperationWorld().run({ as: 'store', query: NOTE, variables });
    expect(payload.userErrors).toMatchObject([
      { field: ['note'], code: 'INVALID', message: expect.stringContaining('up to 5,000') },
    ]);
  });
});
