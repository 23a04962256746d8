/** What the phone's server tells the app: where the service is, and the shops of this build. */

/**
 * @typedef {{ shop: string, name: string }} Shop
 * @typedef {{ serviceUrl: string, platformOrigin: string, shops: Shop[] }} Configuration
 */

/** @type {Configuration} */
export const configuration = await (await fetch('/configuration.json')).json();

/** @param {string} shop The store's domain. */
export function shopName(shop) {
  return configuration.shops.find((known) => known.shop === shop)?.name ?? shop;
}
