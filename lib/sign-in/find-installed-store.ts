import type { ShopDomain } from '../domain/shop-domain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';

/** The store of a domain, as it is now. SHOP_NOT_INSTALLED if the service is not installed on it. */
export async function findInstalledStore(
  { stores }: { readonly stores: Stores },
  shop: ShopDomain,
): Promise<StoreRecord> {
  const shopId = await stores.findShopId(shop);
  return requireInstalled(shopId && (await stores.find(shopId)));
}

/** The store, if there is one and the service is installed on it; else SHOP_NOT_INSTALLED. */
export function requireInstalled(store: StoreRecord | undefined): StoreRecord {
  if (store?.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}

/** The client id of a store's customer sign-in. CLIENT_ID_NOT_CONFIGURED if it has none. */
export function requireClientId({ clientId }: StoreRecord): string {
  if (!clientId) throw new ServiceError('CLIENT_ID_NOT_CONFIGURED');
  return clientId;
}
