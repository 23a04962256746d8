/** The mutations of what a contract contains: lines, interval, delivery, discounts, payment method, note; and drafts. */
import { listContentChanges } from '../../lib/timeline/settle/contract-content.ts';
import type { ObservedContract, ObservedDraft } from '../plan/forwarded-change.ts';
import {
  createContractIntent,
  createForwardedMutation,
  createIntent,
  listFactChange,
  parseGidTail,
} from './forwarded-mutation.ts';
import { createServiceMutation } from './service-mutation.ts';

const CONTRACT_OBJECTS = ['contract'];

export const CONTRACT_CONTENT_MUTATIONS = [
  createServiceMutation({
    name: 'subscriptionContractDeliveryUpdate',
    objectFields: CONTRACT_OBJECTS,
    operation: async () =>
      (await import('../../lib/subscriptions/delivery/change-delivery.ts')).changeDelivery,
  }),
  createServiceMutation({
    name: 'subscriptionContractDiscountCodeApply',
    objectFields: CONTRACT_OBJECTS,
    operation: async () =>
      (await import('../../lib/subscriptions/details/apply-discount-code.ts')).applyDiscountCode,
  }),
  createServiceMutation({
    name: 'subscriptionContractDiscountRemove',
    objectFields: CONTRACT_OBJECTS,
    operation: async () =>
      (await import('../../lib/subscriptions/details/remove-discount.ts')).removeDiscount,
  }),
  createServiceMutation({
    name: 'subscriptionContractIntervalUpdate',
    objectFields: CONTRACT_OBJECTS,
    points: 300,
    operation: async () =>
      (await import('../../lib/subscriptions/interval/change-interval.ts')).changeInterval,
  }),
  createServiceMutation({
    name: 'subscriptionContractLinesUpdate',
    objectFields: CONTRACT_OBJECTS,
    operation: async () => (await import('../../lib/subscriptions/lines/update-lines.ts')).updateLines,
  }),
  createServiceMutation({
    name: 'subscriptionContractNoteUpdate',
    objectFields: CONTRACT_OBJECTS,
    operation: async () => (await import('../../lib/subscriptions/details/update-note.ts')).updateNote,
  }),
  createServiceMutation({
    name: 'subscriptionContractPaymentMethodUpdate',
    objectFields: CONTRACT_OBJECTS,
    operation: async () =>
      (await import('../../lib/subscriptions/details/update-payment-method.ts')).updatePaymentMethod,
  }),
  createForwardedMutation({
    name: 'subscriptionContractAtomicCreate',
    objectFields: CONTRACT_OBJECTS,
    reads: 'nothing',
    makesContract: true,
    intentsOf: () => [createIntent('subscription_created', null)],
  }),
  createForwardedMutation({
    name: 'subscriptionContractProductChange',
    refusesKey: 'the line that it answers cannot be read by itself',
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    intentsOf: ({ subject }, { lineId, input }) => {
      const { productVariantId, currentPrice } = input as Record<string, string | null | undefined>;
      const lineField = `lines.${parseGidTail(lineId)}`;
      const contract = subject as ObservedContract | null;
      const currency = contract?.deliveryPrice?.currencyCode;
      const lineChanges = [
        ...(productVariantId
          ? listFactChange(contract, `${lineField}.variantId`, parseGidTail(productVariantId))
          : []),
        ...(currentPrice
          ? listFactChange(contract, `${lineField}.currentPrice`, `${Number(currentPrice)} ${currency}`)
          : []),
      ];
      return lineChanges.length === 0
        ? []
        : createContractIntent(subject, 'subscription_lines_updated', { changes: lineChanges });
    },
  }),
  // Only the commit of a draft changes the contract, so the other steps are not recorded.
  createForwardedMutation({
    name: 'subscriptionDraftCommit',
    objectFields: CONTRACT_OBJECTS,
    reads: 'draft',
    id: ({ draftId }) => draftId,
    makesContract: true,
    intentsOf: ({ subject }) => {
      const observedDraft = subject as ObservedDraft | null;
      if (observedDraft === null) return [];
      const { originalContract } = observedDraft;
      if (originalContract === null) return [createIntent('subscription_created', null)];
      // A draft whose status is null does not change it.
      const contractAfter = { ...observedDraft, status: observedDraft.status ?? originalContract.status };
      const contentChanges = listContentChanges(originalContract, contractAfter);
      return createContractIntent(originalContract, 'subscription_updated', { changes: contentChanges });
    },
  }),
];
