import type { ShopId } from './shop-id.ts';

/** Returns the address that the platform redirects the customer to. The store's app registers its URL scheme. */
export function redirectUriOf(shopId: ShopId): string {
  return `shop.${shopId}.app://callback`;
}
