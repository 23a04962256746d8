/**
 * The entry of a charge tells what its attempt has come to. Until that is known the charge lies among the due items,
 * and settle-open-charges.ts reads it again.
 */
import { gidTail } from '../domain/gid.ts';
import { storeResponse } from '../storage/claim-key.ts';
import type { DueItem } from '../storage/due-items.ts';
import type { EventAction } from './actions.ts';
import type { EventFacts } from './event-record.ts';
import { findEntry } from './event-record.ts';
import { factOf } from './facts.ts';
import {
  dropIntent,
  type EndDeps,
  IN_FLIGHT_MS,
  isNotAppended,
  type OpenIntent,
  reserveStreamOrder,
  SETTLE_AFTER_MS,
  settleAsEntry,
} from './intent.ts';
import { type AttemptOutcome, attemptOutcome, type ObservedAttempt } from './observed-attempt.ts';
import { takeAttempt } from './take-attempt.ts';

const ACTIONS: Readonly<Record<AttemptOutcome['kind'], EventAction>> = {
  pending: 'billing_cycle_charged',
  charged: 'billing_cycle_charged',
  declined: 'billing_cycle_declined',
  'action required': 'billing_cycle_action_required',
};

/**
 * Tells the attempt that the intent's charge was answered with, unless another one tells it, or it was made long
 * before. Then nothing is left of the intent, but a due item while the attempt has not ended. May be repeated.
 */
export async function recordCharge(
  deps: EndDeps,
  intent: OpenIntent,
  attempt: ObservedAttempt,
): Promise<void> {
  const { table, dueItems } = deps;
  const { shopId, contract, id, createdAtMs } = intent;
  await storeResponse(table, intent, { ids: { subscriptionBillingAttempt: attempt.id } });
  const isRetry = Date.parse(attempt.createdAt) < createdAtMs - IN_FLIGHT_MS;
  if (isRetry || !(await takeAttempt(deps, { shopId, contract, id, attemptId: attempt.id }))) {
    await dropIntent(deps, intent);
    return;
  }
  const outcome = attemptOutcome(attempt);
  if (!hasEnded(outcome)) {
    await dueItems.put(openCharge(intent, attempt.id, createdAtMs + SETTLE_AFTER_MS));
  }
  if (outcome.kind === 'pending') await dropIntent(deps, intent);
  else await enter(deps, intent, { attemptId: attempt.id, outcome });
}

/** A charge that is read again, from then on. */
export function openCharge(intent: OpenIntent, attemptId: string, dueAtMs: number): DueItem {
  const { shopId, number, id } = intent;
  // An intent that was settled within its millisecond leaves its number to the next.
  const name = `${number}.${id}`;
  return { kind: 'charge', shopId, dueAtMs, name, id, payload: { intent, attemptId } };
}

/** What an attempt has come to; without an outcome nobody can tell. */
type Charge = { readonly attemptId: string; readonly outcome: AttemptOutcome | undefined };

/** Writes the entry of a charge, in the place of what it told before. */
async function enter(deps: EndDeps, intent: OpenIntent, { attemptId, outcome }: Charge): Promise<void> {
  const { changes, ...facts } = chargeFacts(intent.details, { attemptId, outcome });
  await settleAsEntry(
    deps,
    { ...intent, ...facts },
    { outcome: outcome ? 'DONE' : 'UNKNOWN', changes, isDirectlyObserved: true },
  );
}

/**
 * Writes the entry of a charge whose intent has gone, and holds its place. `unplaced`: what it told before has to be placed
 * first. May be repeated. TEMPORARILY_UNAVAILABLE.
 */
export async function enterAgain(
  deps: EndDeps,
  intent: OpenIntent,
  charge: Charge,
): Promise<'entered' | 'unplaced'> {
  const { outcome } = charge;
  const { action } = chargeFacts(intent.details, charge);
  const there = await findEntry(deps, intent);
  // An outcome that is not known replaces no entry. The place of a known one was held before it was written.
  if (there && (outcome === undefined || (there.action === action && there.outcome === 'DONE')))
    return 'entered';
  if (there !== undefined && (await isNotAppended(deps, intent))) return 'unplaced';
  // An unknown outcome is not reported, so it needs no place.
  if (outcome !== undefined) await reserveStreamOrder(deps.dueItems, { ...intent, action });
  await enter(deps, intent, charge);
  return 'entered';
}

/** What the entry of a charge tells of its attempt. */
export function chargeFacts(
  details: EventFacts['details'],
  { attemptId, outcome }: Charge,
): Pick<EventFacts, 'details' | 'changes'> & { readonly action: EventAction } {
  const { billingCycleIndex } = details;
  const after = gidTail(attemptId);
  const changes =
    typeof billingCycleIndex === 'number'
      ? [factOf(`billingCycles.${billingCycleIndex}.billingAttempts`, { before: null, after })]
      : [];
  const errorCode = outcome?.kind === 'declined' ? { errorCode: outcome.errorCode } : {};
  return { action: ACTIONS[outcome?.kind ?? 'pending'], details: { ...details, ...errorCode }, changes };
}

/** Whether the outcome is final. */
export function hasEnded({ kind }: AttemptOutcome): boolean {
  return kind === 'charged' || kind === 'declined';
}
