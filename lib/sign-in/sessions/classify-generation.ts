/**
 * Classifies the refresh token of a generation, for an active session. A token pair can be issued again within 60 s,
 * and later until a token of it is used (its generation is confirmed). A replaced token that is presented after that
 * was copied. If two issues of one pair are used, the pair was copied, too; lib/credentials detects this.
 */

import { detectSharedTokens, type UsedTokenIssue } from '../../credentials/detect-shared-tokens.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';

const REFRESH_RETRY_GRACE_MS = 60_000;

export type GenerationVerdict =
  /** The token is the current one: create the next generation. */
  | { readonly kind: 'rotate' }
  /** The token is newer than the table, which was restored from a backup: continue from the token's generation. */
  | { readonly kind: 'ahead' }
  /**
   * The response with the next pair was lost: issue that pair again. `isLate` after 60 s: record the late retry first,
   * which starts the 60 s again.
   */
  | { readonly kind: 'repeat'; readonly isLate: boolean }
  /**
   * One of the three cases above applies, but the token belongs to a second issue of its generation that is in use:
   * record the shared tokens first.
   */
  | { readonly kind: 'shared' }
  /**
   * The token was replaced more than once within the last 60 s: reject it, but do not revoke the session, because this
   * is no proof of theft.
   */
  | { readonly kind: 'refuse' }
  /**
   * The token was replaced more than 60 s ago and its successor was used or replaced, or shared tokens were detected a
   * second time: revoke the session.
   */
  | { readonly kind: 'reuse' };

type GenerationFields = Pick<
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

/** Classifies the token by its generation and issue number. `nowMs` is in epoch milliseconds. */
export function classifyTokenGeneration(
  session: GenerationFields,
  presentedIssue: UsedTokenIssue,
  nowMs: number,
): GenerationVerdict {
  const verdict = classifyByGeneration(session, presentedIssue.generation, nowMs);
  if (verdict.kind === 'refuse' || verdict.kind === 'reuse') return verdict;
  const sharedTokensVerdict = detectSharedTokens(session, presentedIssue, nowMs);
  return sharedTokensVerdict === 'known' ? verdict : { kind: sharedTokensVerdict };
}

function classifyByGeneration(
  session: GenerationFields,
  presentedGeneration: number,
  nowMs: number,
): GenerationVerdict {
  if (presentedGeneration === session.generation) return { kind: 'rotate' };
  if (presentedGeneration > session.generation) return { kind: 'ahead' };
  const isInGrace = nowMs - lastTokenPairIssueAtMs(session, presentedGeneration) <= REFRESH_RETRY_GRACE_MS;
  const isPreviousGeneration = presentedGeneration === session.generation - 1;
  const isConfirmed = session.confirmedGeneration >= session.generation;
  if (isPreviousGeneration && (isInGrace || !isConfirmed)) return { kind: 'repeat', isLate: !isInGrace };
  return { kind: isInGrace ? 'refuse' : 'reuse' };
}

/**
 * Returns when the generation was replaced, or its successor's pair was last issued again (epoch milliseconds). If that
 * is not stored, because it is too old or lost in a restore, the time of the next stored generation is used, which is
 * later.
 */
function lastTokenPairIssueAtMs(session: GenerationFields, presentedGeneration: number): number {
  const laterReplaced = session.replaced.filter(({ generation }) => generation >= presentedGeneration);
  const replacedAtMs = laterReplaced.reduce(
    (earliest, { atMs }) => Math.min(earliest, atMs),
    session.mintedAtMs,
  );
  return Math.max(replacedAtMs, session.lateRepeatAtMs ?? 0);
}
