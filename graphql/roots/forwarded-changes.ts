/**
 * The mutations that are only forwarded and change contracts: what of the contract is read before, and how the
 * timeline tells the change. Steps of a draft change nothing; its commit does.
 */

import { parseInstant } from '../../lib/domain/instant.ts';
import { message } from '../../lib/messages/message.ts';
import type { EventAction } from '../../lib/timeline/actions.ts';
import type { ChangeIntent } from '../../lib/timeline/begin-change.ts';
import { type ChangedFact, factOf } from '../../lib/timeline/changed-fact.ts';
import { changesBetween, contentText } from '../../lib/timeline/settle/contract-content.ts';
import type {
  ForwardedChange,
  SeenContract,
  SeenCycle,
  SeenDraft,
  SeenOwner,
} from '../compile/forwarded-change.ts';

const MOST_CONTRACTS = 25;
const TERMINATED = new Set(['CANCELLED', 'EXPIRED']);

const forwardedChanges: Readonly<Record<string, ForwardedChange>> = {
  customerAddressUpdate: {
    reads: 'customer',
    id: ({ customerId }) => customerId,
    address: ({ addressId }) => addressId,
    tell: ({ subject }) => {
      const contracts = contractsOf(subject).filter(({ status }) => !TERMINATED.has(status));
      const changes = [{ coordinate: 'Customer.addressesV2', field: 'addresses', before: null, after: null }];
      return contracts
        .slice(0, MOST_CONTRACTS)
        .map(({ id }) => told('customer_address_updated', id, { changes }));
    },
  },
  customerPaymentMethodRevoke: {
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    tell: ({ subject }, { customerPaymentMethodId }) => {
      const changes = [
        factOf('customerPaymentMethod', { before: tailOf(customerPaymentMethodId), after: null }),
      ];
      return contractsOf(subject)
        .slice(0, MOST_CONTRACTS)
        .map(({ id }) => told('payment_method_removed', id, { changes }));
    },
  },
  customerPaymentMethodSendUpdateEmail: {
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    cooldown: {
      minutes: 5,
      field: 'customerPaymentMethodId',
      told: (minutes) => message('paymentEmailSent', { minutes }),
    },
    tell: ({ subject }) =>
      contractsOf(subject)
        .slice(0, MOST_CONTRACTS)
        .map(({ id }) => told('payment_method_update_email_sent', id)),
  },
  subscriptionBillingAttemptCreate: {
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    cycle: ({ subscriptionContractId: contractId, subscriptionBillingAttemptInput: input }) =>
      input.billingCycleSelector && { contractId, selector: input.billingCycleSelector },
    makesAttempt: true,
    tell: ({ subject, cycle }, { subscriptionBillingAttemptInput: { idempotencyKey } }) =>
      onContract(subject, 'billing_cycle_charged', { details: { ...detailsOf(cycle), idempotencyKey } }),
  },
  subscriptionBillingCycleBulkCharge: {
    reads: 'nothing',
    makesJob: true,
    tell: (_seen, { billingAttemptExpectedDateRange: { startDate, endDate } }) => [
      told('billing_cycles_charged', null, { details: { startDate, endDate } }),
    ],
  },
  subscriptionBillingCycleContractDraftCommit: {
    reads: 'draft',
    id: ({ draftId }) => draftId,
    tell: ({ subject }) => {
      const draft = subject as SeenDraft | null;
      const details = draft?.billingCycle ? { billingCycleIndex: draft.billingCycle.cycleIndex } : {};
      return onContract(draft?.originalContract ?? null, 'billing_cycle_edited', { details });
    },
  },
  subscriptionBillingCycleEditDelete: {
    reads: 'contract',
    id: ({ billingCycleInput }) => billingCycleInput.contractId,
    cycle: ({ billingCycleInput }) => billingCycleInput,
    tell: ({ subject, cycle }) =>
      onContract(subject, 'billing_cycle_edits_deleted', { details: detailsOf(cycle) }),
  },
  subscriptionBillingCycleEditsDelete: {
    reads: 'contract',
    id: ({ contractId }) => contractId,
    tell: ({ subject }) => onContract(subject, 'billing_cycle_edits_deleted'),
  },
  subscriptionBillingCycleScheduleEdit: {
    reads: 'contract',
    id: ({ billingCycleInput }) => billingCycleInput.contractId,
    cycle: ({ billingCycleInput }) => billingCycleInput,
    tell: ({ subject, cycle }, { input }) => tellScheduleEdit(subject, cycle, input),
  },
  subscriptionBillingCycleUnskip: {
    reads: 'contract',
    id: ({ billingCycleInput }) => billingCycleInput.contractId,
    cycle: ({ billingCycleInput }) => billingCycleInput,
    tell: ({ subject, cycle }) => tellScheduleEdit(subject, cycle, { skip: false }),
  },
  subscriptionContractAtomicCreate: {
    reads: 'nothing',
    makesContract: true,
    tell: () => [told('subscription_created', null)],
  },
  subscriptionContractExpire: statusChange('subscription_expired', 'EXPIRED'),
  subscriptionContractFail: statusChange('subscription_failed', 'FAILED'),
  subscriptionContractProductChange: {
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    tell: ({ subject }, { lineId, input }) => {
      const { productVariantId, currentPrice } = input as Record<string, string | null | undefined>;
      const line = `lines.${tailOf(lineId)}`;
      const contract = subject as SeenContract | null;
      const currency = contract?.deliveryPrice?.currencyCode;
      const changes = [
        ...(productVariantId ? facts(contract, `${line}.variantId`, tailOf(productVariantId)) : []),
        ...(currentPrice
          ? facts(contract, `${line}.currentPrice`, `${Number(currentPrice)} ${currency}`)
          : []),
      ];
      return changes.length === 0 ? [] : onContract(subject, 'subscription_lines_updated', { changes });
    },
  },
  subscriptionContractSetNextBillingDate: {
    reads: 'contract',
    id: ({ contractId }) => contractId,
    tell: ({ subject }, { date }) => {
      const changes = facts(subject as SeenContract | null, 'nextBillingDate', date);
      const details = { nextBillingDate: date };
      const isRepeat = changes.every(
        ({ before }) => before !== null && parseInstant(before) === parseInstant(date),
      );
      return isRepeat
        ? []
        : onContract(subject, 'subscription_next_billing_date_updated', { details, changes });
    },
  },
  subscriptionDraftCommit: {
    reads: 'draft',
    id: ({ draftId }) => draftId,
    makesContract: true,
    tell: ({ subject }) => {
      const draft = subject as SeenDraft | null;
      if (draft === null) return [];
      const { originalContract } = draft;
      if (originalContract === null) return [told('subscription_created', null)];
      // A draft whose status is null does not change it.
      const after = { ...draft, status: draft.status ?? originalContract.status };
      const changes = changesBetween(originalContract, after);
      return onContract(originalContract, 'subscription_updated', { changes });
    },
  },
};

/** The change that the mutation of that name makes; undefined: it changes no contract. */
export function forwardedChange(name: string): ForwardedChange | undefined {
  return Object.hasOwn(forwardedChanges, name) ? forwardedChanges[name] : undefined;
}

type More = Partial<Pick<ChangeIntent, 'details' | 'changes'>>;

function told(action: EventAction, contractId: string | null, more: More = {}): ChangeIntent {
  return { action, contractId, details: {}, changes: [], ...more };
}

function onContract(contract: unknown, action: EventAction, more: More = {}): ChangeIntent[] {
  return contract === null ? [] : [told(action, (contract as SeenContract).id, more)];
}

function statusChange(action: EventAction, after: string): ForwardedChange {
  return {
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    tell: ({ subject }) => {
      const changes = facts(subject as SeenContract | null, 'status', after);
      return changes.length === 0 ? [] : onContract(subject, action, { changes });
    },
  };
}

type ScheduleEdit = { readonly skip?: boolean | null; readonly billingDate?: string | null };

function tellScheduleEdit(
  contract: unknown,
  cycle: SeenCycle | null,
  { skip, billingDate }: ScheduleEdit,
): ChangeIntent[] {
  if (cycle === null) return [];
  const { cycleIndex, skipped, billingAttemptExpectedDate: date } = cycle;
  const fact = (name: string, before: string, after: string) =>
    factOf(`billingCycles.${cycleIndex}.${name}`, { before, after });
  const isMoved = billingDate != null && parseInstant(billingDate) !== parseInstant(date);
  const isSkipChanged = skip != null && skip !== skipped;
  if (!isMoved && !isSkipChanged) return [];
  const changes = [
    ...(isMoved ? [fact('billingAttemptExpectedDate', date, billingDate)] : []),
    ...(isSkipChanged ? [fact('skipped', String(skipped), String(skip))] : []),
  ];
  const details = { ...detailsOf(cycle), ...(isMoved && { billingDate }) };
  const skips = skip ? 'billing_cycle_skipped' : 'billing_cycle_unskipped';
  return onContract(contract, isMoved ? 'billing_cycle_rescheduled' : skips, { details, changes });
}

function detailsOf(cycle: SeenCycle | null): ChangeIntent['details'] {
  if (cycle === null) return {};
  return { billingCycleIndex: cycle.cycleIndex, expectedDate: cycle.billingAttemptExpectedDate };
}

/** The fact that changes; none if it is so already. */
function facts(contract: SeenContract | null, field: string, after: string): ChangedFact[] {
  const before = contract === null ? null : (contentText(contract, field) ?? null);
  return before === after ? [] : [factOf(field, { before, after })];
}

function contractsOf(owner: unknown) {
  return (owner as SeenOwner | null)?.subscriptionContracts.nodes ?? [];
}

function tailOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
