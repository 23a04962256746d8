/**
 * Finds two who hold the tokens of one session. Each late repeat hands the pair out under a number of its own, and a
 * client that keeps to the contract uses one of them: two hand-outs that are both used have two holders. One such
 * generation may be a tab that was frozen with an answer; two within 30 days are a thief beside the owner. It stands
 * here and not with sign-in's sessions because access tokens are judged by it too (verify-customer-token.ts).
 */
import type { SessionClaims } from '../domain/tokens/session-claims.ts';
import type { SessionRecord } from '../storage/sessions/session-record.ts';

const MEMORY_MS = 30 * 24 * 60 * 60_000;

type HandOutVerdict =
  /** The use tells nothing new. */
  | 'known'
  /** A second hand-out of this generation is being used: note it. */
  | 'shared'
  /** The same, and another generation was noted in the last 30 days: end the session. */
  | 'reuse';

type Uses = Pick<
  SessionRecord,
  'replaced' | 'confirmedGeneration' | 'confirmedHandOut' | 'sharedGeneration' | 'sharedAtMs'
>;
export type PresentedPair = Pick<SessionClaims, 'generation' | 'handOut'>;

/** Judges the use of a pair, by either of its tokens, at `nowMs`. */
export function judgeHandOut(session: Uses, presented: PresentedPair, nowMs: number): HandOutVerdict {
  const used = usedHandOut(session, presented.generation);
  const { sharedGeneration, sharedAtMs = -Infinity } = session;
  if (used === undefined || used === presented.handOut) return 'known';
  if (sharedGeneration === presented.generation) return 'known';
  return nowMs - sharedAtMs <= MEMORY_MS ? 'reuse' : 'shared';
}

/** The hand-out of a generation that was used first, by a call or to rotate. Undefined: none was, or long ago. */
export function usedHandOut(session: Uses, generation: number): number | undefined {
  const replaced = session.replaced.find((one) => one.generation === generation);
  if (replaced !== undefined) return replaced.handOut ?? 0;
  return generation === session.confirmedGeneration ? (session.confirmedHandOut ?? 0) : undefined;
}
