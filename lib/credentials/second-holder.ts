/** The answer to somebody who uses a copy of a session's tokens, at sign-in and GraphQL alike. */
import type { Logger } from '../observability/logger.ts';
import type { SessionRecord, SessionRef } from '../storage/sessions/session-record.ts';
import type { Sessions } from '../storage/sessions/sessions.ts';
import type { WriteOutcome } from '../storage/table.ts';
import { type RevokeSessionDeps, revokeSession } from './revoke-session.ts';

export type SecondHolderDeps = RevokeSessionDeps & {
  readonly sessions: Pick<Sessions, 'noteSecondHolder'>;
  readonly logger: Pick<Logger, 'error'>;
};

/** Notes a generation of which two hand-outs are used, and rings an alarm. Refused: somebody else noted one meanwhile. */
export async function noteSecondHolder(
  { sessions, logger, now }: SecondHolderDeps,
  session: SessionRecord,
  generation: number,
): Promise<WriteOutcome> {
  const written = await sessions.noteSecondHolder(session, generation, now());
  if (written.outcome === 'done') {
    const fields = { ...alarmOf('refresh_shared', session), generation };
    logger.error('two hand-outs of one generation are used', fields);
  }
  return written;
}

/** Ends a session because somebody has a copy of its tokens. */
export async function endForReuse(deps: SecondHolderDeps, session: SessionRecord): Promise<void> {
  deps.logger.error('refresh_reuse_detected', alarmOf('refresh_reuse', session));
  await revokeSession(deps, session, { reason: 'reuse' });
}

/** The fields of a log line that is an alarm about a session. */
export function alarmOf(alarm: string, { shopId, customerId, sessionId }: SessionRef) {
  return { alarm, shopId, customerId, sessionId };
}
