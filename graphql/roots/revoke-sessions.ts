/**
 * The mutations that end sessions of a customer, without a request to the platform, which has no part in the service's
 * tokens.
 */
import type { CustomerActor } from '../../lib/credentials/actor.ts';
import { parseSessionGid } from '../../lib/domain/session-id.ts';
import { message } from '../../lib/messages/message.ts';
import {
  endOtherSessions,
  endOwnSession,
  type RevocationRefusal,
} from '../../lib/sign-in/sessions/end-own-sessions.ts';
import { revokeSessionForStore } from '../../lib/sign-in/sessions/visible-sessions.ts';
import { createSessionRepository } from '../../lib/storage/sessions/sessions.ts';
import { createSignInRepository } from '../../lib/storage/sessions/sign-ins.ts';
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import {
  createChangedOutcome,
  createRefusedOutcome,
  createUserError,
  type OperationError,
  type OperationOutcome,
} from '../../lib/subscriptions/operation-error.ts';
import type { RunContext } from '../plan/run-context.ts';

const MINUTE_MS = 60_000;

/**
 * `customerSessionRevoke`. A session of another customer or store gets the same user error as one that does not exist.
 * A customer can end newer sessions only rarely.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function revokeSessionById(
  context: RunContext,
  { args }: OperationRequest,
): Promise<OperationOutcome> {
  const { actor, identity, store } = context;
  const { actingCustomerId } = identity;
  const sessionId = parseSessionGid(String(args.sessionId));
  const mayRevokeSession =
    sessionId !== undefined && (actingCustomerId === undefined || sessionId.customerId === actingCustomerId);
  if (!mayRevokeSession) return createRefusedOutcome([UNKNOWN_SESSION_ERROR]);
  const sessionRef = { shopId: store.shopId, ...sessionId };
  const deps = createSessionDeps(context);
  if (actor.kind === 'customer') {
    const revocation = await endOwnSession(deps, requireActingSession(actor), sessionRef);
    if (revocation.outcome === 'unknown') return createRefusedOutcome([UNKNOWN_SESSION_ERROR]);
    if (revocation.outcome !== 'done') return createRefusedOutcome([toRefusalError(context, revocation)]);
  } else if (!(await revokeSessionForStore(deps, sessionRef, { reason: 'store', keyId: actor.keyId }))) {
    return createRefusedOutcome([UNKNOWN_SESSION_ERROR]);
  }
  return createChangedOutcome({ revokedSessionId: args.sessionId });
}

/**
 * `customerSessionsRevokeOthers`. A store's key has no session, so there are no other sessions.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function revokeOtherSessions(context: RunContext): Promise<OperationOutcome> {
  const { actor, store } = context;
  if (actor.kind !== 'customer') {
    return createRefusedOutcome(
      [createUserError('INVALID', { field: null, message: message('sessionsNoOthers') })],
      {
        revokedCount: 0,
      },
    );
  }
  const revocation = await endOtherSessions(createSessionDeps(context), store, requireActingSession(actor));
  if (revocation.outcome !== 'done')
    return createRefusedOutcome([toRefusalError(context, revocation)], { revokedCount: 0 });
  return createChangedOutcome({ revokedCount: revocation.count });
}

const UNKNOWN_SESSION_ERROR = createUserError('INVALID', {
  field: ['sessionId'],
  message: message('sessionUnknown'),
});

function toRefusalError({ now }: RunContext, refusal: RevocationRefusal): OperationError {
  if (refusal.outcome === 'replaced') {
    return createUserError('INVALID', { field: null, message: message('sessionReplaced') });
  }
  const minutes = Math.max(1, Math.ceil((refusal.retryAtMs - now()) / MINUTE_MS));
  return createUserError('INVALID', { field: null, message: message('sessionsEndedOften', { minutes }) });
}

function requireActingSession({ shopId, customerId, session: { sessionId, generation } }: CustomerActor) {
  return { shopId, customerId, sessionId, generation };
}

function createSessionDeps({ table, logger, now }: RunContext) {
  return {
    sessions: createSessionRepository({ table }),
    signIns: createSignInRepository({ table }),
    logger,
    now,
  };
}
