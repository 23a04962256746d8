/**
 * Reacts to a detected copy of a session's tokens: records it and raises an alarm, or ends the session. Used by sign-in
 * and GraphQL.
 */
import type { Logger } from '../observability/logger.ts';
import type { SessionRecord, SessionRef } from '../storage/sessions/session-record.ts';
import type { Sessions } from '../storage/sessions/sessions.ts';
import type { WriteOutcome } from '../storage/table.ts';
import { type RevokeSessionDeps, revokeSession } from './revoke-session.ts';

export type SharedTokensDeps = RevokeSessionDeps & {
  readonly sessions: Pick<Sessions, 'recordSharedTokens'>;
  readonly logger: Pick<Logger, 'error'>;
};

/**
 * Records a generation of which two issues are used, and raises an alarm. Refused when another request recorded one
 * in the meantime.
 */
export async function reportSharedTokens(
  { sessions, logger, now }: SharedTokensDeps,
  session: SessionRecord,
  generation: number,
): Promise<WriteOutcome> {
  const writeResult = await sessions.recordSharedTokens(session, generation, now());
  if (writeResult.outcome === 'done') {
    const logFields = { ...sessionAlarmFields('refresh_shared', session), generation };
    logger.error('session.shared_tokens_detected', logFields);
  }
  return writeResult;
}

/** Ends a session whose tokens were copied. */
export async function revokeSessionForReuse(deps: SharedTokensDeps, session: SessionRecord): Promise<void> {
  deps.logger.error('refresh_token.reuse_detected', sessionAlarmFields('refresh_reuse', session));
  await revokeSession(deps, session, { reason: 'reuse' });
}

/** Returns the log fields of an alarm about a session. */
export function sessionAlarmFields(alarm: string, { shopId, customerId, sessionId }: SessionRef) {
  return { alarm, shopId, customerId, sessionId };
}
