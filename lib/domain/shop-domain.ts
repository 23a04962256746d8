import type { Brand } from './brand.ts';

/** The domain of a store at the platform, in lower case, for example `harbor-coffee.myshopify.com`. */
export type ShopDomain = Brand<string, 'ShopDomain'>;

const MAX_SHOP_DOMAIN_LENGTH = 80;
const SHOP_DOMAIN_PATTERN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const SHOP_LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/**
 * Parses a store's domain: one label before one of the `suffixes` (`.myshopify.com`), at most 80 characters.
 * @returns undefined for any other text, such as one with a scheme, a port, a path or non-ASCII characters
 */
export function parseShopDomain(text: string, suffixes: readonly string[]): ShopDomain | undefined {
  if (text.length > MAX_SHOP_DOMAIN_LENGTH) return undefined;
  const domain = text.toLowerCase();
  const suffix = suffixes.find((candidate) => domain.endsWith(candidate));
  if (suffix === undefined || !SHOP_DOMAIN_PATTERN.test(domain)) return undefined;
  return SHOP_LABEL_PATTERN.test(domain.slice(0, -suffix.length)) ? (domain as ShopDomain) : undefined;
}
