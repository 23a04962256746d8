/** Claims an idempotency key with one conditional write. If needed, another write stores the response for retries. */

import { KEY_LIFE_MS, type Repeat, type ToldAnswer } from './repeat-claim.ts';
import type { ItemKey, Table } from './table.ts';

type Deps = { readonly table: Table; readonly now: () => number };

/** A run that claims a key, with the stored response if the run has already ended. */
export type ClaimingRun = {
  readonly runId: string;
  /** The intent's number, if there is an intent. */
  readonly number?: string;
  readonly mayRunAgain?: boolean;
  readonly told?: ToldAnswer;
};

/** The maximum size of a stored response, because a caller controls its size. */
const MOST_CHARACTERS = 8_000;

/**
 * Claims the key for a run.
 * @returns false when another request has it
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function claimKey(
  { table, now }: Deps,
  repeat: Repeat,
  { runId, number, mayRunAgain, told }: ClaimingRun,
): Promise<boolean> {
  const claimedAtMs = now();
  const untilMs = claimedAtMs + KEY_LIFE_MS;
  const { place, shopId, argumentsHash, replaces, customerId } = repeat;
  const item = {
    ...{ ...place, shopId, argumentsHash, runId, claimedAtMs, untilMs, expiresAt: Math.ceil(untilMs / 1000) },
    ...(customerId !== undefined && { customerId }),
    ...(number && { number }),
    ...(mayRunAgain && { mayRunAgain }),
    ...(told && { told: bounded(told) ?? NOTHING }),
  };
  const free = 'attribute_not_exists(pk) OR untilMs <= :now';
  const outcome = await table.put(item, {
    condition:
      replaces === undefined ? free : `${free} OR (runId = :replaced AND attribute_not_exists(told))`,
    values: { ':now': claimedAtMs, ...(replaces !== undefined && { ':replaced': replaces }) },
  });
  // A retry of the same write is refused by the first one, whose response was lost.
  const isOwn = outcome === 'done' || (await table.get(place))?.runId === runId;
  if (isOwn) Object.assign(repeat, { replaces: runId, isClaimed: true });
  return isOwn;
}

const NOTHING: ToldAnswer = { userErrors: [], locals: {}, ids: {} };

type Telling = {
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
export async function tellRepeats(
  table: Table,
  { repeat, id, isOnlyTeller = false }: Telling,
  told: Partial<ToldAnswer>,
): Promise<boolean> {
  const kept = repeat && bounded({ ...NOTHING, ...told });
  if (!kept) return false;
  await table.update({
    key: repeat,
    update: 'SET told = :told',
    condition: isOnlyTeller ? 'runId = :mine' : 'runId = :mine AND attribute_not_exists(told)',
    values: { ':told': kept, ':mine': id },
  });
  return true;
}

/** @returns undefined when a refusal is too long to store. Nothing was changed then, so the request may run again */
function bounded(told: ToldAnswer): ToldAnswer | undefined {
  if (JSON.stringify(told).length <= MOST_CHARACTERS) return told;
  return told.userErrors.length > 0 ? undefined : { ...told, locals: {} };
}
