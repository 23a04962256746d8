/** The mutations of single orders: skip, move, edit. */
import { parseInstant } from '../../lib/domain/instant.ts';
import { createFact } from '../../lib/timeline/facts.ts';
import type { ChangeIntent } from '../../lib/timeline/run-change.ts';
import type { MutationArguments, ObservedCycle, ObservedDraft } from '../plan/forwarded-change.ts';
import { createContractIntent, createForwardedMutation, toCycleDetails } from './forwarded-mutation.ts';
import { createServiceMutation } from './service-mutation.ts';

const KEY_REFUSED_FOR_DELETION_REASON = 'it answers a list of orders, and a repeat deletes nothing more';

/** The reads before a change of the cycle that the argument `billingCycleInput` names. */
const READ_OF_NAMED_CYCLE = {
  reads: 'contract',
  id: ({ billingCycleInput }: MutationArguments) => billingCycleInput.contractId,
  cycle: ({ billingCycleInput }: MutationArguments) => billingCycleInput,
} as const;

export const CYCLE_MUTATIONS = [
  createServiceMutation({
    name: 'subscriptionBillingCycleReschedule',
    objectFields: ['billingCycle', 'contract'],
    operation: async () =>
      (await import('../../lib/subscriptions/cycles/reschedule-billing-cycle.ts')).rescheduleBillingCycle,
  }),
  createServiceMutation({
    name: 'subscriptionBillingCycleSkip',
    objectFields: ['billingCycle', 'contract'],
    operation: async () =>
      (await import('../../lib/subscriptions/cycles/skip-billing-cycle.ts')).skipBillingCycle,
  }),
  createServiceMutation({
    name: 'subscriptionOrderSendNow',
    objectFields: ['contract'],
    operation: async () => (await import('../../lib/subscriptions/cycles/send-order-now.ts')).sendOrderNow,
  }),
  createServiceMutation({
    name: 'subscriptionOrderPostpone',
    objectFields: ['contract'],
    points: 200,
    operation: async () => (await import('../../lib/subscriptions/postpone/postpone-order.ts')).postponeOrder,
  }),
  createServiceMutation({
    name: 'subscriptionOrderPostponementRevert',
    objectFields: ['contract'],
    points: 200,
    operation: async () =>
      (await import('../../lib/subscriptions/postpone/revert-postponement.ts')).revertPostponement,
  }),
  createForwardedMutation({
    name: 'subscriptionBillingCycleContractDraftCommit',
    refusesKey: 'the contract of a single order has no id to read it by',
    reads: 'draft',
    id: ({ draftId }) => draftId,
    intentsOf: ({ subject }) => {
      const draft = subject as ObservedDraft | null;
      const cycleDetails = draft?.billingCycle ? { billingCycleIndex: draft.billingCycle.cycleIndex } : {};
      return createContractIntent(draft?.originalContract ?? null, 'billing_cycle_edited', {
        details: cycleDetails,
      });
    },
  }),
  createForwardedMutation({
    name: 'subscriptionBillingCycleEditDelete',
    refusesKey: KEY_REFUSED_FOR_DELETION_REASON,
    ...READ_OF_NAMED_CYCLE,
    intentsOf: ({ subject, cycle }) =>
      createContractIntent(subject, 'billing_cycle_edits_deleted', { details: toCycleDetails(cycle) }),
  }),
  createForwardedMutation({
    name: 'subscriptionBillingCycleEditsDelete',
    refusesKey: KEY_REFUSED_FOR_DELETION_REASON,
    reads: 'contract',
    id: ({ contractId }) => contractId,
    intentsOf: ({ subject }) => createContractIntent(subject, 'billing_cycle_edits_deleted'),
  }),
  createForwardedMutation({
    name: 'subscriptionBillingCycleScheduleEdit',
    objectFields: ['billingCycle'],
    ...READ_OF_NAMED_CYCLE,
    intentsOf: ({ subject, cycle }, { input }) => createScheduleEditIntents(subject, cycle, input),
  }),
  createForwardedMutation({
    name: 'subscriptionBillingCycleUnskip',
    objectFields: ['billingCycle'],
    ...READ_OF_NAMED_CYCLE,
    intentsOf: ({ subject, cycle }) => createScheduleEditIntents(subject, cycle, { skip: false }),
  }),
];

type ScheduleEdit = { readonly skip?: boolean | null; readonly billingDate?: string | null };

function createScheduleEditIntents(
  contract: unknown,
  cycle: ObservedCycle | null,
  { skip, billingDate }: ScheduleEdit,
): ChangeIntent[] {
  if (cycle === null) return [];
  const { cycleIndex, skipped, billingAttemptExpectedDate: expectedDate } = cycle;
  const createCycleFact = (name: string, before: string, after: string) =>
    createFact(`billingCycles.${cycleIndex}.${name}`, { before, after });
  const isDateChanged = billingDate != null && parseInstant(billingDate) !== parseInstant(expectedDate);
  const isSkipChanged = skip != null && skip !== skipped;
  if (!isDateChanged && !isSkipChanged) return [];
  const cycleChanges = [
    ...(isDateChanged ? [createCycleFact('billingAttemptExpectedDate', expectedDate, billingDate)] : []),
    ...(isSkipChanged ? [createCycleFact('skipped', String(skipped), String(skip))] : []),
  ];
  const editDetails = { ...toCycleDetails(cycle), ...(isDateChanged && { billingDate }) };
  const skipAction = skip ? 'billing_cycle_skipped' : 'billing_cycle_unskipped';
  return createContractIntent(contract, isDateChanged ? 'billing_cycle_rescheduled' : skipAction, {
    details: editDetails,
    changes: cycleChanges,
  });
}
