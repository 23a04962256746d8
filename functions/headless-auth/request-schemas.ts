/** The schemas of the request bodies of the sign-in endpoints. */
import * as z from 'zod/mini';
import { type CustomerId, parseCustomerId } from '../../lib/domain/customer-id.ts';
import { type Locale, parseLocale } from '../../lib/domain/locale.ts';
import { parseShopDomain, type ShopDomain } from '../../lib/domain/shop-domain.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';

/** The maximum length of a token or an authorization code. All valid ones are shorter. */
const MAX_TOKEN_OR_CODE_BYTES = 2_048;
const TOO_LONG_MESSAGE = 'too long';

const nonEmptyTextSchema = z.string().check(z.minLength(1));
const limitedTextSchema = z.string().check(
  z.minLength(1),
  z.refine((value) => Buffer.byteLength(value) <= MAX_TOKEN_OR_CODE_BYTES, TOO_LONG_MESSAGE),
);
const customerIdSchema = z.pipe(
  z.custom<unknown>((value) => parseCustomerId(value) !== undefined),
  z.transform((value) => parseCustomerId(value) as CustomerId),
);

/** Ignores an invalid language tag, because a wrongly configured device must not prevent the sign-in. */
const localeSchema = z.optional(
  z.nullable(
    z.pipe(
      z.string(),
      z.transform((tag): Locale | undefined => parseLocale(tag)),
    ),
  ),
);

/** Absent and null mean the app's own scheme. */
const redirectUriSchema = z.optional(z.nullable(limitedTextSchema));

export const startRequestSchema = z.object({
  shop: nonEmptyTextSchema,
  locale: localeSchema,
  redirectUri: redirectUriSchema,
});
export const exchangeRequestSchema = z.object({
  shop: nonEmptyTextSchema,
  code: limitedTextSchema,
  verifier: limitedTextSchema,
  nonce: limitedTextSchema,
});
export const tokenRequestSchema = z.object({
  shop: nonEmptyTextSchema,
  customerId: customerIdSchema,
  refreshToken: limitedTextSchema,
});
export const storefrontTokenRequestSchema = z.object({ shop: nonEmptyTextSchema });

export type RequestSchema<Fields> = z.ZodMiniType<Fields>;
export type ParsedRequest<Fields> = Omit<Fields, 'shop'> & { readonly shop: ShopDomain };

/**
 * Parses a request body. Unknown fields are ignored.
 * @throws MISSING_SHOP when the field `shop` is missing
 * @throws MISSING_PARAMETERS with the names of fields that are missing, empty, of the wrong type, or longer than 2,048
 * bytes
 * @throws INVALID_SHOP when `shop` is not a store's domain
 */
export function parseRequest<Fields extends { shop: string }>(
  schema: RequestSchema<Fields>,
  json: unknown,
  shopDomainSuffixes: readonly string[],
): ParsedRequest<Fields> {
  const parseResult = schema.safeParse(json);
  if (!parseResult.success) throw toMissingParametersError(parseResult.error.issues);
  const shop = parseShopDomain(parseResult.data.shop, shopDomainSuffixes);
  if (shop === undefined) throw new ServiceError('INVALID_SHOP');
  return { ...parseResult.data, shop };
}

type SchemaIssue = { readonly message?: string; readonly path: readonly PropertyKey[] };

function toMissingParametersError(issues: readonly SchemaIssue[]): ServiceError {
  const namesOf = (issues: readonly SchemaIssue[]) => [...new Set(issues.map(({ path }) => String(path[0])))];
  const missingNames = namesOf(issues.filter(({ message }) => message !== TOO_LONG_MESSAGE));
  if (missingNames.includes('shop')) return new ServiceError('MISSING_SHOP');
  const message =
    missingNames.length > 0
      ? `${joinFieldNames(missingNames)} missing, empty or of the wrong type.`
      : `${joinFieldNames(namesOf(issues))} longer than ${MAX_TOKEN_OR_CODE_BYTES} bytes.`;
  return new ServiceError('MISSING_PARAMETERS', { message });
}

function joinFieldNames(fields: readonly string[]): string {
  return `${fields.map((field) => `"${field}"`).join(', ')} ${fields.length > 1 ? 'are' : 'is'}`;
}
