/** Items of a customer's own: sign-ins, claims on keys, and whatever bears the customer's number. */
import { isDeepStrictEqual } from 'node:util';
import type { ToldAnswer } from '../storage/repeat-claim.ts';
import type { SignInRecord } from '../storage/sessions/sign-ins.ts';
import type { Item } from '../storage/table.ts';
import type { Forgetting, Whom } from './whom.ts';

/** A nonce is no good for longer, so a sign-in of before is of no use to anybody. */
const LONGEST_SIGN_IN_MS = 45 * 60_000;

const HOUR_MS = 3_600_000;

/** Sessions go whole, and so does the mark that ended them: the tombstone is in its place. */
export function forgetSession(item: Item, { isPerson, beforeMs }: Whom): Forgetting {
  const bornAtMs = Number(item.createdAtMs ?? item.endedAtMs ?? 0);
  return isPerson(item.customerId) && bornAtMs < beforeMs ? 'remove' : 'keep';
}

/** What the platform answered lies sealed in one that broke off: nobody can tell whose it is, so it goes when it is void. */
export function forgetSignIn(item: Item, { isPerson, beforeMs, nowMs }: Whom): Forgetting {
  const { seed, grant, startedAtMs } = item as unknown as SignInRecord;
  if (seed !== undefined && isPerson(seed.customerId)) return startedAtMs < beforeMs ? 'remove' : 'keep';
  return grant !== undefined && startedAtMs + LONGEST_SIGN_IN_MS < nowMs ? 'remove' : 'keep';
}

/** A mark that nothing depends on any more, whosever it was: TTL takes days to remove it. */
export function removeRunOut({ expiresAt }: Item, { nowMs }: Whom): Forgetting {
  return Number(expiresAt) * 1000 <= nowMs ? 'remove' : 'keep';
}

/**
 * A claim stays, as a hash, until its day is over, or a charge that is repeated would be made twice. What repeats are told
 * in words goes. A refusal changed nothing: its claim goes, and the request may be tried again.
 */
export function forgetRepeat(item: Item, { isPerson, contracts, beforeMs }: Whom): Forgetting {
  const told = item.told as ToldAnswer | undefined;
  const isOwn = isPerson(item.customerId);
  if (!isOwn && !isOnContract(item, told, contracts)) return 'keep';
  if (Number(item.claimedAtMs) >= beforeMs) return 'keep';
  if (told !== undefined && told.userErrors.length > 0) return 'remove';
  const bare = told && { ...told, locals: {} };
  if (!isOwn && isDeepStrictEqual(bare, told)) return 'keep';
  return {
    update: `${bare ? 'SET told = :told ' : ''}REMOVE customerId`,
    condition: 'runId = :run',
    values: { ':run': item.runId, ...(bare && { ':told': bare }) },
  };
}

const CONTRACT_DIGITS = 19;

/** By the number of its intent, or by what repeats are told. */
function isOnContract(item: Item, told: ToldAnswer | undefined, contracts: Whom['contracts']): boolean {
  const ofIntent =
    typeof item.number === 'string' ? item.number.slice(-CONTRACT_DIGITS).replace(/^0+/, '') : '';
  const ofAnswer = told?.ids.contract?.split('/').at(-1) ?? '';
  return contracts.has(ofIntent) || contracts.has(ofAnswer);
}

/** Whatever bears the customer's number at its top loses it. */
export function forgetNamed(item: Item, { isPerson }: Whom): Forgetting {
  if (!isPerson(item.customerId)) return 'keep';
  return { update: 'REMOVE customerId', condition: 'attribute_exists(customerId)' };
}

/** A request of the platform about the customer that is an hour old has been acted on, or is of no use. */
export function forgetMark({ customerId, sinceMs }: Item, { isPerson, beforeMs, nowMs }: Whom): Forgetting {
  const isOld = Number(sinceMs) + HOUR_MS <= nowMs && Number(sinceMs) < beforeMs;
  return isPerson(customerId) && isOld ? 'remove' : 'keep';
}
