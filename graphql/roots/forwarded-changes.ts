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
  ObservedContract,
  ObservedCycle,
  ObservedDraft,
  ObservedOwner,
} from '../plan/forwarded-change.ts';

const MAX_CONTRACTS = 25;
const TERMINATED = new Set(['CANCELLED', 'EXPIRED']);

const forwardedChanges: Readonly<Record<string, ForwardedChange>> = {
  customerAddressUpdate: {
    reads: 'customer',
    id: ({ customerId }) => customerId,
    address: ({ addressId }) => addressId,
    intentsOf: ({ subject }) => {
      const contracts = contractsOf(subject).filter(({ status }) => !TERMINATED.has(status));
      const changes = [{ coordinate: 'Customer.addressesV2', field: 'addresses', before: null, after: null }];
      return contracts
        .slice(0, MAX_CONTRACTS)
        .map(({ id }) => intentOf('customer_address_updated', id, { changes }));
    },
  },
  customerPaymentMethodRevoke: {
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    intentsOf: ({ subject }, { customerPaymentMethodId }) => {
      const changes = [
        factOf('customerPaymentMethod', { before: tailOf(customerPaymentMethodId), after: null }),
      ];
      return contractsOf(subject)
        .slice(0, MAX_CONTRACTS)
        .map(({ id }) => intentOf('payment_method_removed', id, { changes }));
    },
  },
  customerPaymentMethodSendUpdateEmail: {
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    cooldown: {
      minutes: 5,
      field: 'customerPaymentMethodId',
      message: (minutes) => message('paymentEmailSent', { minutes }),
    },
    intentsOf: ({ subject }) =>
      contractsOf(subject)
        .slice(0, MAX_CONTRACTS)
        .map(({ id }) => intentOf('payment_method_update_email_sent', id)),
  },
  subscriptionBillingAttemptCreate: {
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    cycle: ({ subscriptionContractId: contractId, subscriptionBillingAttemptInput: input }) =>
      input.billingCycleSelector && { contractId, selector: input.billingCycleSelector },
    makesAttempt: true,
    intentsOf: ({ subject, cycle }, { subscriptionBillingAttemptInput: { idempotencyKey } }) =>
      onContract(subject, 'billing_cycle_charged', { details: { ...detailsOf(cycle), idempotencyKey } }),
  },
  subscriptionBillingCycleBulkCharge: {
    reads: 'nothing',
    makesJob: true,
    intentsOf: (_seen, { billingAttemptExpectedDateRange: { startDate, endDate } }) => [
      intentOf('billing_cycles_charged', null, { details: { startDate, endDate } }),
    ],
  },
  subscriptionBillingCycleContractDraftCommit: {
    reads: 'draft',
    id: ({ draftId }) => draftId,
    intentsOf: ({ subject }) => {
      const draft = subject as ObservedDraft | null;
      const details = draft?.billingCycle ? { billingCycleIndex: draft.billingCycle.cycleIndex } : {};
      return onContract(draft?.originalContract ?? null, 'billing_cycle_edited', { details });
    },
  },
  subscriptionBillingCycleEditDelete: {
    reads: 'contract',
    id: ({ billingCycleInput }) => billingCycleInput.contractId,
    cycle: ({ billingCycleInput }) => billingCycleInput,
    intentsOf: ({ subject, cycle }) =>
      onContract(subject, 'billing_cycle_edits_deleted', { details: detailsOf(cycle) }),
  },
  subscriptionBillingCycleEditsDelete: {
    reads: 'contract',
    id: ({ contractId }) => contractId,
    intentsOf: ({ subject }) => onContract(subject, 'billing_cycle_edits_deleted'),
  },
  subscriptionBillingCycleScheduleEdit: {
    reads: 'contract',
    id: ({ billingCycleInput }) => billingCycleInput.contractId,
    cycle: ({ billingCycleInput }) => billingCycleInput,
    intentsOf: ({ subject, cycle }, { input }) => recordScheduleEdit(subject, cycle, input),
  },
  subscriptionBillingCycleUnskip: {
    reads: 'contract',
    id: ({ billingCycleInput }) => billingCycleInput.contractId,
    cycle: ({ billingCycleInput }) => billingCycleInput,
    intentsOf: ({ subject, cycle }) => recordScheduleEdit(subject, cycle, { skip: false }),
  },
  subscriptionContractAtomicCreate: {
    reads: 'nothing',
    makesContract: true,
    intentsOf: () => [intentOf('subscription_created', null)],
  },
  subscriptionContractExpire: statusChange('subscription_expired', 'EXPIRED'),
  subscriptionContractFail: statusChange('subscription_failed', 'FAILED'),
  subscriptionContractProductChange: {
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    intentsOf: ({ subject }, { lineId, input }) => {
      const { productVariantId, currentPrice } = input as Record<string, string | null | undefined>;
      const line = `lines.${tailOf(lineId)}`;
      const contract = subject as ObservedContract | null;
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
    intentsOf: ({ subject }, { date }) => {
      const changes = facts(subject as ObservedContract | null, 'nextBillingDate', date);
      const details = { nextBillingDate: date };
      const isUnchanged = changes.every(
        ({ before }) => before !== null && parseInstant(before) === parseInstant(date),
      );
      return isUnchanged
        ? []
        : onContract(subject, 'subscription_next_billing_date_updated', { details, changes });
    },
  },
  subscriptionDraftCommit: {
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
  },
};

/** The change that the mutation of that name makes; undefined: it changes no contract. */
export function forwardedChange(name: string): ForwardedChange | undefined {
  return Object.hasOwn(forwardedChanges, name) ? forwardedChanges[name] : undefined;
}

type More = Partial<Pick<ChangeIntent, 'details' | 'changes'>>;

function intentOf(action: EventAction, contractId: string | null, more: More = {}): ChangeIntent {
  return { action, contractId, details: {}, changes: [], ...more };
}

function onContract(contract: unknown, action: EventAction, more: More = {}): ChangeIntent[] {
  return contract === null ? [] : [intentOf(action, (contract as ObservedContract).id, more)];
}

function statusChange(action: EventAction, after: string): ForwardedChange {
  return {
    reads: 'contract',
    id: ({ subscriptionContractId }) => subscriptionContractId,
    intentsOf: ({ subject }) => {
      const changes = facts(subject as ObservedContract | null, 'status', after);
      return changes.length === 0 ? [] : onContract(subject, action, { changes });
    },
  };
}

type ScheduleEdit = { readonly skip?: boolean | null; readonly billingDate?: string | null };

function recordScheduleEdit(
  contract: unknown,
  cycle: ObservedCycle | null,
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

function detailsOf(cycle: ObservedCycle | null): ChangeIntent['details'] {
  if (cycle === null) return {};
  return { billingCycleIndex: cycle.cycleIndex, expectedDate: cycle.billingAttemptExpectedDate };
}

/** The fact that changes; none if it is so already. */
function facts(contract: ObservedContract | null, field: string, after: string): ChangedFact[] {
  const before = contract === null ? null : (contentText(contract, field) ?? null);
  return before === after ? [] : [factOf(field, { before, after })];
}

function contractsOf(owner: unknown) {
  return (owner as ObservedOwner | null)?.subscriptionContracts.nodes ?? [];
}

function tailOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
