/**
 * Bearer → customer. Junk, forged and expired tokens are refused by their form, MAC and expiry, without any
 * I/O; then one read of session and store together tells whether the session lives.
 */
import { type AccessToken, accessTokenFormat } from '../domain/access-token.ts';
import { hasSalt, isAlive } from '../sign-in/session-life.ts';
import type { Sessions } from '../storage/sessions.ts';
import type { CustomerActor } from './actor.ts';
import { readBearer } from './read-bearer.ts';
import type { TokenKeys } from './token-keys.ts';
import { unauthenticated } from './unauthenticated.ts';
import { recallToken, rememberToken } from './verified-tokens.ts';

export type CustomerTokenDeps = {
  readonly tokenKeys: TokenKeys;
  readonly sessions: Pick<Sessions, 'findWithStore' | 'confirm'>;
  readonly now: () => number;
};

const MALFORMED = 'The access token is malformed. It begins with SVC_CT_ and is sent as it was received.';
const EXPIRED = 'The access token has expired. Refresh it.';
const INVALID = 'The access token is not valid any more. Refresh it, or sign the customer in again.';

/**
 * The customer of an `Authorization` header (RFC 6750, section 3.1). UNAUTHENTICATED, with `details` that tell
 * expired from malformed, and never whether a session exists; TEMPORARILY_UNAVAILABLE. The first call with a
 * generation's token confirms it: await `session.confirmation` before answering.
 */
export async function verifyCustomerToken(
  deps: CustomerTokenDeps,
  authorizationHeader: string | undefined,
): Promise<CustomerActor> {
  const token = await verifyToken(deps, authorizationHeader ?? '');
  const { session, store } = await deps.sessions.findWithStore(token);
  const isGood =
    session !== undefined &&
    store?.status === 'installed' &&
    hasSalt(session, token.salt) &&
    isAlive(session, store, deps.now());
  if (!isGood) throw unauthenticated(INVALID);
  const { shopId, customerId, sessionId, generation } = token;
  const isFirstUse = generation > session.confirmedGeneration;
  const confirmation = isFirstUse ? confirm(deps, token) : Promise.resolve();
  return { kind: 'customer', shopId, customerId, session: { sessionId, generation, confirmation }, store };
}

async function verifyToken({ tokenKeys, now }: CustomerTokenDeps, header: string): Promise<AccessToken> {
  const known = recallToken(header);
  const parse = () => accessTokenFormat.parse(readBearer(header));
  const parsed = known === undefined ? parse() : undefined;
  const kid = known?.key.kid ?? parsed?.kid;
  if (kid === undefined) throw unauthenticated(MALFORMED);
  const key = await tokenKeys.find(kid);
  // A key that was removed has taken its sessions with it.
  if (key === undefined) throw unauthenticated(INVALID);
  const token = known?.key === key ? known.token : (parsed ?? parse())?.verify(key);
  if (token === undefined) throw unauthenticated(MALFORMED);
  if (token !== known?.token) rememberToken(header, key, token);
  if (now() >= token.expiresAtMs) throw unauthenticated(EXPIRED);
  return token;
}

/** A failure is ignored: the next call confirms. */
async function confirm({ sessions, now }: CustomerTokenDeps, token: AccessToken): Promise<void> {
  await sessions.confirm(token, token.generation, now()).catch(() => undefined);
}
