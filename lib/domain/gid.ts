/**
 * Global ids, `gid://{namespace}/{Type}/{tail}` (platform document "Global IDs"). Compare them after parsing, not as
 * text.
 */
import type { Brand } from './brand.ts';
import { type CustomerId, parseCustomerId } from './customer-id.ts';

export type Gid = {
  readonly namespace: string;
  readonly type: string;
  /** The last part of the id, usually a number. It is kept unchanged, including a query such as `?…`. */
  readonly tail: string;
};

/** The text of a global id that `formatGid` has built. */
type GidText = Brand<string, 'GidText'>;

const GID_PATTERN = /^gid:\/\/([a-z][a-z0-9-]*)\/([A-Z][A-Za-z0-9]*)\/([^\s/\p{Cc}]+)$/u;
const MAX_GID_LENGTH = 512;
const TYPES_WITH_NUMERIC_TAIL = new Set([
  'SubscriptionContract',
  'Order',
  'Product',
  'ProductVariant',
  'StorefrontAccessToken',
]);
const POSITIVE_NUMBER_PATTERN = /^[1-9][0-9]{0,18}$/;

/**
 * Parses a global id. The tail of a Customer must be a positive safe integer. The tail of contracts, orders, products,
 * variants and storefront tokens must be digits without a leading zero.
 * @returns undefined when the text is not a valid global id
 */
export function parseGid(text: string): Gid | undefined {
  if (text.length > MAX_GID_LENGTH) return undefined;
  const [, namespace, type, tail] = GID_PATTERN.exec(text) ?? [];
  if (namespace === undefined || type === undefined || tail === undefined) return undefined;
  if (type === 'Customer' && parseCustomerId(tail) === undefined) return undefined;
  if (TYPES_WITH_NUMERIC_TAIL.has(type) && !POSITIVE_NUMBER_PATTERN.test(tail)) return undefined;
  return { namespace, type, tail };
}

/** Returns the tail of a global id. Returns the text unchanged if it is no valid global id. */
export function gidTail(text: string): string {
  return parseGid(text)?.tail ?? text;
}

/** Returns the text of a global id. */
export function formatGid({ namespace, type, tail }: Gid): GidText {
  return `gid://${namespace}/${type}/${tail}` as GidText;
}

/** Returns the id of the same object in another namespace. */
export function withNamespace(gid: Gid, namespace: string): Gid {
  return { ...gid, namespace };
}

/**
 * Returns the customer's number in a global id of type Customer in this namespace.
 * @returns undefined when the text is not such an id
 */
export function parseCustomerGid(text: string, namespace: string): CustomerId | undefined {
  const gid = parseGid(text);
  return gid?.type === 'Customer' && gid.namespace === namespace ? parseCustomerId(gid.tail) : undefined;
}
