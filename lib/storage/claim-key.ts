/** Claims an idempotency key with one conditional write. If needed, another write stores the response for retries. */

import { type ClaimedKey, KEY_LIFETIME_MS, type StoredResponse } from './idempotency-record.ts';
import type { ItemKey, Table } from './table.ts';

type Deps = { readonly table: Table; readonly now: () => number };

/** A claim on a key, with the stored response if the change has already ended. */
export type Claim = {
  /** The intent of the change. Without an intent, the run of the request claims the key. */
  readonly intent?: { readonly id: string; readonly number: string };
  readonly mayRunAgain?: boolean;
  readonly storedResponse?: StoredResponse;
};

/** The maximum size of a stored response, because a caller controls its size. */
const MAX_CHARACTERS = 8_000;

/**
 * Claims the key in one conditional write. A request that starts over replaces its own claim, which `claimedBy` names.
 * @returns false when another request has the key
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function claimKey(
  { table, now }: Deps,
  key: ClaimedKey,
  { intent, mayRunAgain, storedResponse }: Claim,
): Promise<boolean> {
  const claimedAtMs = now();
  const untilMs = claimedAtMs + KEY_LIFETIME_MS;
  const { place, shopId, argumentsHash, replaces, customerId, runId: claimedBy } = key;
  const runId = intent?.id ?? claimedBy;
  const item = {
    ...{ ...place, shopId, argumentsHash, runId, claimedBy, claimedAtMs, untilMs },
    expiresAt: Math.ceil(untilMs / 1000),
    ...(customerId !== undefined && { customerId }),
    ...(intent && { number: intent.number }),
    ...(mayRunAgain && { mayRunAgain }),
    ...(storedResponse && { told: bounded(storedResponse) ?? NOTHING }),
  };
  const isFree = 'attribute_not_exists(pk) OR untilMs <= :now';
  const isReplaceable =
    replaces === undefined ? 'claimedBy = :mine' : '(claimedBy = :mine OR runId = :replaced)';
  const outcome = await table.put(item, {
    condition: `${isFree} OR (${isReplaceable} AND attribute_not_exists(told))`,
    values: {
      ':now': claimedAtMs,
      ':mine': claimedBy,
      ...(replaces !== undefined && { ':replaced': replaces }),
    },
  });
  // A retry of the same write is refused by the first one, whose response was lost.
  return outcome === 'done' || (await table.get(place))?.runId === runId;
}

const NOTHING: StoredResponse = { userErrors: [], locals: {}, ids: {} };

type StoringRun = {
  readonly repeat?: ItemKey | undefined;
  readonly id: string;
  /** There is no intent, so no other process stores a response: an earlier one is replaced. */
  readonly isOnlyTeller?: boolean;
};

/**
 * Stores the response for retries with the same key.
 * @returns false when the request has no key, or the response is too long
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function storeResponse(
  table: Table,
  { repeat: idempotentRequest, id, isOnlyTeller = false }: StoringRun,
  storedResponse: Partial<StoredResponse>,
): Promise<boolean> {
  const response = idempotentRequest && bounded({ ...NOTHING, ...storedResponse });
  if (!response) return false;
  await table.update({
    key: idempotentRequest,
    update: 'SET told = :told',
    condition: isOnlyTeller ? 'runId = :mine' : 'runId = :mine AND attribute_not_exists(told)',
    values: { ':told': response, ':mine': id },
  });
  return true;
}

/** @returns undefined when a refusal is too long to store. Nothing was changed then, so the request may run again */
function bounded(storedResponse: StoredResponse): StoredResponse | undefined {
  if (JSON.stringify(storedResponse).length <= MAX_CHARACTERS) return storedResponse;
  return storedResponse.userErrors.length > 0 ? undefined : { ...storedResponse, locals: {} };
}
