/**
 * Decides to which charge the attempt belongs that the platform returned when a new one was requested. The platform
 * runs each idempotency key once: for a key that was used before, it returns the first attempt with that key, of any
 * contract and cycle.
 */
import type { ObservedAttempt } from '../../timeline/attempt-outcome.ts';
import { MAX_INTENT_IN_FLIGHT_MS } from '../../timeline/intent.ts';

export type ReturnedAttempt = ObservedAttempt & {
  readonly originTime: string | null;
  readonly subscriptionContract: { readonly id: string };
};
/** The fields of a `ReturnedAttempt` that other attempts lack. */
export const RETURNED_ATTEMPT_SELECTION = 'originTime subscriptionContract { id }';

/**
 * The request for a new attempt. `sentAtMs` is in epoch milliseconds. `originTime` is ISO 8601; null when the request
 * has none, so that the platform chooses one.
 */
export type RequestedAttempt = {
  readonly contractId: string;
  readonly originTime: string | null;
  readonly sentAtMs: number;
  /** The attempts of the order that were read before the request. */
  readonly attemptsBefore: readonly { readonly id: string }[];
};

/**
 * Classifies the returned attempt. It does not name its cycle, so its contract, its age and its origin time are
 * compared. Returns
 * - `own`: the attempt belongs to this request, or to one for the same order at the same time;
 * - `other`: another charge has used the key;
 * - `uncertain`: the attempt is new, but has another origin time. Only the attempts of the order show whether it
 * belongs to this order.
 */
export function classifyReturnedAttempt(
  { id, createdAt, originTime, subscriptionContract }: ReturnedAttempt,
  { contractId, sentAtMs, attemptsBefore, ...requestedAttempt }: RequestedAttempt,
): 'other' | 'own' | 'uncertain' {
  const isOfOtherOrder =
    subscriptionContract.id !== contractId ||
    Date.parse(createdAt) < sentAtMs - MAX_INTENT_IN_FLIGHT_MS ||
    attemptsBefore.some((attempt) => attempt.id === id);
  if (isOfOtherOrder) return 'other';
  if (requestedAttempt.originTime === null) return 'own';
  const isSameTime =
    originTime !== null && Date.parse(originTime) === Date.parse(requestedAttempt.originTime);
  return isSameTime ? 'own' : 'uncertain';
}
