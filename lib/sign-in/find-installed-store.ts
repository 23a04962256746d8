import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';

/**
 * Finds the store of a domain, as it is now.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on it
 */
export async function findInstalledStore(
  { stores }: { readonly stores: Stores },
  shop: ShopDomain,
): Promise<StoreRecord> {
  const shopId = await stores.findShopId(shop);
  return requireInstalled(shopId && (await stores.find(shopId)));
}

/**
 * Returns the store.
 * @throws SHOP_NOT_INSTALLED when there is none, or the service is not installed on it
 */
export function requireInstalled(store: StoreRecord | undefined): StoreRecord {
  if (store?.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}

/**
 * Returns the client id of a store's customer sign-in.
 * @throws CLIENT_ID_NOT_CONFIGURED when it has none
 */
export function requireClientId({ clientId }: StoreRecord): string {
  if (!clientId) throw new ServiceError('CLIENT_ID_NOT_CONFIGURED');
  return clientId;
}
