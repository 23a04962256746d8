/**
 * Parses the body of a request that opens a one-time link. The page computes claim id and proof; a person types the
 * domain.
 */
import * as z from 'zod/mini';
import { parseShopDomain, type ShopDomain } from '../../../lib/domain/shop-domain.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { ClaimKeyRequest } from '../../../lib/stores/admin-keys/claim-admin-key.ts';

const MAX_DOMAIN_LENGTH = 200;
export const claimRequestSchema = z.object({
  claimId: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
  proof: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
  domain: z.string().check(z.maxLength(MAX_DOMAIN_LENGTH)),
});

/**
 * Parses the body.
 * @throws MISSING_PARAMETERS when a field is missing or malformed
 * @throws INVALID_SHOP when the typed text cannot be a store's domain; this does not count as a wrong domain
 */
export function parseClaim(json: unknown, suffixes: readonly string[]): Omit<ClaimKeyRequest, 'linkId'> {
  const parseResult = claimRequestSchema.safeParse(json);
  if (!parseResult.success) throw new ServiceError('MISSING_PARAMETERS');
  const domain = parseTypedDomain(parseResult.data.domain, suffixes);
  if (domain !== undefined) return { ...parseResult.data, domain };
  throw new ServiceError('INVALID_SHOP', {
    message: `Type the domain of your store. It looks like your-store${suffixes[0] ?? ''}.`,
  });
}

/**
 * Parses the domain that a person typed. Also accepts an address such as `https://my-store.myshopify.com/admin`, and a
 * name without the suffix of all stores.
 */
function parseTypedDomain(text: string, suffixes: readonly string[]): ShopDomain | undefined {
  const typedDomain = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '');
  return parseShopDomain(
    typedDomain.includes('.') ? typedDomain : `${typedDomain}${suffixes[0] ?? ''}`,
    suffixes,
  );
}
