/** The mutations that end sign-ins of a customer. The platform is not asked: it has no part in our tokens. */
import { parseSessionGid } from '../../lib/domain/session-gid.ts';
import { endOtherSessions, endSession } from '../../lib/sign-in/sessions/shown-sessions.ts';
import { createSessions } from '../../lib/storage/sessions/sessions.ts';
import { createSignIns } from '../../lib/storage/sessions/sign-ins.ts';
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import { type OperationOutcome, refusedWith } from '../../lib/subscriptions/operation-error.ts';
import type { RunContext } from '../run/run-context.ts';

const UNKNOWN = 'There is no such sign-in. List them to see their ids.';
const NO_OTHERS = 'Only a signed-in customer has others. End each sign-in with customerSessionRevoke.';

/**
 * `customerSessionRevoke`. Another customer's sign-in, one of another store and one that never was get the same user
 * error. TEMPORARILY_UNAVAILABLE.
 */
export async function endOneSession(
  context: RunContext,
  { args }: OperationRequest,
): Promise<OperationOutcome> {
  const { actor, identity, store } = context;
  const { actingCustomerId } = identity;
  const meant = parseSessionGid(String(args.sessionId));
  const isOpen =
    meant !== undefined && (actingCustomerId === undefined || meant.customerId === actingCustomerId);
  const endedBy =
    actor.kind === 'store'
      ? ({ reason: 'store', keyId: actor.keyId } as const)
      : ({ reason: 'customer' } as const);
  const isEnded = isOpen && (await endSession(depsOf(context), { shopId: store.shopId, ...meant }, endedBy));
  if (isEnded) return done({ revokedSessionId: args.sessionId });
  return refusedWith([{ field: ['sessionId'], message: UNKNOWN, code: 'INVALID' }]);
}

/** `customerSessionsRevokeOthers`. A store's key has no sign-in, so there are no others. TEMPORARILY_UNAVAILABLE. */
export async function endTheOthers(context: RunContext): Promise<OperationOutcome> {
  const { actor, store } = context;
  if (actor.kind !== 'customer') {
    return refusedWith([{ field: null, message: NO_OTHERS, code: 'INVALID' }], { revokedCount: 0 });
  }
  const { shopId, customerId, session } = actor;
  const current = { shopId, customerId, sessionId: session.sessionId };
  return done({ revokedCount: await endOtherSessions(depsOf(context), store, current) });
}

function done(locals: Readonly<Record<string, unknown>>): OperationOutcome {
  return { answered: null, userErrors: [], errors: [], locals };
}

function depsOf({ table, logger, now }: RunContext) {
  return { sessions: createSessions({ table }), signIns: createSignIns({ table }), logger, now };
}
