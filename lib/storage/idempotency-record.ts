/**
 * A client may send a mutation with an idempotency key (`@idempotent`), so that it can repeat the request safely. The
 * idempotency record is stored for 24 hours. It names the change's intent, whose outcome is the outcome of the request.
 * The record itself stores only the parts of the response that no timeline entry contains.
 */
import { createHash } from 'node:crypto';
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey } from './table.ts';

/** The parts of the response that are stored for retries. A retry reads the changed objects from the platform again. */
export type StoredResponse = {
  readonly userErrors: readonly Readonly<Record<string, unknown>>[];
  /**
   * Payload fields that the service fills in itself, by name. Never a secret, because retries must not return one
   * again.
   */
  readonly locals: Readonly<Record<string, unknown>>;
  /**
   * Ids of the changed objects by payload field, as global ids of the platform. Only those that the arguments do not
   * contain.
   */
  readonly ids: Readonly<Record<string, string>>;
};

/** The response that is stored when a retry needs nothing beyond the timeline entry: no user errors, no stored fields. */
export const EMPTY_RESPONSE: StoredResponse = { userErrors: [], locals: {}, ids: {} };

/** A client's request with an idempotency key, and what identifies its idempotency record. */
export type RequestWithIdempotencyKey = {
  readonly shopId: ShopId;
  readonly itemKey: ItemKey;
  readonly argumentsHash: string;
  /** The customer who sends the request, or for whom an admin key acts. An erasure finds the record by it. */
  readonly customerId?: CustomerId | undefined;
  /** The names of the fields in `locals` that a retry returns. */
  readonly storedFieldNames: readonly string[];
};

/** An idempotency key that this request may claim, because no request with the key has changed anything. */
export type ClaimableIdempotencyKey = RequestWithIdempotencyKey & {
  /** The run whose idempotency record this request may replace, or undefined when the key is unused. */
  readonly replaceableRunId: string | undefined;
  /**
   * The id of this request's run. The record names the run if the change has no intent, and the request may replace its
   * own record.
   */
  readonly runId: string;
};

/** The stored record of an idempotency key. */
export type IdempotencyRecord = {
  /** The id of the intent, or of the run for a change without an intent. */
  readonly runId: string;
  readonly argumentsHash: string;
  readonly claimedAtMs: number;
  readonly untilMs: number;
  /** The number of the intent, from which its table key is built. Undefined for a change without an intent. */
  readonly number: string | undefined;
  /** For a change without an intent: whether it may run a second time when the first outcome is unknown. */
  readonly mayRunAgain: boolean;
  readonly storedResponse: StoredResponse | undefined;
};

export const IDEMPOTENCY_RECORD_LIFETIME_MS = 86_400_000;

type IdempotencyKeyScope = {
  readonly shopId: ShopId;
  /** The caller as a list of values that no other caller has. */
  readonly actor: readonly (string | number)[];
  readonly field: string;
  readonly key: string;
};

/**
 * Returns the table key of the idempotency record. It contains only a hash of the idempotency key, which may name a
 * person.
 */
export function idempotencyItemKey({ shopId, actor, field, key }: IdempotencyKeyScope): ItemKey {
  return { pk: `REPEAT#${shopId}#${hashJson([actor, field, key])}`, sk: 'REPEAT' };
}

/**
 * Hashes a JSON value independently of the order of its fields. The value contains the idempotency key, so the hash
 * cannot be guessed.
 */
export function hashJson(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortFieldsDeep(value)))
    .digest('base64url');
}

function sortFieldsDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFieldsDeep);
  if (typeof value !== 'object' || value === null) return value;
  const sortedEntries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sortedEntries.map(([name, field]) => [name, sortFieldsDeep(field)]));
}

/** Converts an item of the table to an idempotency record. */
export function toIdempotencyRecord(item: Item): IdempotencyRecord {
  const { runId, argumentsHash, claimedAtMs, untilMs, number, mayRunAgain, told: storedResponse } = item;
  const recordedClaim = {
    runId,
    argumentsHash,
    claimedAtMs,
    untilMs,
    number,
    mayRunAgain: mayRunAgain === true,
    storedResponse,
  };
  return recordedClaim as IdempotencyRecord;
}

/** Returns the fields of `locals` that may be stored for retries. */
export function selectStoredFields(
  locals: StoredResponse['locals'],
  storedFieldNames: readonly string[],
): StoredResponse['locals'] {
  return Object.fromEntries(Object.entries(locals).filter(([name]) => storedFieldNames.includes(name)));
}
