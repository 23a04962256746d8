import { isWebPageOrigin } from '../../config/browser-origin.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { isListedOrigin, type WebSignIn } from '../../domain/sign-in/web-sign-in.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AllowedMethodsOf } from '../allowed-methods.ts';
import type { Exchange, HandlerStep, HttpResult } from '../exchange.ts';
import { toApiGatewayResult } from '../http-response.ts';

const PREFLIGHT_CACHE_SECONDS = 600;

/** The fields of a store's record that decide which web pages may call for the store. */
type StoreOfPage = {
  readonly shopId: ShopId;
  readonly status: string;
  readonly webSignIn?: WebSignIn | undefined;
};

type OriginPolicy = {
  /** The web origins from which browsers may call for every store. */
  readonly origins: readonly string[];
  /** Reads a store by the domain in a request's query. Without this function, the pages of stores may not call. */
  readonly findStore?: (domain: string) => Promise<StoreOfPage | undefined>;
  readonly allowedMethodsOf: AllowedMethodsOf;
};

type PageRequest = { readonly origin: string; readonly findStore: OriginPolicy['findStore'] };

/**
 * Implements CORS: sends the headers only to the configured origins (Fetch standard, section 3.2), and to the pages of
 * the store that the query names (`?shop=…`). A preflight contains neither body nor token, so a page names the store in
 * the address. The response to a preflight request of another origin, or to OPTIONS without an origin, contains only
 * `Allow`.
 * @throws ORIGIN_NOT_ALLOWED for a request of a page that the store named in the query does not have. A browser sends
 * such a request only if it has cached the preflight of a page that was removed since
 */
export function allowOrigins({ origins, findStore, allowedMethodsOf }: OriginPolicy): HandlerStep {
  return {
    name: 'allowOrigins',
    before: ({ event: { exchange } }) => {
      const { origin } = exchange.request.headers;
      if (origins.length > 0 || findStore !== undefined) exchange.responseHeaders.vary = 'Origin';
      const allowedMethods = allowedMethodsOf(exchange);
      // Most requests are those of apps, which have no origin and do not wait for a store.
      if (origin === undefined)
        return respondToPreflight(exchange, allowedMethods, { isOriginAllowed: false });
      if (origins.includes(origin)) return allowOrigin(exchange, allowedMethods, origin);
      return allowPageOfStore(exchange, allowedMethods, { origin, findStore });
    },
  };
}

/** Allows the origin, and answers a preflight. */
function allowOrigin(
  exchange: Exchange,
  allowedMethods: readonly string[],
  origin: string,
): HttpResult | undefined {
  exchange.responseHeaders['access-control-allow-origin'] = origin;
  exchange.responseHeaders['access-control-expose-headers'] =
    'X-Request-Id, Retry-After, Allow, WWW-Authenticate';
  return respondToPreflight(exchange, allowedMethods, { isOriginAllowed: true });
}

/**
 * Allows the origin if it is one of the store that the query names.
 * @throws ORIGIN_NOT_ALLOWED when the query names a store that does not have this page
 */
async function allowPageOfStore(
  exchange: Exchange,
  allowedMethods: readonly string[],
  { origin, findStore }: PageRequest,
): Promise<HttpResult | undefined> {
  const namedStore = await findStoreOfPage(exchange, { origin, findStore });
  exchange.pageShopId = namedStore?.shopId;
  if (namedStore?.shopId !== undefined) return allowOrigin(exchange, allowedMethods, origin);
  const preflightResponse = respondToPreflight(exchange, allowedMethods, { isOriginAllowed: false });
  if (namedStore !== undefined && preflightResponse === undefined)
    throw new ServiceError('ORIGIN_NOT_ALLOWED');
  return preflightResponse;
}

/** Returns the response to OPTIONS, or undefined for any other request. */
function respondToPreflight(
  exchange: Exchange,
  allowedMethods: readonly string[],
  { isOriginAllowed }: { readonly isOriginAllowed: boolean },
): HttpResult | undefined {
  if (exchange.request.method !== 'OPTIONS' || allowedMethods.length === 0) return undefined;
  const headers = isOriginAllowed ? preflightHeaders(allowedMethods) : { allow: allowedMethods.join(', ') };
  return toApiGatewayResult(exchange, { status: 204, headers });
}

/**
 * Returns the store that the query names if the request comes from one of its pages, or an empty object if the store
 * does not have this page.
 * @returns undefined when the request does not come from a web page, or its query does not name exactly one store
 */
async function findStoreOfPage(
  { request: { query } }: Exchange,
  { origin, findStore }: PageRequest,
): Promise<{ readonly shopId?: ShopId } | undefined> {
  const [domain, ...otherDomains] = query === '' ? [] : new URLSearchParams(query).getAll('shop');
  if (domain === undefined || otherDomains.length > 0) return undefined;
  if (findStore === undefined || !isWebPageOrigin(origin)) return undefined;
  const store = await findStore(domain);
  const isListed = store?.status === 'installed' && isListedOrigin(store.webSignIn, origin);
  return isListed ? { shopId: store.shopId } : {};
}

function preflightHeaders(allowedMethods: readonly string[]): Record<string, string> {
  return {
    allow: allowedMethods.join(', '),
    'access-control-allow-methods': allowedMethods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, x-app-info',
    'access-control-max-age': `${PREFLIGHT_CACHE_SECONDS}`,
  };
}
