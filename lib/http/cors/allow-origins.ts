import { isWebPageOrigin } from '../../config/browser-origin.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { isListedOrigin, type WebSignIn } from '../../domain/sign-in/web-sign-in.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AllowedMethodsOf } from '../allowed-methods.ts';
import type { Exchange, HandlerStep, HttpResult } from '../exchange.ts';
import { toApiGatewayResult } from '../http-response.ts';

const PREFLIGHT_CACHE_SECONDS = 600;

/** The part of a store's record that decides about its pages. */
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
      if (origin === undefined) return respondToPreflight(exchange, allowedMethods, { allowed: false });
      if (origins.includes(origin)) return allowOrigin(exchange, allowedMethods, origin);
      return allowPageOfStore(exchange, allowedMethods, { origin, findStore });
    },
  };
}

/** Allows the origin, and answers a preflight. */
function allowOrigin(exchange: Exchange, methods: readonly string[], origin: string): HttpResult | undefined {
  exchange.responseHeaders['access-control-allow-origin'] = origin;
  exchange.responseHeaders['access-control-expose-headers'] =
    'X-Request-Id, Retry-After, Allow, WWW-Authenticate';
  return respondToPreflight(exchange, methods, { allowed: true });
}

/**
 * Allows the origin if it is one of the store that the query names.
 * @throws ORIGIN_NOT_ALLOWED when the query names a store that does not have this page
 */
async function allowPageOfStore(
  exchange: Exchange,
  methods: readonly string[],
  { origin, findStore }: PageRequest,
): Promise<HttpResult | undefined> {
  const page = await findStoreOfPage(exchange, { origin, findStore });
  exchange.pageShopId = page?.shopId;
  if (page?.shopId !== undefined) return allowOrigin(exchange, methods, origin);
  const preflightResponse = respondToPreflight(exchange, methods, { allowed: false });
  if (page !== undefined && preflightResponse === undefined) throw new ServiceError('ORIGIN_NOT_ALLOWED');
  return preflightResponse;
}

/** Returns the response to OPTIONS, or undefined for any other request. */
function respondToPreflight(
  exchange: Exchange,
  methods: readonly string[],
  { allowed }: { readonly allowed: boolean },
): HttpResult | undefined {
  if (exchange.request.method !== 'OPTIONS' || methods.length === 0) return undefined;
  const headers = allowed ? preflightHeaders(methods) : { allow: methods.join(', ') };
  return toApiGatewayResult(exchange, { status: 204, headers });
}

/**
 * Returns the store of the page that sends the request, without a store if the named one does not have this page.
 * @returns undefined when the request is not one of a page that names a store
 */
async function findStoreOfPage(
  { request: { query } }: Exchange,
  { origin, findStore }: PageRequest,
): Promise<{ readonly shopId?: ShopId } | undefined> {
  const [domain, ...others] = query === '' ? [] : new URLSearchParams(query).getAll('shop');
  if (domain === undefined || others.length > 0) return undefined;
  if (findStore === undefined || !isWebPageOrigin(origin)) return undefined;
  const store = await findStore(domain);
  const isListed = store?.status === 'installed' && isListedOrigin(store.webSignIn, origin);
  return isListed ? { shopId: store.shopId } : {};
}

function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    allow: methods.join(', '),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, x-app-info',
    'access-control-max-age': `${PREFLIGHT_CACHE_SECONDS}`,
  };
}
