import type { ShopId } from './shop-id.ts';

/** The address that the platform sends the customer back to. Its URL scheme is registered by the store's app. */
export function redirectUriOf(shopId: ShopId): string {
  return `shop.${shopId}.app://callback`;
}
