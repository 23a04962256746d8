/**
 * Gives the store's storefront token, for public catalogue data. It is read, never made here: anybody may ask, and what
 * anybody can ask for costs neither the store's points nor an instance that waits (lib/stores/life/make-storefront-token.ts).
 */
import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Stores } from '../storage/stores.ts';
import { findInstalledStore } from './find-installed-store.ts';

type StorefrontTokenDeps = { readonly stores: Stores };
type StorefrontTokenAnswer = { readonly storefrontAccessToken: string; readonly shop: ShopDomain };

/**
 * The store's storefront token. SHOP_NOT_INSTALLED; STOREFRONT_TOKEN_UNAVAILABLE: it has none, and `store check` tells
 * why; TEMPORARILY_UNAVAILABLE: the table.
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
