/** Claims an idempotency key for a request, and stores the response for retries with the same key. */

import {
  type ClaimableIdempotencyKey,
  EMPTY_RESPONSE,
  IDEMPOTENCY_RECORD_LIFETIME_MS,
  type StoredResponse,
} from './idempotency-record.ts';
import type { ItemKey, Table } from './table.ts';

type Deps = { readonly table: Table; readonly now: () => number };

/** A claim of an idempotency key. `storedResponse` is set if the change has already ended. */
export type IdempotencyKeyClaim = {
  /** The intent of the change. Undefined for a change without an intent; the record then names the request's run. */
  readonly intent?: { readonly id: string; readonly number: string };
  readonly mayRunAgain?: boolean;
  readonly storedResponse?: StoredResponse;
};

/** The maximum length of a stored response as JSON. The client's input determines the length, so it must be limited. */
const MAX_RESPONSE_CHARACTERS = 8_000;

/**
 * Claims the key with one conditional write. A request that starts again may replace its own claim, which has its
 * `claimedBy`.
 * @returns false when another request has claimed the key
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function claimIdempotencyKey(
  { table, now }: Deps,
  key: ClaimableIdempotencyKey,
  { intent, mayRunAgain, storedResponse }: IdempotencyKeyClaim,
): Promise<boolean> {
  const claimedAtMs = now();
  const untilMs = claimedAtMs + IDEMPOTENCY_RECORD_LIFETIME_MS;
  const { itemKey, shopId, argumentsHash, replaceableRunId, customerId, runId: claimedBy } = key;
  const runId = intent?.id ?? claimedBy;
  const recordItem = {
    ...{ ...itemKey, shopId, argumentsHash, runId, claimedBy, claimedAtMs, untilMs },
    expiresAt: Math.ceil(untilMs / 1000),
    ...(customerId !== undefined && { customerId }),
    ...(intent && { number: intent.number }),
    ...(mayRunAgain && { mayRunAgain }),
    ...(storedResponse && { told: shortenResponse(storedResponse) ?? EMPTY_RESPONSE }),
  };
  const keyFreeCondition = 'attribute_not_exists(pk) OR untilMs <= :now';
  const replaceableCondition =
    replaceableRunId === undefined ? 'claimedBy = :mine' : '(claimedBy = :mine OR runId = :replaced)';
  const putOutcome = await table.put(recordItem, {
    condition: `${keyFreeCondition} OR (${replaceableCondition} AND attribute_not_exists(told))`,
    values: {
      ':now': claimedAtMs,
      ':mine': claimedBy,
      ...(replaceableRunId !== undefined && { ':replaced': replaceableRunId }),
    },
  });
  // The first attempt of this write may have succeeded with a lost response, so that the condition refused the retry.
  // Read the record.
  return putOutcome === 'done' || (await table.get(itemKey))?.runId === runId;
}

type RespondingRun = {
  /** The key of the request's idempotency record. Undefined when the request has no idempotency key. */
  readonly repeat?: ItemKey | undefined;
  /** The id of the intent, or of the run of a change without an intent. */
  readonly id: string;
  /**
   * Whether no other process stores a response for this run, because it has no intent. An earlier response is then
   * replaced.
   */
  readonly isOnlyWriter?: boolean;
};

/**
 * Stores the response for retries with the same key.
 * @returns false when the request has no key, or the response is too long
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function storeResponse(
  table: Table,
  { repeat: recordKey, id, isOnlyWriter = false }: RespondingRun,
  storedResponse: Partial<StoredResponse>,
): Promise<boolean> {
  const response = recordKey && shortenResponse({ ...EMPTY_RESPONSE, ...storedResponse });
  if (!response) return false;
  await table.update({
    key: recordKey,
    update: 'SET told = :told',
    condition: isOnlyWriter ? 'runId = :mine' : 'runId = :mine AND attribute_not_exists(told)',
    values: { ':told': response, ':mine': id },
  });
  return true;
}

/**
 * Shortens a response that is too long to store, by leaving out `locals`.
 * @returns undefined for user errors that are too long: their request changed nothing, so it may run again
 */
function shortenResponse(storedResponse: StoredResponse): StoredResponse | undefined {
  if (JSON.stringify(storedResponse).length <= MAX_RESPONSE_CHARACTERS) return storedResponse;
  return storedResponse.userErrors.length > 0 ? undefined : { ...storedResponse, locals: {} };
}
