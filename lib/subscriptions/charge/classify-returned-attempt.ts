/**
 * Decides whose attempt the platform has returned for a new one. It runs each idempotency key once: for a key that was used
 * before, it returns the first attempt with it, of any contract and cycle.
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
 * The request for an attempt. `sentAtMs`: epoch milliseconds. `originTime`: ISO 8601; null when the request has none, and the
 * platform may choose one.
 */
export type RequestedAttempt = {
  readonly contractId: string;
  readonly originTime: string | null;
  readonly sentAtMs: number;
  /** The attempts of the order that were read before the request. */
  readonly attemptsBefore: readonly { readonly id: string }[];
};

/**
 * An attempt does not name its cycle. Returns
 * - `own`: the attempt is of this request, or of one for the same order at the same time;
 * - `other`: another charge has used the key;
 * - `uncertain`: the attempt is new, but has another origin time. The attempts of the order show whether it is of this order.
 */
export function classifyReturnedAttempt(
  { id, createdAt, originTime, subscriptionContract }: ReturnedAttempt,
  { contractId, sentAtMs, attemptsBefore, ...requested }: RequestedAttempt,
): 'other' | 'own' | 'uncertain' {
  const isOfOtherOrder =
    subscriptionContract.id !== contractId ||
    Date.parse(createdAt) < sentAtMs - MAX_INTENT_IN_FLIGHT_MS ||
    attemptsBefore.some((attempt) => attempt.id === id);
  if (isOfOtherOrder) return 'other';
  if (requested.originTime === null) return 'own';
  const isSameTime = originTime !== null && Date.parse(originTime) === Date.parse(requested.originTime);
  return isSameTime ? 'own' : 'uncertain';
}
