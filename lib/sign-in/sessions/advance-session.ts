/**
 * Moves a session forward for a presented refresh token. If a write loses against a concurrent one, the session is read
 * and classified again, so that any number of identical refreshes create one generation with one token pair.
 */

import { findFirstUsedIssueNumber } from '../../credentials/detect-shared-tokens.ts';
import {
  reportSharedTokens,
  revokeSessionForReuse,
  sessionAlarmFields,
} from '../../credentials/report-shared-tokens.ts';
import type { SessionClaims } from '../../domain/tokens/session-claims.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SessionRecord, SessionRotation } from '../../storage/sessions/session-record.ts';
import {
  isSessionActive,
  SESSION_IDLE_LIFETIME_MS,
  sessionTtlSeconds,
} from '../../storage/sessions/session-record.ts';
import { passCrashPoint } from '../crash-point.ts';
import { isTransientError } from '../is-transient-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { classifyTokenGeneration, type GenerationVerdict } from './classify-generation.ts';
import type { PresentedSession } from './find-presented-session.ts';

const MAX_ADVANCE_ATTEMPTS = 4;
const MAX_REPLACED_GENERATIONS = 4;
const LATE_RETRIES_BEFORE_ALARM = 3;

/**
 * Returns the session, whose current token pair is then issued.
 * @throws INVALID_REFRESH_TOKEN when the session or the token is no longer valid
 * @throws TEMPORARILY_UNAVAILABLE when the session changes too often meanwhile
 */
export async function advanceSessionForToken(
  deps: SignInDeps,
  presentedSession: PresentedSession,
): Promise<SessionRecord> {
  const { claims, store } = presentedSession;
  let session: SessionRecord | undefined = presentedSession.session;
  for (let attemptsMade = 0; attemptsMade < MAX_ADVANCE_ATTEMPTS; attemptsMade++) {
    if (session === undefined || !isSessionActive(session, store, deps.now())) break;
    const generationVerdict = classifyTokenGeneration(session, claims, deps.now());
    const advancedSession = await applyGenerationVerdict(deps, {
      session,
      generationVerdict,
      presentedClaims: claims,
    }).catch(ignoreLostResponse);
    if (advancedSession !== undefined) return advancedSession;
    session = await deps.sessions.find(claims);
    if (attemptsMade === MAX_ADVANCE_ATTEMPTS - 1) {
      throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the session keeps changing' });
    }
  }
  throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'the session is revoked or expired' });
}

/**
 * Ignores a lost response: the write may have succeeded, so the session is read again, as after a condition that did
 * not hold.
 */
function ignoreLostResponse(error: unknown): undefined {
  if (!isTransientError(error)) throw error;
}

type ClassifiedSession = {
  session: SessionRecord;
  generationVerdict: GenerationVerdict;
  presentedClaims: SessionClaims;
};

/**
 * Does what the verdict demands, and returns the session after it.
 * @returns undefined when a concurrent write was first, so that the session must be read again
 */
async function applyGenerationVerdict(
  deps: SignInDeps,
  step: ClassifiedSession,
): Promise<SessionRecord | undefined> {
  const { session, generationVerdict, presentedClaims } = step;
  switch (generationVerdict.kind) {
    case 'ahead':
      deps.logger.error('refresh_token.ahead_detected', sessionAlarmFields('refresh_ahead', session));
      return rotateSession(deps, session, presentedClaims);
    case 'rotate':
      return rotateSession(deps, session, presentedClaims);
    case 'repeat':
      return generationVerdict.isLate ? recordLateRetry(deps, session) : session;
    case 'shared':
      // The caller then reads the session again, and classifies the token with the recorded detection.
      await reportSharedTokens(deps, session, presentedClaims.generation);
      return undefined;
    case 'refuse':
      throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'replaced a moment ago' });
    case 'reuse':
      await revokeSessionForReuse(deps, session);
      throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'reuse of a replaced token' });
  }
}

async function rotateSession(
  deps: SignInDeps,
  session: SessionRecord,
  { generation, handOut }: SessionClaims,
): Promise<SessionRecord | undefined> {
  const { kid } = await deps.tokenKeys.signingKey();
  const nowMs = deps.now();
  const idleExpiresAtMs = nowMs + SESSION_IDLE_LIFETIME_MS;
  const firstUsedIssueNumber = findFirstUsedIssueNumber(session, generation) ?? handOut;
  const replacedGeneration = {
    generation,
    atMs: nowMs,
    ...(firstUsedIssueNumber > 0 && { handOut: firstUsedIssueNumber }),
  };
  const rotatedFields: SessionRotation = {
    generation: generation + 1,
    kid,
    mintedAtMs: nowMs,
    replaced: [replacedGeneration, ...session.replaced].slice(0, MAX_REPLACED_GENERATIONS),
    lateRepeats: 0,
    idleExpiresAtMs,
    expiresAt: sessionTtlSeconds({ ...session, idleExpiresAtMs }),
  };
  const rotationWrite = await deps.sessions.rotate(session, rotatedFields);
  passCrashPoint('refresh.after-rotate');
  return rotationWrite.outcome === 'done' ? { ...session, ...rotatedFields } : undefined;
}

async function recordLateRetry(deps: SignInDeps, session: SessionRecord): Promise<SessionRecord | undefined> {
  const nowMs = deps.now();
  // A late retry extends the idle lifetime like any other refresh: an app with a lost response is not idle.
  const idleExpiresAtMs = nowMs + SESSION_IDLE_LIFETIME_MS;
  const expiresAtSeconds = sessionTtlSeconds({ ...session, idleExpiresAtMs });
  const writeResult = await deps.sessions.recordLateRetry(session, {
    nowMs,
    idleExpiresAtMs,
    expiresAt: expiresAtSeconds,
  });
  passCrashPoint('refresh.after-late-repeat');
  if (writeResult.outcome === 'refused') return undefined;
  const lateRepeats = session.lateRepeats + 1;
  if (lateRepeats >= LATE_RETRIES_BEFORE_ALARM) {
    deps.logger.error('session.late_retries_exceeded', {
      ...sessionAlarmFields('refresh_repeats', session),
      lateRepeats,
    });
  }
  return { ...session, lateRepeats };
}
