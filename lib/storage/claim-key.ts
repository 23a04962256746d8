/** The claim on a key is one conditional write; what those who repeat the request are told is another, where it is needed. */

import { KEY_LIFE_MS, type Repeat, type ToldAnswer } from './repeat-claim.ts';
import type { ItemKey, Table } from './table.ts';

type Deps = { readonly table: Table; readonly now: () => number };

/** A run that claims a key. `told`: it has ended already. */
export type ClaimingRun = {
  readonly runId: string;
  /** The intent's, if there is one. */
  readonly number?: string;
  readonly mayRunAgain?: boolean;
  readonly told?: ToldAnswer;
};

/** The kept items are bounded: a caller decides how much there is to tell. */
const MOST_CHARACTERS = 8_000;

/** Claims the key for a run; false: another request has it. TEMPORARILY_UNAVAILABLE. */
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
  // A second try of the same request is refused by the first, whose answer was lost.
  const isOwn = outcome === 'done' || (await table.get(place))?.runId === runId;
  if (isOwn) Object.assign(repeat, { replaces: runId, isClaimed: true });
  return isOwn;
}

const NOTHING: ToldAnswer = { userErrors: [], locals: {}, ids: {} };

type Telling = {
  readonly repeat?: ItemKey | undefined;
  readonly id: string;
  /** There is no intent, so nobody else tells: what was told before is replaced. */
  readonly isOnlyTeller?: boolean;
};

/** Whoever repeats the request is told this; false: it has no key, or it is too long to keep. TEMPORARILY_UNAVAILABLE. */
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

/** Undefined: a refusal that is too long to keep. Nothing was changed, so it may be tried again. */
function bounded(told: ToldAnswer): ToldAnswer | undefined {
  if (JSON.stringify(told).length <= MOST_CHARACTERS) return told;
  return told.userErrors.length > 0 ? undefined : { ...told, locals: {} };
}
