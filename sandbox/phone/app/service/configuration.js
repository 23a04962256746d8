/** The configuration from the phone's server: the service's address, and the shops of this build. */

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
