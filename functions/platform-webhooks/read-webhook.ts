import { parseShopDomain, type ShopDomain } from '../../lib/domain/shop-domain.ts';
import { decodeBase64Strictly } from '../../lib/domain/tokens/strict-base64.ts';
import type { HandlerStep } from '../../lib/http/exchange.ts';

/**
 * The field that `readWebhook` adds to the exchange. The signature covers only the body, so the headers are not
 * authenticated.
 */
export type WithWebhook = {
  webhook: {
    /** The body exactly as it was received, because the signature covers its bytes. */
    readonly rawBody: Uint8Array;
    readonly signature: Uint8Array;
    /**
     * The topic in lower case. Empty if the header is missing or malformed. A header that was sent twice is joined with a comma,
     * so it is malformed.
     */
    readonly topic: string;
    /** Undefined when the header is missing or names no store's domain. */
    readonly domain: ShopDomain | undefined;
    readonly apiVersion: string;
  };
};

type Deps = { readonly shopDomainSuffixes: readonly string[] };

/**
 * Reads the platform's headers and the raw body. Does not reject missing or malformed values: a later step rejects them
 * all with the same error, which reveals nothing.
 */
export function readWebhook({ shopDomainSuffixes }: Deps): HandlerStep<WithWebhook> {
  return {
    name: 'readWebhook',
    before: ({ event }) => {
      const { body = '', isBase64Encoded, exchange } = event;
      const readHeader = (name: string) => exchange.request.headers[`x-shopify-${name}`] ?? '';
      exchange.webhook = {
        rawBody: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
        signature: decodeBase64Strictly(readHeader('hmac-sha256'), 'base64') ?? new Uint8Array(),
        topic: emptyUnlessMatching(readHeader('topic').toLowerCase(), /^[a-z0-9_]{1,60}\/[a-z0-9_]{1,60}$/),
        domain: parseShopDomain(readHeader('shop-domain'), shopDomainSuffixes),
        apiVersion: emptyUnlessMatching(readHeader('api-version'), /^(\d{4}-\d{2}|unstable)$/),
      };
    },
  };
}

function emptyUnlessMatching(text: string, pattern: RegExp): string {
  return pattern.test(text) ? text : '';
}
