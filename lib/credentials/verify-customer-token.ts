/**
 * Authenticates a customer by the bearer. Invalid, forged and expired tokens are refused by their format, MAC and
 * expiry, without I/O; then one read of session and store finds out whether the session is active.
 */
import { createLruCache } from '../domain/lru-cache.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { type AccessToken, accessTokenFormat } from '../domain/tokens/access-token.ts';
import type { KeyId } from '../domain/tokens/key-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SessionRecord } from '../storage/sessions/session-record.ts';
import { hasSessionSalt, isSessionActive } from '../storage/sessions/session-record.ts';
import type { Sessions } from '../storage/sessions/sessions.ts';
import type { CustomerActor, RememberedContracts } from './actor.ts';
import { detectSharedTokens } from './detect-shared-tokens.ts';
import type { RingKey } from './key-ring.ts';
import { readBearerToken } from './read-bearer-token.ts';
import { reportSharedTokens, revokeSessionForReuse, type SharedTokensDeps } from './report-shared-tokens.ts';
import type { TokenKeys } from './token-keys.ts';
import { unauthenticatedError } from './unauthenticated-error.ts';

type CustomerTokenDeps = SharedTokensDeps & {
  readonly tokenKeys: TokenKeys;
  readonly sessions: Pick<Sessions, 'findWithStore' | 'confirm' | 'rememberContracts'> &
    SharedTokensDeps['sessions'];
};

type CachedToken = { readonly key: RingKey; readonly token: AccessToken };

const MAX_CACHED_TOKENS = 1_000;
/**
 * The tokens with a valid MAC, by `Authorization` header: an app sends the same header with every request. Only the MAC
 * counts as verified, and only while the same key object is in use.
 */
const cachedTokens = createLruCache<string, CachedToken>(MAX_CACHED_TOKENS);

const MALFORMED_TOKEN_TEXT =
  'The access token is malformed. It begins with SVC_CT_ and is sent as it was received.';
const EXPIRED_TOKEN_TEXT = 'The access token has expired. Refresh it.';
const INVALID_TOKEN_TEXT = 'The access token is no longer valid. Refresh it, or sign the customer in again.';

/**
 * Verifies an `Authorization` header (RFC 6750, section 3.1) and returns the customer. The first call with a
 * generation's token confirms it: await `session.confirmation` before responding. The second detection of shared
 * tokens ends the session.
 * @throws UNAUTHENTICATED with `details` that distinguish expired from malformed tokens, but never reveal whether a
 * session exists
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function verifyCustomerToken(
  deps: CustomerTokenDeps,
  authorizationHeader: string | undefined,
): Promise<CustomerActor> {
  const { token, kid } = await parseAndVerifyMac(deps, authorizationHeader ?? '');
  if (deps.now() >= token.expiresAtMs) throw unauthenticatedError(EXPIRED_TOKEN_TEXT);
  const { session, store, quotaFreeAtMs } = await deps.sessions.findWithStore(token);
  const isTokenAccepted =
    session !== undefined &&
    store?.status === 'installed' &&
    !store.refusedKids?.includes(kid) &&
    hasSessionSalt(session, token.salt) &&
    isSessionActive(session, store, deps.now());
  if (!isTokenAccepted) throw unauthenticatedError(INVALID_TOKEN_TEXT);
  const { shopId, customerId, sessionId, generation } = token;
  const sharedTokensVerdict = detectSharedTokens(session, token, deps.now());
  if (sharedTokensVerdict === 'reuse') {
    await revokeSessionForReuse(deps, session);
    throw unauthenticatedError(INVALID_TOKEN_TEXT);
  }
  const confirmation = recordTokenUse(deps, session, { token, isShared: sharedTokensVerdict === 'shared' });
  const rememberedContracts = createRememberedContracts(deps, session);
  const actorSession = { sessionId, generation, confirmation, rememberedContracts };
  return { kind: 'customer', shopId, customerId, session: actorSession, store, quotaFreeAtMs };
}

/** Returns the session's contracts. A failed write is ignored: later requests only take longer. */
function createRememberedContracts(
  { sessions }: CustomerTokenDeps,
  session: SessionRecord,
): RememberedContracts {
  return {
    numbers: session.contractIds ?? [],
    replace: async (numbers) => {
      await sessions.rememberContracts(session, numbers).catch(() => undefined);
    },
  };
}

/**
 * Returns the store of the token in an `Authorization` header, also of a token that has expired or whose session has
 * ended.
 * @returns undefined when the header has no token of the service
 * @throws TEMPORARILY_UNAVAILABLE when the token keys cannot be read
 */
export async function findShopIdOfToken(
  deps: Pick<CustomerTokenDeps, 'tokenKeys'>,
  authorizationHeader: string | undefined,
): Promise<ShopId | undefined> {
  try {
    return (await parseAndVerifyMac(deps, authorizationHeader ?? '')).token.shopId;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'UNAUTHENTICATED') return undefined;
    throw error;
  }
}

type VerifiedToken = { readonly token: AccessToken; readonly kid: KeyId };

/** Returns the token, which may have expired. */
async function parseAndVerifyMac(
  { tokenKeys }: Pick<CustomerTokenDeps, 'tokenKeys'>,
  header: string,
): Promise<VerifiedToken> {
  const cachedToken = cachedTokens.get(header);
  const parseHeader = () => accessTokenFormat.parse(readBearerToken(header));
  const parsedToken = cachedToken === undefined ? parseHeader() : undefined;
  const kid = cachedToken?.key.kid ?? parsedToken?.kid;
  if (kid === undefined) throw unauthenticatedError(MALFORMED_TOKEN_TEXT);
  const key = await tokenKeys.find(kid);
  // The ring no longer has the key. Its removal has ended the sessions of its tokens.
  if (key === undefined) throw unauthenticatedError(INVALID_TOKEN_TEXT);
  const token = cachedToken?.key === key ? cachedToken.token : (parsedToken ?? parseHeader())?.verify(key);
  if (token === undefined) throw unauthenticatedError(MALFORMED_TOKEN_TEXT);
  if (token !== cachedToken?.token) cachedTokens.set(header, { key, token });
  return { token, kid };
}

type CustomerTokenUse = { readonly token: AccessToken; readonly isShared: boolean };

/**
 * Records the use of a token. A failure is ignored, because the next call records it.
 * @returns undefined when nothing has to be recorded
 */
function recordTokenUse(
  deps: CustomerTokenDeps,
  session: SessionRecord,
  { token, isShared }: CustomerTokenUse,
): Promise<unknown> | undefined {
  if (isShared) return reportSharedTokens(deps, session, token.generation).catch(() => undefined);
  if (token.generation <= session.confirmedGeneration) return undefined;
  return deps.sessions.confirm(token, token, deps.now()).catch(() => undefined);
}
