/**
 * Global ids, `gid://{namespace}/{Type}/{tail}` (platform document "Global IDs"). They are compared parsed, never as
 * text.
 */
import type { Brand } from './brand.ts';
import { type CustomerId, parseCustomerId } from './customer-id.ts';

export type Gid = {
  readonly namespace: string;
  readonly type: string;
  /** The tail is opaque and preserved byte for byte, including `?…`. */
  readonly tail: string;
};

/** The text of a global id that `parseGid` has accepted. */
type GidText = Brand<string, 'GidText'>;

const GID = /^gid:\/\/([a-z][a-z0-9-]*)\/([A-Z][A-Za-z0-9]*)\/([^\s/\p{Cc}]+)$/u;
const MAX_LENGTH = 512;
const NUMERIC_TYPES = new Set([
  'SubscriptionContract',
  'Order',
  'Product',
  'ProductVariant',
  'StorefrontAccessToken',
]);
const DIGITS = /^[1-9][0-9]{0,18}$/;

/**
 * Parses a global id. Customer ids are positive safe integers; contract, order, product, variant and storefront token
 * ids are digits without a leading zero and without `?…`.
 * @returns undefined when the text is not a global id
 */
export function parseGid(text: string): Gid | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, namespace, type, tail] = GID.exec(text) ?? [];
  if (namespace === undefined || type === undefined || tail === undefined) return undefined;
  if (type === 'Customer' && parseCustomerId(tail) === undefined) return undefined;
  if (NUMERIC_TYPES.has(type) && !DIGITS.test(tail)) return undefined;
  return { namespace, type, tail };
}

/** Returns the tail of a global id, which is the same in all namespaces; a text that is no global id is returned as it is. */
export function gidTail(text: string): string {
  return parseGid(text)?.tail ?? text;
}

/** Formats a global id. */
export function formatGid({ namespace, type, tail }: Gid): GidText {
  return `gid://${namespace}/${type}/${tail}` as GidText;
}

/** Returns the same object's id in another namespace. */
export function inNamespace(gid: Gid, namespace: string): Gid {
  return { ...gid, namespace };
}

/**
 * Returns the customer of a global id in `namespace`.
 * @returns undefined when the text is no such id
 */
export function parseCustomerGid(text: string, namespace: string): CustomerId | undefined {
  const gid = parseGid(text);
  return gid?.type === 'Customer' && gid.namespace === namespace ? parseCustomerId(gid.tail) : undefined;
}
