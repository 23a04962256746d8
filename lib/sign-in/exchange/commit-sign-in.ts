/**
 * Commits a sign-in: one write marks it as done and stores the seed, which has all values from which the session and its
 * tokens are computed. After the commit, an app that repeats the exchange gets the same tokens, unless a token of the
 * session was used or 15 minutes have passed (see retry-exchange.ts).
 */
import { parseDeviceLabel } from '../../domain/device-label.ts';
import { createSessionId, createSessionSalt } from '../../domain/session-id.ts';
import type { SessionSeed } from '../../storage/sessions/sign-ins.ts';
import { passCrashPoint } from '../crash-point.ts';
import { sealLinkTokens } from '../sessions/link-tokens.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { ClaimedSignIn } from './claim-sign-in.ts';
import type { ResolvedExchange } from './exchange-context.ts';
import type { IdentifiedCustomer } from './identify-customer.ts';
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

type SignInCommit = { readonly context: ResolvedExchange; readonly identifiedCustomer: IdentifiedCustomer };

/**
 * Creates the seed of the session and writes the commit. Returns the seed.
 * @throws TEMPORARILY_UNAVAILABLE when the deadline of the lease has passed, or another exchange has taken over the lease
 */
export async function commitSignIn(
  deps: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  { context, identifiedCustomer }: SignInCommit,
): Promise<SessionSeed> {
  if (deps.now() > claimedSignIn.deadlineAtMs) throw signInUnfinishedError('the deadline has passed');
  const { customerId, tokens, receivedAtMs } = identifiedCustomer;
  const sessionId = createSessionId(deps.random);
  const sessionRef = { shopId: context.store.shopId, customerId, sessionId };
  const nowMs = deps.now();
  const deviceLabel = parseDeviceLabel(context.userAgent);
  const sessionSeed: SessionSeed = {
    customerId,
    sessionId,
    salt: createSessionSalt(deps.random),
    kid: (await deps.tokenKeys.signingKey(context.store.refusedKids)).kid,
    mintedAtMs: nowMs,
    clientId: context.signInTarget.clientId,
    ...(context.signInTarget.origin !== undefined && { origin: context.signInTarget.origin }),
    ...(deviceLabel !== undefined && { deviceLabel }),
    linkStoredAtMs: nowMs,
    linkExpiresAtMs: receivedAtMs + tokens.expiresInSeconds * 1000,
    ...(tokens.refreshToken !== undefined && {
      linkTokens: await sealLinkTokens(deps, sessionRef, {
        refreshToken: tokens.refreshToken,
        idToken: tokens.idToken,
      }),
    }),
  };
  passCrashPoint('exchange.before-commit');
  const commitResult = await deps.signIns.commit(claimedSignIn, sessionSeed, nowMs);
  if (commitResult.outcome === 'refused') throw signInUnfinishedError('the lease was lost');
  passCrashPoint('exchange.after-commit');
  return sessionSeed;
}
