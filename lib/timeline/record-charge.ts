/**
 * Records charges: the entry of a charge shows the outcome of its billing attempt. Until the attempt has ended, the
 * charge is a scheduled task, and settle-open-charges.ts reads the attempt again.
 */
import { gidTail } from '../domain/gid.ts';
import { storeResponse } from '../storage/claim-idempotency-key.ts';
import type { ScheduledTask } from '../storage/scheduled-tasks.ts';
import type { Table } from '../storage/table.ts';
import type { EventAction } from './actions.ts';
import {
  type AttemptOutcome,
  isFinalAttemptOutcome,
  type NextTry,
  type ObservedAttempt,
  type OrderAttemptOutcome,
  toAttemptOutcome,
} from './attempt-outcome.ts';
import {
  type CommonEventFields,
  type EventRecord,
  findTimelineEntry,
  type TimelineRef,
  timelinePartition,
} from './event-record.ts';
import { createFact } from './facts.ts';
import {
  isEntryNotAppended,
  MAX_INTENT_IN_FLIGHT_MS,
  type OpenIntent,
  removeIntent,
  reserveStreamOrder,
  SETTLE_INTENT_AFTER_MS,
  settleIntentAsEntry,
  type TimelineWriteDeps,
} from './intent.ts';

/** An attempt of a charge and its outcome, which is undefined when it cannot be determined. */
type ChargeAttemptResult = {
  readonly attemptId: string;
  readonly outcome: AttemptOutcome | undefined;
  /** What follows a decline, if the service bills the order. */
  readonly nextTry?: NextTry | undefined;
};

/**
 * Reports the outcome of an attempt to the service's billing, before the timeline records it.
 * @returns what follows a decline; undefined when nothing does, or billing has no charge of the order
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function reportOutcomeToBilling(
  { applyOutcomeToCharge }: Pick<TimelineWriteDeps, 'applyOutcomeToCharge'>,
  { shopId, contract, details }: Pick<CommonEventFields, 'contract' | 'details' | 'shopId'>,
  { attempt, outcome }: Pick<OrderAttemptOutcome, 'attempt' | 'outcome'>,
): Promise<NextTry | undefined> {
  const { billingCycleIndex: cycleIndex } = details;
  if (applyOutcomeToCharge === undefined || contract === undefined || typeof cycleIndex !== 'number')
    return undefined;
  const nextTry = await applyOutcomeToCharge({ shopId, contract, cycleIndex, attempt, outcome });
  return outcome?.kind === 'declined' ? nextTry : undefined;
}

const CHARGE_ACTION_BY_OUTCOME: Readonly<Record<AttemptOutcome['kind'], EventAction>> = {
  pending: 'billing_cycle_charged',
  charged: 'billing_cycle_charged',
  declined: 'billing_cycle_declined',
  'action required': 'billing_cycle_action_required',
};

/** Returns the fields of a charge's entry that depend on its attempt. */
export function chargeEntryFields(
  details: CommonEventFields['details'],
  { attemptId, outcome, nextTry }: ChargeAttemptResult,
): Pick<CommonEventFields, 'details' | 'changes'> & { readonly action: EventAction } {
  const { billingCycleIndex: cycleIndex } = details;
  const attemptsField = `billingCycles.${cycleIndex}.billingAttempts`;
  const attemptChanges =
    typeof cycleIndex === 'number'
      ? [createFact(attemptsField, { before: null, after: gidTail(attemptId) })]
      : [];
  const errorCode = outcome?.kind === 'declined' ? { errorCode: outcome.errorCode } : {};
  return {
    action: CHARGE_ACTION_BY_OUTCOME[outcome?.kind ?? 'pending'],
    details: { ...details, ...errorCode, ...nextTry },
    changes: attemptChanges,
  };
}

/**
 * Records the attempt that the platform returned for an intent's charge, unless another intent or entry records it, or
 * it is an earlier attempt. The intent then ends; a scheduled task remains while the attempt has not ended. Idempotent.
 * @returns the entry, or undefined when there is none or it follows later
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function recordCharge(
  deps: TimelineWriteDeps,
  intent: OpenIntent,
  attempt: ObservedAttempt,
): Promise<EventRecord | undefined> {
  const { table, scheduledTasks } = deps;
  const { shopId, contract, id, createdAtMs } = intent;
  await storeResponse(table, intent, { ids: { subscriptionBillingAttempt: attempt.id } });
  const isEarlierAttempt = Date.parse(attempt.createdAt) < createdAtMs - MAX_INTENT_IN_FLIGHT_MS;
  if (
    isEarlierAttempt ||
    !(await claimBillingAttempt(deps, { shopId, contract, id, attemptId: attempt.id }))
  ) {
    await removeIntent(deps, intent);
    return undefined;
  }
  const attemptOutcome = toAttemptOutcome(attempt);
  if (!isFinalAttemptOutcome(attemptOutcome)) {
    await scheduledTasks.put(toOpenChargeItem(intent, attempt.id, createdAtMs + SETTLE_INTENT_AFTER_MS));
  }
  if (attemptOutcome.kind !== 'pending') {
    const nextTry = await reportOutcomeToBilling(deps, intent, { attempt, outcome: attemptOutcome });
    return writeChargeEntry(deps, intent, { attemptId: attempt.id, outcome: attemptOutcome, nextTry });
  }
  await removeIntent(deps, intent);
  return undefined;
}

/** Returns the scheduled task of a charge whose attempt is read again at `dueAtMs`. */
export function toOpenChargeItem(intent: OpenIntent, attemptId: string, dueAtMs: number): ScheduledTask {
  const { shopId, number, id } = intent;
  // When an intent is settled within its millisecond, the next intent gets the same number.
  const name = `${number}.${id}`;
  return { kind: 'charge', shopId, dueAtMs, name, id, payload: { intent, attemptId } };
}

/** Writes the entry of a charge, which replaces the entry of an earlier outcome. */
async function writeChargeEntry(
  deps: TimelineWriteDeps,
  intent: OpenIntent,
  charge: ChargeAttemptResult,
): Promise<EventRecord> {
  const { changes, ...entryFields } = chargeEntryFields(intent.details, charge);
  const outcome = charge.outcome ? 'DONE' : 'UNKNOWN';
  return settleIntentAsEntry(
    deps,
    { ...intent, ...entryFields },
    { outcome, changes, isDirectlyObserved: true },
  );
}

/**
 * Writes the entry of a charge whose intent was removed. `must wait`: the entry of an earlier outcome has to be appended first.
 * Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function recordChargeOfRemovedIntent(
  deps: TimelineWriteDeps,
  intent: OpenIntent,
  charge: ChargeAttemptResult,
): Promise<'recorded' | 'must wait'> {
  const { outcome } = charge;
  const { action } = chargeEntryFields(intent.details, charge);
  const existingEntry = await findTimelineEntry(deps, intent);
  // An unknown outcome replaces no entry. For an entry with a known outcome, the stream order was reserved before.
  if (
    existingEntry &&
    (outcome === undefined || (existingEntry.action === action && existingEntry.outcome === 'DONE'))
  )
    return 'recorded';
  if (existingEntry !== undefined && (await isEntryNotAppended(deps, intent))) return 'must wait';
  // No event reports an unknown outcome, so no stream order is reserved for it.
  if (outcome !== undefined) await reserveStreamOrder(deps.scheduledTasks, { ...intent, action });
  await writeChargeEntry(deps, intent, charge);
  return 'recorded';
}

/**
 * Returns the id of the intent or entry that records an attempt; undefined when there is none.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findRecordOfAttempt(
  { table }: { readonly table: Pick<Table, 'get'> },
  ref: TimelineRef,
  attemptId: string,
): Promise<string | undefined> {
  const claimItem = await table.get(attemptClaimKey(ref, attemptId));
  return claimItem && String(claimItem.intentId);
}

type BillingAttemptClaim = TimelineRef & { readonly attemptId: string; readonly id: string };

/**
 * Claims an attempt for an intent or entry, so that no other one records it. Idempotent.
 * @returns false when another intent or entry has claimed the attempt
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function claimBillingAttempt(
  { table }: { readonly table: Pick<Table, 'put'> },
  { attemptId, id: intentId, ...ref }: BillingAttemptClaim,
): Promise<boolean> {
  const claimOutcome = await table.put(
    { ...attemptClaimKey(ref, attemptId), shopId: ref.shopId, after: attemptId, intentId },
    { condition: 'attribute_not_exists(pk) OR intentId = :own', values: { ':own': intentId } },
  );
  return claimOutcome === 'done';
}

/** The item sorts behind the digits of all entries, so no page contains it. */
function attemptClaimKey(ref: TimelineRef, attemptId: string) {
  return { pk: timelinePartition(ref), sk: `~billingAttempts.${gidTail(attemptId)}` };
}
