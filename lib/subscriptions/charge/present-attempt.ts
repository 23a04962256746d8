/**
 * An attempt that is there may answer a charge instead of a new one: the card is asked once for what is asked for once.
 */
import { createHash } from 'node:crypto';
import { parseGid } from '../../domain/gid.ts';
import type { BillingAttempt, ChargedContract, ChargedCycle } from './read-attempts.ts';

export type Charge = {
  readonly contract: ChargedContract;
  readonly cycle: ChargedCycle;
  /** The client's; anything but a text: it has given none. */
  readonly idempotencyKey: unknown;
  /**
   * Ids of the attempts that were there when it was asked for; undefined: it has not waited for another charge since.
   */
  readonly idsBefore: ReadonlySet<string> | undefined;
};

/** A charge so soon after a decline is a repeat of the one that was declined. */
const REPEAT_MS = 60_000;

/**
 * The attempt that this charge would only repeat: the client's own by its key; else one that is not known to have
 * failed, or that the charge it has waited for made; else, without a key, the last one if it ended within a minute and
 * the payment method is still the same.
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
  return last !== undefined && endMs(last) > nowMs - REPEAT_MS && !isOtherMethod(last, charge)
    ? last
    : undefined;
}

/** The same for two requests that saw the same failures and the same payment method, so that both make one attempt. */
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

/** Whether the attempt's key says that it was made with another one; the platform does not tell. */
function isOtherMethod({ idempotencyKey }: BillingAttempt, { contract, cycle }: Charge): boolean {
  const isOurs = idempotencyKey.startsWith(prefixOf(contract, cycle));
  return isOurs && !idempotencyKey.endsWith(`-${methodMark(contract)}`);
}

function prefixOf({ id }: ChargedContract, { cycleIndex }: ChargedCycle): string {
  return `charge-${parseGid(id)?.tail}-${cycleIndex}-`;
}

/** Stands for the payment method in keys that others read. */
function methodMark({ customerPaymentMethod }: ChargedContract): string {
  const id = parseGid(customerPaymentMethod?.id ?? '')?.tail ?? 'none';
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}
