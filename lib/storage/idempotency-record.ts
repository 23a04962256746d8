/**
 * A caller may send a request with an idempotency key (`@idempotent`), to be able to retry it. The idempotency record
 * stays in the table for 24 hours. It names the change's intent, whose outcome is the outcome of the request; the
 * record stores only the parts of the response that no timeline entry has.
 */
import { createHash } from 'node:crypto';
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey } from './table.ts';

/** The stored response for retries, without the objects that the retry selects itself. */
export type StoredResponse = {
  readonly userErrors: readonly Readonly<Record<string, unknown>>[];
  /** Fields of the payload that the service fills itself. Never a secret: a retry does not return it again. */
  readonly locals: Readonly<Record<string, unknown>>;
  /** Ids by fields of the payload, in the platform's namespace, if the arguments do not name the object. */
  readonly ids: Readonly<Record<string, string>>;
};

/** A request with an idempotency key. */
export type KeyedRequest = {
  readonly shopId: ShopId;
  readonly place: ItemKey;
  readonly argumentsHash: string;
  /** The customer who sends the request, or for whom a key acts: an erasure finds the record by it. */
  readonly customerId?: CustomerId | undefined;
  /** The fields of the payload in `locals` that a retry returns. */
  readonly storedFields: readonly string[];
};

/** An idempotency key that this request may claim: the first request with it has not ended in a change. */
export type ClaimedKey = KeyedRequest & {
  /** The run whose idempotency record this request may replace, or undefined when the key is unused. */
  readonly replaces: string | undefined;
  /** The id of this request's run. The request may replace its own record, and claims under this id without an intent. */
  readonly runId: string;
};

/** The idempotency record of a key. */
export type IdempotencyRecord = {
  /** The id of the intent, or of a run without an intent. */
  readonly runId: string;
  readonly argumentsHash: string;
  readonly claimedAtMs: number;
  readonly untilMs: number;
  /** The intent's number, which determines its key; undefined when the change has no intent. */
  readonly number: string | undefined;
  /** Without an intent: whether the change may run a second time if the first outcome is unknown. */
  readonly mayRunAgain: boolean;
  readonly storedResponse: StoredResponse | undefined;
};

export const KEY_LIFETIME_MS = 86_400_000;

type Scope = {
  readonly shopId: ShopId;
  /** The caller: no two callers have the same value. */
  readonly actor: readonly (string | number)[];
  readonly field: string;
  readonly key: string;
};

/** Returns the key of the idempotency record. The idempotency key is only stored as a hash: it may name a person. */
export function idempotencyItemKey({ shopId, actor, field, key }: Scope): ItemKey {
  return { pk: `REPEAT#${shopId}#${hashOf([actor, field, key])}`, sk: 'REPEAT' };
}

/**
 * Hashes a JSON value independently of the order of its fields. The idempotency key in it makes the hash unguessable.
 */
export function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
}

/** Converts an item to an idempotency record. */
export function toIdempotencyRecord(item: Item): IdempotencyRecord {
  const { runId, argumentsHash, claimedAtMs, untilMs, number, mayRunAgain, told: storedResponse } = item;
  const claim = {
    runId,
    argumentsHash,
    claimedAtMs,
    untilMs,
    number,
    mayRunAgain: mayRunAgain === true,
    storedResponse,
  };
  return claim as IdempotencyRecord;
}

/** Selects the fields that a retry may return. */
export function storedFieldsOf(
  locals: StoredResponse['locals'],
  storedFields: readonly string[],
): StoredResponse['locals'] {
  return Object.fromEntries(Object.entries(locals).filter(([name]) => storedFields.includes(name)));
}
