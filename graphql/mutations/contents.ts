/** The mutations of what a contract contains: lines, interval, delivery, discounts, payment method, note; and drafts. */
import { changesBetween } from '../../lib/timeline/settle/contract-content.ts';
import type { ObservedContract, ObservedDraft } from '../plan/forwarded-change.ts';
import { factsOf, forwardedMutation, intentOf, onContract, tailOf } from './forwarded-mutation.ts';
import { serviceMutation } from './service-mutation.ts';

const objects = ['contract'];

export const contents = [
  serviceMutation({
    name: 'subscriptionContractDeliveryUpdate',
    objects,
    operation: async () =>
      (await import('../../lib/subscriptions/delivery/change-delivery.ts')).changeDelivery,
  }),
  serviceMutation({
    name: 'subscriptionContractDiscountCodeApply',
    objects,
    operation: async () =>
      (await import('../../lib/subscriptions/details/apply-discount-code.ts')).applyDiscountCode,
  }),
  serviceMutation({
    name: 'subscriptionContractDiscountRemove',
    objects,
    operation: async () =>
      (await import('../../lib/subscriptions/details/remove-discount.ts')).removeDiscount,
  }),
  serviceMutation({
    name: 'subscriptionContractIntervalUpdate',
    objects,
    points: 300,
    operation: async () =>
      (await import('../../lib/subscriptions/interval/change-interval.ts')).changeInterval,
  }),
  serviceMutation({
    name: 'subscriptionContractLinesUpdate',
    objects,
    operation: async () => (await import('../../lib/subscriptions/lines/update-lines.ts')).updateLines,
  }),
  serviceMutation({
    name: 'subscriptionContractNoteUpdate',
    objects,
    operation: async () => (await import('../../lib/subscriptions/details/update-note.ts')).updateNote,
  }),
  serviceMutation({
    name: 'subscriptionContractPaymentMethodUpdate',
    objects,
    operation: async () =>
      (await import('../../lib/subscriptions/details/update-payment-method.ts')).updatePaymentMethod,
  }),
  forwardedMutation({
    name: 'subscriptionContractAtomicCreate',
    objects,
    reads: 'nothing',
    makesContract: true,
    intentsOf: () => [intentOf('subscription_created', null)],
  }),
  forwardedMutation({
    name: 'subscriptionContractProductChange',
    refusesKey: 'the line that it answers cannot be read by itself',
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    intentsOf: ({ subject }, { lineId, input }) => {
      const { productVariantId, currentPrice } = input as Record<string, string | null | undefined>;
      const line = `lines.${tailOf(lineId)}`;
      const contract = subject as ObservedContract | null;
      const currency = contract?.deliveryPrice?.currencyCode;
      const changes = [
        ...(productVariantId ? factsOf(contract, `${line}.variantId`, tailOf(productVariantId)) : []),
        ...(currentPrice
          ? factsOf(contract, `${line}.currentPrice`, `${Number(currentPrice)} ${currency}`)
          : []),
      ];
      return changes.length === 0 ? [] : onContract(subject, 'subscription_lines_updated', { changes });
    },
  }),
  // The other steps of a draft change nothing.
  forwardedMutation({
    name: 'subscriptionDraftCommit',
    objects,
    reads: 'draft',
    id: ({ draftId }) => draftId,
    makesContract: true,
    intentsOf: ({ subject }) => {
      const draft = subject as ObservedDraft | null;
      if (draft === null) return [];
      const { originalContract } = draft;
      if (originalContract === null) return [intentOf('subscription_created', null)];
      // A draft whose status is null does not change it.
      const after = { ...draft, status: draft.status ?? originalContract.status };
      const changes = changesBetween(originalContract, after);
      return onContract(originalContract, 'subscription_updated', { changes });
    },
  }),
];
