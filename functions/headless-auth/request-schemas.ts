/** The bodies of the sign-in endpoints, as their use cases take them. */
import * as z from 'zod/mini';
import { type CustomerId, parseCustomerId } from '../../lib/domain/customer-id.ts';
import { parseShopDomain, type ShopDomain } from '../../lib/domain/shop-domain.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';

const text = z.string().check(z.minLength(1));
const customerId = z.pipe(
  z.custom<unknown>((value) => parseCustomerId(value) !== undefined),
  z.transform((value) => parseCustomerId(value) as CustomerId),
);

export const startRequest = z.object({ shop: text });
export const exchangeRequest = z.object({ shop: text, code: text, verifier: text, nonce: text });
export const tokenRequest = z.object({ shop: text, customerId, refreshToken: text });
export const storefrontTokenRequest = z.object({ shop: text });

export type RequestSchema<Fields> = z.ZodMiniType<Fields>;
export type ParsedRequest<Fields> = Omit<Fields, 'shop'> & { readonly shop: ShopDomain };

/**
 * The fields of a body. MISSING_SHOP, then MISSING_PARAMETERS with the fields' names, for what is absent, empty
 * or of the wrong type; then INVALID_SHOP. Fields that are not known are left out.
 */
export function parseRequest<Fields extends { shop: string }>(
  schema: RequestSchema<Fields>,
  json: unknown,
  shopDomainSuffixes: readonly string[],
): ParsedRequest<Fields> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw missing([...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]);
  const shop = parseShopDomain(parsed.data.shop, shopDomainSuffixes);
  if (shop === undefined) throw new ServiceError('INVALID_SHOP');
  return { ...parsed.data, shop };
}

function missing(fields: readonly string[]): ServiceError {
  if (fields.includes('shop')) return new ServiceError('MISSING_SHOP');
  const [list, verb] = [fields.map((field) => `"${field}"`).join(', '), fields.length > 1 ? 'are' : 'is'];
  return new ServiceError('MISSING_PARAMETERS', {
    message: `${list} ${verb} missing, empty or of the wrong type.`,
  });
}
