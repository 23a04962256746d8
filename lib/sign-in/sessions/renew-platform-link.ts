/**
 * Finds out whether the platform has ended the customer's sign-in there: when the platform's access token has expired,
 * its refresh token is used. Only an `invalid_grant` for a token pair that is certainly the last one revokes the
 * session. If the response with a later pair may have been lost, `invalid_grant` may be the service's own fault; the
 * link to the platform is then marked as unusable, and the session stays active.
 */

import { revokeSession } from '../../credentials/revoke-session.ts';
import { TransportError } from '../../platform/send-request.ts';
import { classifyTokenResponse } from '../../platform/sign-in/classify-token-response.ts';
import { parseRefreshedTokens } from '../../platform/sign-in/verify-code-grant-response.ts';
import type { LinkStateAfterLease } from '../../storage/sessions/session-links.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { passCrashPoint } from '../crash-point.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { type LinkTokens, openLinkTokens, sealLinkTokens } from './link-tokens.ts';

const LINK_LEASE_MS = 10_000;
const PLATFORM_REFRESH_TIMEOUT_MS = 3_000;
const LINK_LEASE_ID_BYTES = 12;

type LeasedLink = {
  readonly session: SessionRecord;
  readonly leaseId: string;
  /**
   * True when no response with a later token pair can have been lost, so that `invalid_grant` is the platform's
   * decision.
   */
  readonly isTrusted: boolean;
};

/**
 * Renews the platform's tokens if they have expired. Returns `ended` when the platform has ended the sign-in; the
 * session is then revoked. Never throws.
 */
export async function renewPlatformLink(
  deps: SignInDeps,
  session: SessionRecord,
  store: StoreRecord,
): Promise<'ended' | 'goes on'> {
  try {
    const leasedLink = isLinkRenewalDue(session, deps.now())
      ? await acquireLinkLease(deps, session, store)
      : undefined;
    return leasedLink === undefined ? 'goes on' : await renewLeasedLink(deps, leasedLink, store);
  } catch (error) {
    // A failure here must not fail the refresh. The lease expires by itself, and the link then counts as uncertain.
    deps.logger.warn('platform_link.renewal_failed', { reason: String(error) });
    return 'goes on';
  }
}

function isLinkRenewalDue(session: SessionRecord, nowMs: number): boolean {
  const { linkState, linkTokens, linkExpiresAtMs, linkLeaseUntilMs = 0 } = session;
  if (linkTokens === undefined || linkState === 'dead' || linkState === 'none') return false;
  return nowMs >= linkExpiresAtMs && (linkState !== 'busy' || nowMs > linkLeaseUntilMs);
}

async function acquireLinkLease(
  { sessions, sessionLinks, random, now }: SignInDeps,
  session: SessionRecord,
  { restoredAtMs = 0 }: StoreRecord,
): Promise<LeasedLink | undefined> {
  const leaseId = Buffer.from(random(LINK_LEASE_ID_BYTES)).toString('base64url');
  const leaseWrite = await sessionLinks.lease(session, { leaseId, untilMs: now() + LINK_LEASE_MS });
  passCrashPoint('liveness.after-lease');
  // A retry of the write is refused if its first attempt was written and only the response was lost. Read the session
  // to find out.
  const isLeased = leaseWrite.outcome === 'done' || (await sessions.find(session))?.linkLeaseId === leaseId;
  if (!isLeased) return undefined;
  return {
    session,
    leaseId,
    isTrusted: session.linkState === 'ok' && session.linkStoredAtMs >= restoredAtMs,
  };
}

async function renewLeasedLink(
  deps: SignInDeps,
  leasedLink: LeasedLink,
  store: StoreRecord,
): Promise<'ended' | 'goes on'> {
  const { session, leaseId, isTrusted } = leasedLink;
  const tokens = await openLinkTokens(deps.tokenKeys, session);
  const linkStateAfterLease =
    tokens === undefined ? ENDED_LINK : await requestNewLinkTokens(deps, leasedLink, { tokens, store });
  passCrashPoint('liveness.after-grant');
  if (linkStateAfterLease === 'refused' && isTrusted) {
    return (await revokeSession(deps, session, { reason: 'platform', leaseId })) ? 'ended' : 'goes on';
  }
  await deps.sessionLinks.endLease(
    session,
    leaseId,
    linkStateAfterLease === 'refused' ? ENDED_LINK : linkStateAfterLease,
  );
  passCrashPoint('liveness.after-settle');
  return 'goes on';
}

const ENDED_LINK: LinkStateAfterLease = { state: 'dead' };
const UNCERTAIN_LINK: LinkStateAfterLease = { state: 'uncertain' };

type LinkRefreshRequest = { readonly tokens: LinkTokens; readonly store: StoreRecord };

/** Sends the refresh request to the platform. Returns the new state of the link, or `refused` for `invalid_grant`. */
async function requestNewLinkTokens(
  deps: SignInDeps,
  { session, isTrusted }: LeasedLink,
  { tokens, store }: LinkRefreshRequest,
): Promise<LinkStateAfterLease | 'refused'> {
  const refreshResponse = await deps.platform.refresh({
    signIn: store.signIn,
    clientId: session.linkClientId,
    origin: session.linkOrigin,
    refreshToken: tokens.refreshToken,
    timeoutMs: PLATFORM_REFRESH_TIMEOUT_MS,
  });
  const tokenOutcome = classifyTokenResponse(refreshResponse, 'refresh');
  if (tokenOutcome === 'grant-dead') return 'refused';
  if (tokenOutcome === 'transient') return isTrusted ? { state: 'ok' } : UNCERTAIN_LINK;
  const platformTokens =
    tokenOutcome === 'granted' && !(refreshResponse instanceof TransportError)
      ? parseRefreshedTokens(refreshResponse)
      : undefined;
  if (platformTokens === undefined) return UNCERTAIN_LINK;
  const nowMs = deps.now();
  const renewedTokens = { refreshToken: platformTokens.refreshToken, idToken: tokens.idToken };
  return {
    // An earlier request that was given up may still reach the platform after this one. The platform would take its
    // token for a reused one and end the sign-in. So the link is trusted only after one more renewal.
    state: isTrusted || session.linkState === 'settling' ? 'ok' : 'settling',
    tokens: {
      linkTokens: await sealLinkTokens(deps, session, renewedTokens),
      linkStoredAtMs: nowMs,
      linkExpiresAtMs: nowMs + platformTokens.expiresInSeconds * 1000,
    },
  };
}
