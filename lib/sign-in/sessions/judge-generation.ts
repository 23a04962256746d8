/**
 * Judges the refresh token of a generation that an active session is shown. A pair may be fetched again for 60 s, and
 * until it was used (its generation is confirmed); a replaced token seen later than that has been copied. So has a
 * pair of which two hand-outs are used: judge-hand-out.ts.
 */

import { judgeHandOut, type PresentedPair } from '../../credentials/judge-hand-out.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';

const GRACE_MS = 60_000;

export type GenerationVerdict =
  /** The generation is the current one: make the next. */
  | { readonly kind: 'rotate' }
  /** The generation is ahead of the table, which was restored from a backup: go on from the token's. */
  | { readonly kind: 'ahead' }
  /** The successor's answer was lost: give the same pair again. Late: note it first; its 60 s run again from then. */
  | { readonly kind: 'repeat'; readonly isLate: boolean }
  /** The token is one of the three above, but of a second hand-out of its generation: note that first. */
  | { readonly kind: 'shared' }
  /** The token was replaced a moment ago: refuse it, for there is no sign of theft. */
  | { readonly kind: 'refuse' }
  /** The token was replaced and its successor used, or it is shared a second time: the session is ended. */
  | { readonly kind: 'reuse' };

type Generations = Pick<
  SessionRecord,
  | 'generation'
  | 'mintedAtMs'
  | 'replaced'
  | 'confirmedGeneration'
  | 'confirmedHandOut'
  | 'lateRepeatAtMs'
  | 'sharedGeneration'
  | 'sharedAtMs'
>;

/** The rule of refresh, for a token of this generation and hand-out at `nowMs`. */
export function judgeGeneration(
  session: Generations,
  presented: PresentedPair,
  nowMs: number,
): GenerationVerdict {
  const verdict = judgeAge(session, presented.generation, nowMs);
  if (verdict.kind === 'refuse' || verdict.kind === 'reuse') return verdict;
  const holders = judgeHandOut(session, presented, nowMs);
  return holders === 'known' ? verdict : { kind: holders };
}

function judgeAge(session: Generations, presented: number, nowMs: number): GenerationVerdict {
  if (presented === session.generation) return { kind: 'rotate' };
  if (presented > session.generation) return { kind: 'ahead' };
  const isRecent = nowMs - lastServedAt(session, presented) <= GRACE_MS;
  const isOneBehind = presented === session.generation - 1;
  const isConfirmed = session.confirmedGeneration >= session.generation;
  if (isOneBehind && (isRecent || !isConfirmed)) return { kind: 'repeat', isLate: !isRecent };
  return { kind: isRecent ? 'refuse' : 'reuse' };
}

/**
 * When a generation was replaced, or its successor's pair last given out again. A generation that is too old to be kept,
 * or lost in a restore, was replaced no later than the next one that is kept.
 */
function lastServedAt(session: Generations, presented: number): number {
  const kept = session.replaced.filter(({ generation }) => generation >= presented);
  const replacedAt = kept.reduce((earliest, { atMs }) => Math.min(earliest, atMs), session.mintedAtMs);
  return Math.max(replacedAt, session.lateRepeatAtMs ?? 0);
}
