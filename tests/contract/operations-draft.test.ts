/** The operations that are one draft: lines, payment method, discounts, note. */

import type { ContractRecord, DiscountRecord } from '../../infra/local/platform/state/contract-records.ts';
import { linesCase } from './lines-operation.ts';
import { describeOperation } from './operation-cases.ts';
import { gid } from './operation-world.ts';

const ERRORS = 'userErrors { field message code }';

describeOperation('subscriptionContractNoteUpdate', {
  query: `mutation ($contractId: ID!, $note: String, $attributes: [AttributeInput!]) {
    subscriptionContractNoteUpdate(contractId: $contractId, note: $note, customAttributes: $attributes) {
      contract { note customAttributes { key value } } ${ERRORS}
    }
  }`,
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

const SECOND_CARD = 'a5ca1ab1e0ddba11';
const cardOf = ({ content }: ContractRecord) => content.paymentMethodId;

describeOperation('subscriptionContractPaymentMethodUpdate', {
  query: `mutation ($contractId: ID!, $method: ID!) {
    subscriptionContractPaymentMethodUpdate(contractId: $contractId, paymentMethodId: $method) {
      contract { customerPaymentMethod { id } } ${ERRORS}
    }
  }`,
  prepare({ platform }, contract) {
    const { paymentMethods } = platform.store();
    const first = paymentMethods.get(cardOf(contract) ?? '');
    if (first === undefined) throw new Error('The contract has no card.');
    paymentMethods.set(SECOND_CARD, { ...first, id: SECOND_CARD });
  },
  variables: () => ({ method: gid('CustomerPaymentMethod', SECOND_CARD) }),
  contractArgument: 'contractId',
  fact: cardOf,
  after: SECOND_CARD,
  payload: { contract: { customerPaymentMethod: { id: gid('CustomerPaymentMethod', SECOND_CARD) } } },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 4, repeat: 2 },
  action: 'subscription_payment_method_updated',
});

describeOperation('subscriptionContractDiscountCodeApply', {
  query: `mutation ($contractId: ID!, $code: String!) {
    subscriptionContractDiscountCodeApply(contractId: $contractId, redeemCode: $code) {
      contract {
        discounts(first: 5) { nodes { title } }
        lines(first: 5) { nodes { currentPrice { amount } lineDiscountedPrice { amount } } }
      }
      ${ERRORS}
    }
  }`,
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
