/** The operations that are one draft: lines, payment method, discounts, note. */
import { describe, expect, test } from '@jest/globals';
import type {
  ContractRecord,
  DiscountRecord,
} from '../../../infra/emulators/platform/state/contract-records.ts';
import type { PaymentMethodRecord } from '../../../infra/emulators/platform/state/customer-records.ts';
import { linesCase } from '../world/lines-operation.ts';
import { describeOperation } from '../world/operation-cases.ts';
import { createOperationWorld, gid, type OperationWorld } from '../world/operation-world.ts';

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
  requests: { change: 4, repeat: 2 },
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
  requests: { change: 4, repeat: 2 },
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
      // What the next order costs.
      lines: { nodes: [{ currentPrice: { amount: '11.9' }, lineDiscountedPrice: { amount: '10.71' } }] },
    },
  },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, repeat: 2 },
  action: 'subscription_discount_applied',
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
  requests: { change: 4, repeat: 1 },
  action: 'subscription_discount_removed',
  repeatCode: 'INVALID',
});

describeOperation('subscriptionContractLinesUpdate', linesCase);

const WEEKLY = 9_101_001;
const BEN = 7_001_002;
const contractId = gid('SubscriptionContract', WEEKLY);

describe('a payment method', () => {
  const pay = (as: 'customer' | 'store', more?: Partial<PaymentMethodRecord>) => {
    const world = createOperationWorld();
    if (more !== undefined) addCard(world, world.contract(WEEKLY), more);
    const variables = { contractId, method: gid('CustomerPaymentMethod', SECOND_CARD) };
    return world.run({ as, query: PAY, variables });
  };

  test('of another customer looks like one that is not there', async () => {
    const [foreign, absent] = [await pay('customer', { customerId: BEN }), await pay('customer')];
    expect(foreign).toEqual(absent);
    expect(foreign).toMatchObject({ code: 'FORBIDDEN', payload: null, recorded: [] });
  });

  test.each([
    ['absent', undefined, 'no such'],
    ["another customer's", { customerId: BEN }, 'customer’s'],
    ['revoked', { revokedAt: '2026-11-01T00:00:00Z' }, 'revoked'],
  ])('%s: the store hears why', async (_name, more, words) => {
    const { payload, recorded } = await pay('store', more);
    expect(payload.userErrors).toEqual([
      { field: ['paymentMethodId'], code: 'INVALID', message: expect.stringContaining(words) },
    ]);
    expect(recorded).toEqual([]);
  });
});

test('a contract whose payments failed takes another card', async () => {
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
    ['GONE50', 'as often as it allows'],
    ['NEVERHEARD', 'no such code'],
  ])('%s is refused with its reason and never reaches the contract', async (code, words) => {
    const world = createOperationWorld();
    const content = structuredClone(world.contract(WEEKLY));
    const { payload, sent, recorded } = await world.run({
      as: 'customer',
      query: APPLY,
      variables: { contractId, code },
    });
    expect(payload.userErrors).toEqual([
      { field: ['redeemCode'], code: 'DISCOUNT_REJECTED', message: expect.stringContaining(words) },
    ]);
    expect(sent.flat()).not.toContain('subscriptionDraftCommit');
    expect(world.contract(WEEKLY)).toEqual(content);
    expect(recorded.map(({ outcome }) => outcome)).toEqual(['not done']);
  });

  test('an empty one is refused before anything is opened', async () => {
    const variables = { contractId, code: ' ' };
    const { payload, sent } = await createOperationWorld().run({ as: 'customer', query: APPLY, variables });
    expect(payload.userErrors).toMatchObject([{ field: ['redeemCode'], code: 'INVALID' }]);
    expect(sent).toHaveLength(1);
  });
});

describe('a note', () => {
  test('what is left out stays; null takes the note away', async () => {
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

  test('too long for the platform, at the note', async () => {
    const variables = { contractId, note: 'x'.repeat(5001) };
    const { payload } = await createOperationWorld().run({ as: 'store', query: NOTE, variables });
    expect(payload.userErrors).toMatchObject([
      { field: ['note'], code: 'INVALID', message: expect.stringContaining('longer than 5,000') },
    ]);
  });
});
