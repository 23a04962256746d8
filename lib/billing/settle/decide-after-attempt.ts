/** Decides what the outcome of an attempt, of any client, changes in its order's charge. Each attempt counts once. */
import type { TimeZone } from '../../domain/time-zone.ts';
import type { OrderAttemptOutcome } from '../../timeline/attempt-outcome.ts';
import { classifyDecline } from '../../timeline/decline-class.ts';
import { type BillingCharge, type ChargeChange, isOpenCharge } from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { coversOrder } from '../settings/covers-order.ts';
import { decideAfterDecline } from './decide-after-decline.ts';

/** A charge whose attempt has no outcome this long after the attempt was created is closed with the reason NO_OUTCOME. */
export const NO_OUTCOME_AFTER_MS = 7 * 86_400_000;
/** The charge has the ids of this many failed attempts at most: twice as many as card networks allow in a month. */
const MAX_STORED_ATTEMPT_IDS = 20;

type AttemptOfOrder = Pick<OrderAttemptOutcome, 'attempt' | 'outcome'>;
type AttemptContext = {
  readonly settings: BillingSettings;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
};

/**
 * - a change of the charge (`withChargeChange`);
 * - `counted`: the charge has this outcome already, or the outcome changes nothing;
 * - `charged twice`: another attempt of the order has succeeded before.
 */
type AttemptDecision = ChargeChange | 'charged twice' | 'counted';

/** Returns what the attempt changes in the charge of its order. */
export function decideAfterAttempt(
  charge: BillingCharge,
  { attempt, outcome }: AttemptOfOrder,
  context: AttemptContext,
): AttemptDecision {
  switch (outcome?.kind) {
    case 'charged':
      return decideAfterSuccess(charge, attempt, context);
    case 'declined':
      return decideAfterFailure(charge, { attempt, errorCode: outcome.errorCode }, context);
    case 'action required':
      return isAttemptOfCharge(charge, attempt) ? decideWhileConfirming(charge, attempt, context) : 'counted';
    case 'pending':
      return 'counted';
    default:
      return isAttemptOfCharge(charge, attempt) ? decideWithoutOutcome(charge, context) : 'counted';
  }
}

function isAttemptOfCharge(
  { attemptId, idempotencyKey }: BillingCharge,
  { id, idempotencyKey: attemptKey }: AttemptOfOrder['attempt'],
): boolean {
  return attemptId === id || (attemptKey !== undefined && attemptKey === idempotencyKey);
}

/** A success always counts, even if the charge was closed before. */
function decideAfterSuccess(
  charge: BillingCharge,
  { id: attemptId, state }: AttemptOfOrder['attempt'],
  { nowMs }: AttemptContext,
): AttemptDecision {
  const isPaid = charge.state === 'CHARGED' && !charge.failedAttemptIds?.includes(charge.attemptId ?? '');
  const paidAttemptId = isPaid ? charge.attemptId : undefined;
  if (paidAttemptId !== undefined && paidAttemptId !== attemptId) return 'charged twice';
  const amount = state?.order?.totalPriceSet.presentmentMoney ?? charge.amount;
  if (paidAttemptId === attemptId && (charge.amount !== undefined || amount === undefined)) return 'counted';
  return {
    ...{ state: 'CHARGED', attemptId, orderId: state?.order?.id ?? charge.orderId, amount },
    ...{ reason: undefined, nextTryAtMs: undefined, endsAtMs: undefined },
    ...{ finalAction: undefined, finalActionAtMs: undefined },
    remindAtMs: charge.state === 'CHARGED' || charge.isLastOrder === false ? charge.remindAtMs : nowMs,
  };
}

type FailedAttempt = {
  readonly attempt: AttemptOfOrder['attempt'];
  readonly errorCode: string | null;
};

function decideAfterFailure(
  charge: BillingCharge,
  { attempt, errorCode }: FailedAttempt,
  { settings, timeZone, nowMs }: AttemptContext,
): AttemptDecision {
  const countedIds = charge.failedAttemptIds ?? [];
  if (!isOpenCharge(charge) || countedIds.includes(attempt.id)) return 'counted';
  const failedTryCount = charge.failedTryCount + 1;
  const endedAtMs = attempt.completedAt ? Date.parse(attempt.completedAt) : nowMs;
  const startedAtMs = attempt.createdAt ? Date.parse(attempt.createdAt) : endedAtMs;
  const store = { shopId: charge.shopId, timeZone };
  const isExtraTry = charge.isExtraTry === true && isAttemptOfCharge(charge, attempt);
  const { scheduledTryCount: scheduledCount = charge.failedTryCount } = charge;
  const tryCounts = {
    scheduledTryCount: isExtraTry ? scheduledCount : scheduledCount + 1,
    scheduledFromMs: isExtraTry ? (charge.scheduledFromMs ?? endedAtMs) : endedAtMs,
  };
  // An order that the settings no longer cover, because billing was switched off since, is not tried again.
  const orderSettings = { ...settings, enabled: coversOrder(settings, charge, timeZone) };
  const retryPlan = decideAfterDecline({ ...tryCounts, errorCode, endedAtMs }, orderSettings, store);
  const asksForMethod =
    settings.askForNewMethod &&
    charge.methodRequestedAtMs === undefined &&
    classifyDecline(errorCode) === 'NEW_METHOD' &&
    retryPlan.remindAtMs > nowMs;
  return {
    ...retryPlan,
    ...(asksForMethod && { remindAtMs: nowMs }),
    ...tryCounts,
    isExtraTry: undefined,
    failedTryCount,
    failedAttemptIds: [...countedIds, attempt.id].slice(-MAX_STORED_ATTEMPT_IDS),
    firstTryAtMs: Math.min(charge.firstTryAtMs ?? startedAtMs, startedAtMs),
    attemptId: attempt.id,
    lastErrorCode: errorCode ?? undefined,
  };
}

function decideWhileConfirming(
  charge: BillingCharge,
  { id: attemptId, createdAt }: AttemptOfOrder['attempt'],
  context: AttemptContext,
): AttemptDecision {
  if (!isOpenCharge(charge)) return 'counted';
  const startedAtMs = createdAt === undefined ? context.nowMs : Date.parse(createdAt);
  const remindAtMs = startedAtMs + NO_OUTCOME_AFTER_MS;
  if (remindAtMs <= context.nowMs) return decideWithoutOutcome(charge, context);
  if (charge.state === 'ACTION_REQUIRED' && charge.attemptId === attemptId) return 'counted';
  return {
    ...{ state: 'ACTION_REQUIRED', attemptId, remindAtMs, firstTryAtMs: charge.firstTryAtMs ?? startedAtMs },
    ...{ nextTryAtMs: undefined, endsAtMs: undefined },
  };
}

function decideWithoutOutcome(charge: BillingCharge, { nowMs }: AttemptContext): AttemptDecision {
  if (charge.state !== 'WAITING' && charge.state !== 'ACTION_REQUIRED') return 'counted';
  return createClosingChange('REPORTED', 'NO_OUTCOME', nowMs);
}

/**
 * Returns the change that closes a charge unpaid. An ENDED or REPORTED charge gets a reminder for now, at which its
 * timeline entry is recorded (`decideDueStep`: RECORD). A SKIPPED charge gets no entry, so its reminder is removed.
 */
export function createClosingChange(
  state: 'ENDED' | 'REPORTED' | 'SKIPPED',
  reason: NonNullable<BillingCharge['reason']>,
  nowMs: number,
): ChargeChange {
  const remindAtMs = state === 'SKIPPED' ? undefined : nowMs;
  return { state, reason, nextTryAtMs: undefined, endsAtMs: undefined, remindAtMs };
}
