import type { ShopId } from './shop-id.ts';

/** Where the platform sends the customer back: the URL scheme that the store's app registers. */
export function redirectUriOf(shopId: ShopId): string {
  return `shop.${shopId}.app://callback`;
}
