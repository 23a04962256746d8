import { parseShopDomain, type ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';

/**
 * Reads the store with this domain.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on it
 */
export async function findInstalledStore(
  { stores }: { readonly stores: Stores },
  shop: ShopDomain,
): Promise<StoreRecord> {
  const shopId = await stores.findShopId(shop);
  return requireInstalledStore(shopId && (await stores.find(shopId)));
}

type RequestedStoreDeps = { readonly stores: Stores; readonly shopDomainSuffixes: readonly string[] };

/**
 * Returns the id of the store that a request names. `shop` is any value that a client sent.
 * @returns undefined when the value is not the domain of a store that was ever installed
 */
export async function findRequestedShopId(
  { stores, shopDomainSuffixes }: RequestedStoreDeps,
  shop: unknown,
): Promise<ShopId | undefined> {
  const domain = typeof shop === 'string' ? parseShopDomain(shop, shopDomainSuffixes) : undefined;
  return domain && stores.findShopId(domain);
}

/**
 * Reads the store that a request names. `shop` is any value that a client sent.
 * @returns undefined when the value is not the domain of a store that was ever installed
 */
export async function findRequestedStore(
  deps: RequestedStoreDeps,
  shop: unknown,
): Promise<StoreRecord | undefined> {
  const shopId = await findRequestedShopId(deps, shop);
  return shopId && deps.stores.find(shopId);
}

/**
 * Returns the store if it is installed.
 * @throws SHOP_NOT_INSTALLED when it does not exist, or the service is not installed on it
 */
export function requireInstalledStore(store: StoreRecord | undefined): StoreRecord {
  if (store?.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}

/**
 * Returns the store's client id for the sign-in of customers.
 * @throws CLIENT_ID_NOT_CONFIGURED when it has none
 */
export function requireClientId({ clientId }: StoreRecord): string {
  if (!clientId) throw new ServiceError('CLIENT_ID_NOT_CONFIGURED');
  return clientId;
}
