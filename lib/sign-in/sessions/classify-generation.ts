/**
 * Evaluates the refresh token of a generation for an active session. A pair can be issued again for 60 s, and until
 * it is used (its generation is confirmed); a replaced token that is presented later was copied. So was a pair of
 * which two issues are used, which lib/credentials detects.
 */

import { detectSharedTokens, type PresentedPair } from '../../credentials/detect-shared-tokens.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';

const GRACE_MS = 60_000;

export type GenerationVerdict =
  /** The generation is the current one: create the next. */
  | { readonly kind: 'rotate' }
  /** The generation is ahead of the table, which was restored from a backup: continue from the token's generation. */
  | { readonly kind: 'ahead' }
  /** The successor's response was lost: issue the same pair again. Late: record it first; the 60 s then restart. */
  | { readonly kind: 'repeat'; readonly isLate: boolean }
  /**
   * The token has one of the three states above, but belongs to a second issue of its generation: record that first.
   */
  | { readonly kind: 'shared' }
  /** The token was replaced a moment ago: refuse it without revoking the session, because theft is not evident. */
  | { readonly kind: 'refuse' }
  /**
   * The token was replaced and its successor used, or shared tokens were detected a second time: revoke the session.
   */
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

/** Evaluates a token of this generation and issue at `nowMs`. */
export function classifyGeneration(
  session: Generations,
  presented: PresentedPair,
  nowMs: number,
): GenerationVerdict {
  const verdict = classifyAge(session, presented.generation, nowMs);
  if (verdict.kind === 'refuse' || verdict.kind === 'reuse') return verdict;
  const holders = detectSharedTokens(session, presented, nowMs);
  return holders === 'known' ? verdict : { kind: holders };
}

function classifyAge(session: Generations, presented: number, nowMs: number): GenerationVerdict {
  if (presented === session.generation) return { kind: 'rotate' };
  if (presented > session.generation) return { kind: 'ahead' };
  const isRecent = nowMs - lastServedAt(session, presented) <= GRACE_MS;
  const isOneBehind = presented === session.generation - 1;
  const isConfirmed = session.confirmedGeneration >= session.generation;
  if (isOneBehind && (isRecent || !isConfirmed)) return { kind: 'repeat', isLate: !isRecent };
  return { kind: isRecent ? 'refuse' : 'reuse' };
}

/**
 * Returns when a generation was replaced, or its successor's pair last issued again. A generation that is too old to
 * be stored, or lost in a restore, was replaced no later than the next stored one.
 */
function lastServedAt(session: Generations, presented: number): number {
  const remaining = session.replaced.filter(({ generation }) => generation >= presented);
  const replacedAt = remaining.reduce((earliest, { atMs }) => Math.min(earliest, atMs), session.mintedAtMs);
  return Math.max(replacedAt, session.lateRepeatAtMs ?? 0);
}
