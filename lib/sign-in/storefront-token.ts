/**
 * Returns the store's token for the platform's Storefront API, with which apps read the public catalogue. Never creates
 * one: this endpoint is public, so its requests must not use up the store's points
 * (lib/stores/lifecycle/ensure-storefront-token.ts creates it).
 */
import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Stores } from '../storage/stores.ts';
import { findInstalledStore } from './find-installed-store.ts';

type StorefrontTokenDeps = { readonly stores: Stores };
type StorefrontTokenResponse = { readonly storefrontAccessToken: string; readonly shop: ShopDomain };

/**
 * Returns the store's storefront token.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws STOREFRONT_TOKEN_UNAVAILABLE when the store has none; `store check` shows the reason
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function readStorefrontToken(
  deps: StorefrontTokenDeps,
  { shop }: { readonly shop: ShopDomain },
): Promise<StorefrontTokenResponse> {
  const { storefrontAccessToken, storefrontRefusal } = await findInstalledStore(deps, shop);
  if (storefrontAccessToken) return { storefrontAccessToken, shop };
  const internal = `storefront token: ${storefrontRefusal?.reason ?? 'none was made yet'}`;
  throw new ServiceError('STOREFRONT_TOKEN_UNAVAILABLE', { internal });
}
