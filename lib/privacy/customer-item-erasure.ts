/**
 * Decides how an erasure changes the customer's own items: sign-ins, sessions, idempotency records, and other items
 * with the customer's number. Writes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StoredResponse } from '../storage/idempotency-record.ts';
import type { SignInRecord } from '../storage/sessions/sign-ins.ts';
import type { Item } from '../storage/table.ts';
import type { ErasureSubject, ItemErasure } from './erasure-subject.ts';

/** Longer than the nonce of a sign-in is valid: an older sign-in cannot be completed. */
const MAX_SIGN_IN_DURATION_MS = 45 * 60_000;

const HOUR_MS = 3_600_000;

/**
 * Returns `remove` for a session of the customer, and for the record that all sign-ins of the customer have ended: the
 * tombstone replaces that record.
 */
export function decideSessionErasure(
  item: Item,
  { isSubjectCustomer: isPerson, eraseBeforeMs: beforeMs }: ErasureSubject,
): ItemErasure {
  const recordedAtMs = Number(item.createdAtMs ?? item.endedAtMs ?? 0);
  return isPerson(item.customerId) && recordedAtMs < beforeMs ? 'remove' : 'keep';
}

/**
 * Returns `remove` for a sign-in of the customer. An interrupted sign-in contains the platform's sealed response, whose
 * customer is unknown, so it is removed once it has expired.
 */
export function decideSignInErasure(
  item: Item,
  { isSubjectCustomer: isPerson, eraseBeforeMs: beforeMs, nowMs }: ErasureSubject,
): ItemErasure {
  const { seed, grant, startedAtMs } = item as unknown as SignInRecord;
  if (seed !== undefined && isPerson(seed.customerId)) return startedAtMs < beforeMs ? 'remove' : 'keep';
  return grant !== undefined && startedAtMs + MAX_SIGN_IN_DURATION_MS < nowMs ? 'remove' : 'keep';
}

/** Returns `remove` for an expired item of any customer, because DynamoDB may take days to delete it. */
export function decideExpiredItemErasure({ expiresAt }: Item, { nowMs }: ErasureSubject): ItemErasure {
  return Number(expiresAt) * 1000 <= nowMs ? 'remove' : 'keep';
}

/**
 * Decides how to erase the customer from an idempotency record. The record stays until it expires after a day, because a
 * repeated charge would otherwise run twice. It loses the customer's id and the response's fields that may contain the
 * customer's texts. A record of a refusal is removed: its request changed nothing, so it may run again.
 */
export function decideIdempotencyRecordErasure(
  item: Item,
  { isSubjectCustomer: isPerson, contracts, eraseBeforeMs: beforeMs }: ErasureSubject,
): ItemErasure {
  const storedResponse = item.told as StoredResponse | undefined;
  const isRequestOfCustomer = isPerson(item.customerId);
  if (!isRequestOfCustomer && !isRecordOfContract(item, storedResponse, contracts)) return 'keep';
  if (Number(item.claimedAtMs) >= beforeMs) return 'keep';
  if (storedResponse !== undefined && storedResponse.userErrors.length > 0) return 'remove';
  const responseWithoutLocals = storedResponse && { ...storedResponse, locals: {} };
  if (!isRequestOfCustomer && isDeepStrictEqual(responseWithoutLocals, storedResponse)) return 'keep';
  return {
    update: `${responseWithoutLocals ? 'SET told = :told ' : ''}REMOVE customerId`,
    condition: 'runId = :run',
    values: { ':run': item.runId, ...(responseWithoutLocals && { ':told': responseWithoutLocals }) },
  };
}

const CONTRACT_NUMBER_DIGITS = 19;

/** Whether the record belongs to a contract of the customer, by its intent or by its stored response. */
function isRecordOfContract(
  item: Item,
  storedResponse: StoredResponse | undefined,
  contracts: ErasureSubject['contracts'],
): boolean {
  const contractOfIntent =
    typeof item.number === 'string' ? item.number.slice(-CONTRACT_NUMBER_DIGITS).replace(/^0+/, '') : '';
  const contractOfResponse = storedResponse?.ids.contract?.split('/').at(-1) ?? '';
  return contracts.has(contractOfIntent) || contracts.has(contractOfResponse);
}

/** Returns the change that removes the customer's number from the item. */
export function decideCustomerNumberErasure(
  item: Item,
  { isSubjectCustomer: isPerson }: ErasureSubject,
): ItemErasure {
  if (!isPerson(item.customerId)) return 'keep';
  return { update: 'REMOVE customerId', condition: 'attribute_exists(customerId)' };
}

/**
 * Returns `remove` for an inbox item about the customer that is at least an hour old: its webhook was processed, or is
 * obsolete.
 */
export function decideInboxItemErasure(
  { customerId, sinceMs }: Item,
  { isSubjectCustomer: isPerson, eraseBeforeMs: beforeMs, nowMs }: ErasureSubject,
): ItemErasure {
  const isOlderThanErasure = Number(sinceMs) + HOUR_MS <= nowMs && Number(sinceMs) < beforeMs;
  return isPerson(customerId) && isOlderThanErasure ? 'remove' : 'keep';
}
