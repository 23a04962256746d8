/**
 * Detects two clients with one session's tokens. Each late retry issues the pair under a new issue number, and a
 * correct client uses one of them; if two issues of one generation are used, two clients hold them. One such
 * generation may be a browser tab that was frozen with a response; two within 30 days indicate a thief. The file is
 * here, not with sign-in's sessions, because access tokens are evaluated by it, too (verify-customer-token.ts).
 */
import type { SessionClaims } from '../domain/tokens/session-claims.ts';
import type { SessionRecord } from '../storage/sessions/session-record.ts';

const REPEATED_SHARING_WINDOW_MS = 30 * 24 * 60 * 60_000;

type SharedTokensVerdict =
  /** This use of the tokens was recorded before, so there is nothing to write. */
  | 'known'
  /** A second issue of this generation is in use: record it. */
  | 'shared'
  /**
   * A second issue of this generation is in use, and another shared generation was recorded in the last 30 days: end
   * the session.
   */
  | 'reuse';

type TokenUseFields = Pick<
  SessionRecord,
  'replaced' | 'confirmedGeneration' | 'confirmedHandOut' | 'sharedGeneration' | 'sharedAtMs'
>;
export type UsedTokenIssue = Pick<SessionClaims, 'generation' | 'handOut'>;

/**
 * Determines whether the use of a token pair, by its access or refresh token, at `nowMs` shows that two clients hold
 * the session's tokens.
 */
export function detectSharedTokens(
  session: TokenUseFields,
  presentedIssue: UsedTokenIssue,
  nowMs: number,
): SharedTokensVerdict {
  const firstUsedIssueNumber = findFirstUsedIssueNumber(session, presentedIssue.generation);
  const { sharedGeneration, sharedAtMs = -Infinity } = session;
  if (firstUsedIssueNumber === undefined || firstUsedIssueNumber === presentedIssue.handOut) return 'known';
  if (sharedGeneration === presentedIssue.generation) return 'known';
  return nowMs - sharedAtMs <= REPEATED_SHARING_WINDOW_MS ? 'reuse' : 'shared';
}

/**
 * Returns the issue number of a generation's pair that was used first, by a call or a rotation.
 * @returns undefined when no issue was used, or the first use is no longer recorded
 */
export function findFirstUsedIssueNumber(session: TokenUseFields, generation: number): number | undefined {
  const replacedGeneration = session.replaced.find((candidate) => candidate.generation === generation);
  if (replacedGeneration !== undefined) return replacedGeneration.handOut ?? 0;
  return generation === session.confirmedGeneration ? (session.confirmedHandOut ?? 0) : undefined;
}
