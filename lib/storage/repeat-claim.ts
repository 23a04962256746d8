/**
 * A request may come under a key of its caller's (`@idempotent`), so that it can be repeated. The claim on a key lies in
 * the table for 24 hours. It names the intent of the change, and the intent's own end tells what came of it: the claim
 * says only what no entry of the timeline does.
 */
import { createHash } from 'node:crypto';
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey } from './table.ts';

/** What those who repeat a request are told, beside the state of what they select. */
export type ToldAnswer = {
  readonly userErrors: readonly Readonly<Record<string, unknown>>[];
  /** Fields of the payload that the service answers itself. Never a secret: a repeat does not tell it again. */
  readonly locals: Readonly<Record<string, unknown>>;
  /** Ids by fields of the payload, as the platform names them, where the arguments do not name the object. */
  readonly ids: Readonly<Record<string, string>>;
};

/** A request under a key, on its way. */
export type Repeat = {
  readonly shopId: ShopId;
  readonly place: ItemKey;
  readonly argumentsHash: string;
  /** The customer who asks, or in whose name a key does: by it an erasure finds the claim. */
  readonly customerId?: CustomerId | undefined;
  /** The fields of the payload in `locals` that a repeat is told. */
  readonly keeps: readonly string[];
  /** The run whose claim this request may replace; undefined: where there is none. A claim of its own takes the place. */
  replaces: string | undefined;
  isClaimed: boolean;
};

/** The claim on a key. */
export type RepeatClaim = {
  /** The id of the intent, or of a run without one. */
  readonly runId: string;
  readonly argumentsHash: string;
  readonly claimedAtMs: number;
  readonly untilMs: number;
  /** The intent's number, which names its place; undefined: the change has none. */
  readonly number: string | undefined;
  /** Without an intent: whether the change may be made a second time where nobody knows about the first. */
  readonly mayRunAgain: boolean;
  readonly told: ToldAnswer | undefined;
};

export const KEY_LIFE_MS = 86_400_000;

type Scope = {
  readonly shopId: ShopId;
  /** Who asks: no two of these texts are the same for two callers. */
  readonly actor: readonly (string | number)[];
  readonly field: string;
  readonly key: string;
};

/** Where the claim on a key lies. The key itself is not kept: it may name a person. */
export function repeatPlace({ shopId, actor, field, key }: Scope): ItemKey {
  return { pk: `REPEAT#${shopId}#${hashOf([actor, field, key])}`, sk: 'REPEAT' };
}

/** A hash of a JSON value that does not depend on the order of its fields; with the key in it nobody can guess. */
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

/** The claim of an item. */
export function toRepeatClaim(item: Item): RepeatClaim {
  const { runId, argumentsHash, claimedAtMs, untilMs, number, mayRunAgain, told } = item;
  const claim = {
    runId,
    argumentsHash,
    claimedAtMs,
    untilMs,
    number,
    mayRunAgain: mayRunAgain === true,
    told,
  };
  return claim as RepeatClaim;
}

/** Of what the service answers itself only what a repeat is told. */
export function keptOf(locals: ToldAnswer['locals'], keeps: readonly string[]): ToldAnswer['locals'] {
  return Object.fromEntries(Object.entries(locals).filter(([name]) => keeps.includes(name)));
}
