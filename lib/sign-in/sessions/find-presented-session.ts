/** Finds the session of a refresh token that an app presents to refresh or revoke it. */

import { awaitAll } from '../../domain/await-all.ts';
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { refreshTokenFormat } from '../../domain/tokens/refresh-token.ts';
import type { SessionClaims } from '../../domain/tokens/session-claims.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import { hasSessionSalt, sessionAbsentFromMs } from '../../storage/sessions/session-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { requireInstalledStore } from '../find-installed-store.ts';
import type { SignInDeps } from '../sign-in-deps.ts';

export type PresentedToken = {
  readonly shop: ShopDomain;
  readonly customerId: CustomerId;
  readonly refreshToken: string;
};
export type PresentedSession = {
  readonly claims: SessionClaims;
  readonly session: SessionRecord;
  readonly store: StoreRecord;
};

/**
 * Returns the session for which the token was issued, whether it is active or not.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws TOKEN_NOT_FOUND when nothing is stored for the customer at this store, whatever the token is
 * @throws INVALID_REFRESH_TOKEN when something is stored for the customer, but not this token's session
 */
export async function findPresentedSession(
  deps: SignInDeps,
  { shop, customerId, refreshToken }: PresentedToken,
): Promise<PresentedSession> {
  const shopId = await deps.stores.findShopId(shop);
  if (shopId === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  const unverifiedToken = refreshTokenFormat.parse(refreshToken);
  const tokenKey = unverifiedToken && (await deps.tokenKeys.find(unverifiedToken.kid));
  const sessionClaims = tokenKey && unverifiedToken.verify(tokenKey);
  if (
    unverifiedToken === undefined ||
    sessionClaims === undefined ||
    sessionClaims.shopId !== shopId ||
    sessionClaims.customerId !== customerId
  ) {
    const [store, invalidTokenError] = await awaitAll([
      deps.stores.find(shopId),
      createInvalidTokenError(deps, shopId, customerId),
    ]);
    requireInstalledStore(store);
    throw invalidTokenError;
  }
  const { session, store } = await deps.sessions.findWithStore(sessionClaims);
  const installedStore = requireInstalledStore(store);
  const isTokenKeyRefused = installedStore.refusedKids?.includes(unverifiedToken.kid) ?? false;
  if (isTokenKeyRefused || session === undefined || deps.now() >= sessionAbsentFromMs(session))
    throw await createInvalidTokenError(deps, shopId, customerId);
  if (!hasSessionSalt(session, sessionClaims.salt)) throw new ServiceError('INVALID_REFRESH_TOKEN');
  return { claims: sessionClaims, session, store: installedStore };
}

/**
 * Returns the error for an invalid token: INVALID_REFRESH_TOKEN (401) when something is stored for the customer, else
 * TOKEN_NOT_FOUND (404).
 */
async function createInvalidTokenError(
  deps: SignInDeps,
  shopId: ShopId,
  customerId: CustomerId,
): Promise<ServiceError> {
  const isAnySessionStored = await deps.sessions.isAnyStored({ shopId, customerId }, deps.now());
  return new ServiceError(isAnySessionStored ? 'INVALID_REFRESH_TOKEN' : 'TOKEN_NOT_FOUND');
}
