/**
 * Commits a sign-in: one write completes it, and stores all values from which its session and tokens are built. After
 * that, every repeated exchange returns the same tokens.
 */
import { parseDeviceLabel } from '../../domain/device-label.ts';
import { createSessionId, createSessionSalt } from '../../domain/session-id.ts';
import type { SessionSeed } from '../../storage/sessions/sign-ins.ts';
import { crashPoint } from '../crash-point.ts';
import { sealLinkTokens } from '../sessions/link-tokens.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { SignInLease } from './claim-sign-in.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { IdentifiedCustomer } from './identify-customer.ts';
import { signInUnfinished } from './sign-in-unfinished.ts';

type Commit = { readonly context: ExchangeContext; readonly identity: IdentifiedCustomer };

/**
 * Writes the commit. Returns the values of the session.
 * @throws TEMPORARILY_UNAVAILABLE when the lease was lost
 */
export async function commitSignIn(
  deps: SignInDeps,
  leased: SignInLease,
  { context, identity }: Commit,
): Promise<SessionSeed> {
  if (deps.now() > leased.deadlineMs) throw signInUnfinished('the deadline has passed');
  const { customerId, tokens, receivedAtMs } = identity;
  const sessionId = createSessionId(deps.random);
  const ref = { shopId: context.store.shopId, customerId, sessionId };
  const nowMs = deps.now();
  const deviceLabel = parseDeviceLabel(context.userAgent);
  const seed: SessionSeed = {
    customerId,
    sessionId,
    salt: createSessionSalt(deps.random),
    kid: (await deps.tokenKeys.signing(context.store.refusedKids)).kid,
    mintedAtMs: nowMs,
    clientId: context.clientId,
    ...(deviceLabel !== undefined && { deviceLabel }),
    linkStoredAtMs: nowMs,
    linkExpiresAtMs: receivedAtMs + tokens.expiresInSeconds * 1000,
    ...(tokens.refreshToken !== undefined && {
      linkTokens: await sealLinkTokens(deps, ref, {
        refreshToken: tokens.refreshToken,
        idToken: tokens.idToken,
      }),
    }),
  };
  crashPoint('exchange.before-commit');
  const written = await deps.signIns.commit(leased, seed, nowMs);
  if (written.outcome === 'refused') throw signInUnfinished('the lease was lost');
  crashPoint('exchange.after-commit');
  return seed;
}
