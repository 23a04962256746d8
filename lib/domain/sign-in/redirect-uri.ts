import type { ShopId } from '../shop-id.ts';

/**
 * Returns the URI to which the platform redirects after the sign-in of a customer. The store's app registers its scheme
 * with the operating system.
 */
export function appRedirectUriOf(shopId: ShopId): string {
  return `shop.${shopId}.app://callback`;
}
