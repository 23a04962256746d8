/** Selects an existing attempt as the result of a charge, so that one request charges the card once. */
import { createHash } from 'node:crypto';
import { parseGid } from '../../domain/gid.ts';
import type { BillingAttempt, ChargedContract, ChargedCycle } from './read-attempts.ts';

export type Charge = {
  readonly contract: ChargedContract;
  readonly cycle: ChargedCycle;
  /** The client's idempotency key. Not a string when the client provided none. */
  readonly idempotencyKey: unknown;
  /**
   * Ids of the attempts that existed when the charge was requested. Undefined when it has not waited for another
   * charge.
   */
  readonly idsBefore: ReadonlySet<string> | undefined;
};

/** A charge within this time after a decline is a retry of the declined one. */
const RETRY_WINDOW_MS = 60_000;

/**
 * Finds the attempt that this charge would duplicate: the attempt with the client's key; else one that is not known
 * to have failed, or that the awaited charge created; else, without a key, the last attempt if it ended within a
 * minute and the payment method is unchanged.
 */
export function presentAttempt(charge: Charge, nowMs: number): BillingAttempt | undefined {
  const { idempotencyKey, idsBefore } = charge;
  const { nodes } = charge.cycle.billingAttempts;
  const found =
    nodes.find((one) => one.idempotencyKey === idempotencyKey) ??
    nodes.find((one) => !hasFailed(one)) ??
    nodes.find(({ id }) => idsBefore !== undefined && !idsBefore.has(id));
  if (found !== undefined || typeof idempotencyKey === 'string') return found;
  const last = nodes.toSorted((a, b) => endMs(a) - endMs(b)).at(-1);
  return last !== undefined && endMs(last) > nowMs - RETRY_WINDOW_MS && !isOtherMethod(last, charge)
    ? last
    : undefined;
}

/**
 * Derives the idempotency key. Two requests that saw the same failures and payment method derive the same key, so
 * they create one attempt.
 */
export function keyOf({ contract, cycle, idempotencyKey }: Charge): string {
  if (typeof idempotencyKey === 'string') return idempotencyKey;
  const failures = cycle.billingAttempts.nodes.filter(hasFailed).length;
  return `${prefixOf(contract, cycle)}${failures}-${methodMark(contract)}`;
}

function hasFailed({ state }: BillingAttempt): boolean {
  return state.__typename === 'SubscriptionBillingAttemptFailedState';
}

function endMs({ createdAt, completedAt }: BillingAttempt): number {
  return Date.parse(completedAt ?? createdAt);
}

/** Whether the attempt used another payment method, according to its key: the platform does not return the method. */
function isOtherMethod({ idempotencyKey }: BillingAttempt, { contract, cycle }: Charge): boolean {
  const isServiceAttempt = idempotencyKey.startsWith(prefixOf(contract, cycle));
  return isServiceAttempt && !idempotencyKey.endsWith(`-${methodMark(contract)}`);
}

function prefixOf({ id }: ChargedContract, { cycleIndex }: ChargedCycle): string {
  return `charge-${parseGid(id)?.tail}-${cycleIndex}-`;
}

/** A short hash of the payment method, for keys that others can read. */
function methodMark({ customerPaymentMethod }: ChargedContract): string {
  const id = parseGid(customerPaymentMethod?.id ?? '')?.tail ?? 'none';
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}
