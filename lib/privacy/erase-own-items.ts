/** Erases a customer's own items: sign-ins, idempotency records, and items with the customer's number. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredResponse } from '../storage/idempotency-record.ts';
import type { SignInRecord } from '../storage/sessions/sign-ins.ts';
import type { Item } from '../storage/table.ts';
import type { ErasureSubject, ItemErasure } from './erasure-subject.ts';

/** A nonce is not valid longer, so an older sign-in cannot be completed. */
const LONGEST_SIGN_IN_MS = 45 * 60_000;

const HOUR_MS = 3_600_000;

/** Sessions are removed, as is the mark that ended them: the tombstone replaces it. */
export function eraseSession(item: Item, { isPerson, beforeMs }: ErasureSubject): ItemErasure {
  const bornAtMs = Number(item.createdAtMs ?? item.endedAtMs ?? 0);
  return isPerson(item.customerId) && bornAtMs < beforeMs ? 'remove' : 'keep';
}

/**
 * An interrupted sign-in contains the sealed platform response, whose customer is unknown; so it is removed when it
 * has expired.
 */
export function eraseSignIn(item: Item, { isPerson, beforeMs, nowMs }: ErasureSubject): ItemErasure {
  const { seed, grant, startedAtMs } = item as unknown as SignInRecord;
  if (seed !== undefined && isPerson(seed.customerId)) return startedAtMs < beforeMs ? 'remove' : 'keep';
  return grant !== undefined && startedAtMs + LONGEST_SIGN_IN_MS < nowMs ? 'remove' : 'keep';
}

/** Removes an expired item of any customer: TTL takes days to remove it. */
export function removeRunOut({ expiresAt }: Item, { nowMs }: ErasureSubject): ItemErasure {
  return Number(expiresAt) * 1000 <= nowMs ? 'remove' : 'keep';
}

/**
 * An idempotency record remains as a hash for its day; otherwise a retried charge could run twice. Its texts are
 * removed. The record of a refusal is removed, because the refused request changed nothing and may be retried.
 */
export function eraseIdempotencyRecord(
  item: Item,
  { isPerson, contracts, beforeMs }: ErasureSubject,
): ItemErasure {
  const storedResponse = item.told as StoredResponse | undefined;
  const isOwn = isPerson(item.customerId);
  if (!isOwn && !isOnContract(item, storedResponse, contracts)) return 'keep';
  if (Number(item.claimedAtMs) >= beforeMs) return 'keep';
  if (storedResponse !== undefined && storedResponse.userErrors.length > 0) return 'remove';
  const bare = storedResponse && { ...storedResponse, locals: {} };
  if (!isOwn && isDeepStrictEqual(bare, storedResponse)) return 'keep';
  return {
    update: `${bare ? 'SET told = :told ' : ''}REMOVE customerId`,
    condition: 'runId = :run',
    values: { ':run': item.runId, ...(bare && { ':told': bare }) },
  };
}

const CONTRACT_DIGITS = 19;

/** Whether the record belongs to a contract, by the number of its intent or by its stored response. */
function isOnContract(
  item: Item,
  storedResponse: StoredResponse | undefined,
  contracts: ErasureSubject['contracts'],
): boolean {
  const ofIntent =
    typeof item.number === 'string' ? item.number.slice(-CONTRACT_DIGITS).replace(/^0+/, '') : '';
  const ofAnswer = storedResponse?.ids.contract?.split('/').at(-1) ?? '';
  return contracts.has(ofIntent) || contracts.has(ofAnswer);
}

/** Removes the customer's number from an item's top level. */
export function eraseNamed(item: Item, { isPerson }: ErasureSubject): ItemErasure {
  if (!isPerson(item.customerId)) return 'keep';
  return { update: 'REMOVE customerId', condition: 'attribute_exists(customerId)' };
}

/** A compliance request about the customer that is an hour old was handled, or is obsolete. */
export function eraseInboxItem(
  { customerId, sinceMs }: Item,
  { isPerson, beforeMs, nowMs }: ErasureSubject,
): ItemErasure {
  const isOld = Number(sinceMs) + HOUR_MS <= nowMs && Number(sinceMs) < beforeMs;
  return isPerson(customerId) && isOld ? 'remove' : 'keep';
}
