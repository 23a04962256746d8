/**
 * Returns the store's storefront token, for public catalogue data. The token is only read here, never created: the
 * endpoint is public, so a request must consume neither the store's points nor an instance's time
 * (lib/stores/lifecycle/make-storefront-token.ts).
 */
import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Stores } from '../storage/stores.ts';
import { findInstalledStore } from './find-installed-store.ts';

type StorefrontTokenDeps = { readonly stores: Stores };
type StorefrontTokenAnswer = { readonly storefrontAccessToken: string; readonly shop: ShopDomain };

/**
 * Returns the store's storefront token.
 * @throws SHOP_NOT_INSTALLED
 * @throws STOREFRONT_TOKEN_UNAVAILABLE when it has none; `store check` shows the reason
 * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
 */
export async function storefrontToken(
  deps: StorefrontTokenDeps,
  { shop }: { readonly shop: ShopDomain },
): Promise<StorefrontTokenAnswer> {
  const { storefrontAccessToken, storefrontRefusal } = await findInstalledStore(deps, shop);
  if (storefrontAccessToken) return { storefrontAccessToken, shop };
  const internal = `storefront token: ${storefrontRefusal?.reason ?? 'none was made yet'}`;
  throw new ServiceError('STOREFRONT_TOKEN_UNAVAILABLE', { internal });
}
