/** Finds an existing billing attempt that a charge would duplicate, so that the customer's card is charged once. */
import { createHash } from 'node:crypto';
import { parseGid } from '../../domain/gid.ts';
import type { BillingAttempt, ContractToCharge, CycleToCharge } from './read-attempts-of-order.ts';

export type RequestedCharge = {
  readonly contract: ContractToCharge;
  readonly cycle: CycleToCharge;
  /** The client's idempotency key. Not a string if the client sent none. */
  readonly idempotencyKey: unknown;
  /**
   * Ids of the attempts that existed before this charge started to wait for another charge. Undefined if it did not
   * wait.
   */
  readonly attemptIdsBeforeWait: ReadonlySet<string> | undefined;
};

type AttemptsOfCycle = Pick<CycleToCharge, 'cycleIndex'> & {
  readonly billingAttempts: { readonly nodes: readonly Pick<BillingAttempt, 'state'>[] };
};

/** A charge within this time after a declined attempt counts as a retry of that attempt. */
const CHARGE_RETRY_WINDOW_MS = 60_000;

/**
 * Returns the existing attempt to use in place of a new one. In this order:
 * 1. the attempt with the client's idempotency key,
 * 2. an attempt that has not failed,
 * 3. an attempt that the other charge created for which this charge has waited,
 * 4. if the client sent no key: the last attempt, if it ended within a minute and used the same payment method.
 * @returns undefined when a new attempt must be created
 */
export function findExistingAttempt(charge: RequestedCharge, nowMs: number): BillingAttempt | undefined {
  const { idempotencyKey, attemptIdsBeforeWait } = charge;
  const { nodes } = charge.cycle.billingAttempts;
  const existingAttempt =
    nodes.find((one) => one.idempotencyKey === idempotencyKey) ??
    nodes.find((one) => !hasAttemptFailed(one)) ??
    nodes.find(({ id }) => attemptIdsBeforeWait !== undefined && !attemptIdsBeforeWait.has(id));
  if (existingAttempt !== undefined || typeof idempotencyKey === 'string') return existingAttempt;
  const lastAttempt = nodes.toSorted((a, b) => attemptEndedAtMs(a) - attemptEndedAtMs(b)).at(-1);
  return lastAttempt !== undefined &&
    attemptEndedAtMs(lastAttempt) > nowMs - CHARGE_RETRY_WINDOW_MS &&
    !usedOtherPaymentMethod(lastAttempt, charge)
    ? lastAttempt
    : undefined;
}

/**
 * Returns the client's idempotency key, or derives one. Two concurrent requests that read the same number of failed
 * attempts and the same payment method derive the same key, so the platform creates one attempt for both.
 */
export function idempotencyKeyOfCharge({
  contract,
  cycle,
  idempotencyKey,
}: Pick<RequestedCharge, 'contract' | 'cycle' | 'idempotencyKey'>): string {
  return typeof idempotencyKey === 'string' ? idempotencyKey : deriveIdempotencyKey(contract, cycle);
}

/**
 * Derives the key of a charge for which the client sent none. Billing uses this function, too, so that the platform
 * makes one attempt if both charge the same order. The key contains the number of failed attempts, counted from
 * `firstAttemptNumber`: billing passes a higher one after another charge has used the key that counts from 0.
 */
export function deriveIdempotencyKey(
  contract: Pick<ContractToCharge, 'customerPaymentMethod' | 'id'>,
  cycle: AttemptsOfCycle,
  firstAttemptNumber = 0,
): string {
  const attemptNumber = firstAttemptNumber + cycle.billingAttempts.nodes.filter(hasAttemptFailed).length;
  return `${chargeKeyPrefixOf(contract, cycle)}${attemptNumber}-${paymentMethodHash(contract)}`;
}

/**
 * Whether `deriveIdempotencyKey` created the key, for any order of the contract. Other servers of the same app choose
 * their own keys, which may begin in the same way.
 */
export function isDerivedIdempotencyKey(idempotencyKey: string, contractNumber: string): boolean {
  const [name, contract, ...rest] = idempotencyKey.split('-');
  return name === 'charge' && contract === contractNumber && DERIVED_KEY_END_PATTERN.test(rest.join('-'));
}

/**
 * Whether a client's key has the form of the service's derived keys, but is not one for this order. The platform runs
 * each key once, so the service could no longer charge the order that the key belongs to.
 */
export function isDerivedKeyOfOtherOrder(
  idempotencyKey: unknown,
  contract: Pick<ContractToCharge, 'id'>,
  cycle: Pick<CycleToCharge, 'cycleIndex'> | null,
): boolean {
  if (typeof idempotencyKey !== 'string' || !DERIVED_KEY_PATTERN.test(idempotencyKey)) return false;
  return cycle === null || !idempotencyKey.startsWith(chargeKeyPrefixOf(contract, cycle));
}

const DERIVED_KEY_PATTERN = /^charge-\d+-\d+-\d+-[0-9a-f]{8}$/;
/**
 * What follows the contract's number in a derived key: the index of the cycle, the number of failed attempts, and the
 * hash of the payment method.
 */
const DERIVED_KEY_END_PATTERN = /^\d+-\d+-[0-9a-f]{8}$/;

function hasAttemptFailed({ state }: Pick<BillingAttempt, 'state'>): boolean {
  return state.__typename === 'SubscriptionBillingAttemptFailedState';
}

function attemptEndedAtMs({ createdAt, completedAt }: BillingAttempt): number {
  return Date.parse(completedAt ?? createdAt);
}

/**
 * Whether the attempt used another payment method. Its idempotency key shows this, because the platform does not return
 * the method of an attempt.
 */
function usedOtherPaymentMethod(
  { idempotencyKey }: BillingAttempt,
  { contract, cycle }: RequestedCharge,
): boolean {
  const isServiceAttempt = idempotencyKey.startsWith(chargeKeyPrefixOf(contract, cycle));
  return isServiceAttempt && !idempotencyKey.endsWith(`-${paymentMethodHash(contract)}`);
}

function chargeKeyPrefixOf(
  { id }: Pick<ContractToCharge, 'id'>,
  { cycleIndex }: Pick<CycleToCharge, 'cycleIndex'>,
): string {
  return `charge-${parseGid(id)?.tail}-${cycleIndex}-`;
}

/** Returns the first 8 hex digits of the hash of the payment method's id: clients can read the keys that contain it. */
function paymentMethodHash({
  customerPaymentMethod,
}: Pick<ContractToCharge, 'customerPaymentMethod'>): string {
  const id = parseGid(customerPaymentMethod?.id ?? '')?.tail ?? 'none';
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}
