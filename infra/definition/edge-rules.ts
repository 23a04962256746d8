/**
 * The limits of the edge: requests of one address, and the size of a body. The firewall's rules and the local gateway
 * share this list, so a local test covers the deployed limits.
 * Limits are generous, because carriers put thousands of customers behind one address. Fifty addresses just below the
 * limits still fit in the throttle of each endpoint (infra/definition/config.ts, prod), and fifteen in that of
 * merchants' servers.
 */
import { errorCatalogue } from '../../lib/errors/catalogue.ts';
import { PLATFORM_WEBHOOKS_PATH } from '../../lib/webhooks/in/webhook-registration.ts';
import { HEALTH_PATH } from './routes.ts';

export type RateRule = {
  readonly name: string;
  /** The decoded paths that are counted together; a path that ends with `/` includes all paths below it. */
  readonly paths: readonly string[];
  /** Whether the rule counts all paths except the listed ones. */
  readonly countsOtherPaths?: boolean;
  /**
   * `pages` are GET and HEAD, which any web page can make a browser send; `calls` are all other methods. So no page can
   * use up an address's limit for calls: without a preflight it is refused uncounted (`isRejectedForContentType`).
   */
  readonly requestKind: 'calls' | 'pages';
  /** The maximum number of requests from one address in the window. */
  readonly maxRequests: number;
  /** AWS WAF supports 60, 120, 300 and 600. */
  readonly windowSeconds: 60 | 120 | 300 | 600;
};

const ADMIN_PATH = '/api/admin/unstable/graphql.json';

/** OPTIONS is never counted: if a preflight is refused, the browser hides the reason from the client. */
export const UNCOUNTED_METHOD = 'OPTIONS';

export const RATE_RULES: readonly RateRule[] = [
  createMinuteRule('sign-in', 300, ['/headless-auth/start', '/headless-auth/exchange']),
  createMinuteRule('refresh', 600, ['/headless-auth/refresh']),
  createMinuteRule('revoke', 300, ['/headless-auth/revoke']),
  createMinuteRule('storefront-token', 300, ['/headless-auth/storefront-token']),
  createMinuteRule('claims', 120, ['/admin-keys/']),
  // A monitor sends a few requests a minute.
  createPageRule('health', 60, [HEALTH_PATH]),
  // A merchant's server has one address and processes all its subscriptions.
  createMinuteRule('admin', 6000, [ADMIN_PATH]),
  // Apps send a few requests each time they open, and malicious requests spread over all paths. The platform sends the
  // webhooks of all stores from few addresses; the route's own throttle limits them.
  { ...createMinuteRule('all-others', 1800, [ADMIN_PATH, PLATFORM_WEBHOOKS_PATH]), countsOtherPaths: true },
  { ...createPageRule('pages', 240, [HEALTH_PATH]), countsOtherPaths: true },
];

export const PAGE_METHODS = ['GET', 'HEAD'];
/** Clients send a body with these methods, always as JSON. */
export const JSON_METHODS = ['POST', 'DELETE'];
/** For a lower-case content type. Such a type needs a preflight; the functions check the parameters. */
export const JSON_TYPE = '^application/json\\s*(;|$)';

/**
 * Returns whether a call has no JSON content type. It comes from a web page without a preflight, or from no real
 * client, and is refused before it is counted.
 */
export function isRejectedForContentType(method: string, contentType = ''): boolean {
  return JSON_METHODS.includes(method) && !new RegExp(JSON_TYPE).test(contentType.trim().toLowerCase());
}

/** Returns whether the rule counts a request, by its method and its decoded path without the query. */
export function doesRuleCountRequest(
  { paths, countsOtherPaths = false, requestKind }: RateRule,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  if (method === UNCOUNTED_METHOD || PAGE_METHODS.includes(method) !== (requestKind === 'pages'))
    return false;
  const isPathListed = paths.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
  return isPathListed !== countsOtherPaths;
}

/** The largest request body that the edge allows. A function may allow less. */
export const MAX_BODY_BYTES = 256 * 1024;
/** The largest request body that the edge allows the platform, on the webhooks' path only. */
export const MAX_WEBHOOK_BYTES = 1024 * 1024;

/** Returns the largest body that is allowed at a decoded path. */
export function maxBodyBytesOfPath(path: string): number {
  return path === PLATFORM_WEBHOOKS_PATH ? MAX_WEBHOOK_BYTES : MAX_BODY_BYTES;
}

type EdgeResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Any page may read the reason: the response contains nothing about the caller. */
const EDGE_RESPONSE_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After',
  'cache-control': 'no-store',
};

/**
 * The responses of the edge itself. A rule does not know which kind of body the client reads, so the body has both
 * forms.
 */
export const EDGE_RESPONSES = {
  tooMany: {
    status: 429,
    headers: { 'retry-after': '60', ...EDGE_RESPONSE_HEADERS },
    body: formatEdgeErrorBody('THROTTLED', errorCatalogue.THROTTLED.message),
  },
  notJson: {
    status: 415,
    headers: EDGE_RESPONSE_HEADERS,
    body: formatEdgeErrorBody('UNSUPPORTED_MEDIA_TYPE', errorCatalogue.UNSUPPORTED_MEDIA_TYPE.message),
  },
  tooLarge: {
    status: 413,
    headers: EDGE_RESPONSE_HEADERS,
    body: formatEdgeErrorBody(
      'PAYLOAD_TOO_LARGE',
      'The request body is too large, or does not say its length.',
    ),
  },
} as const satisfies Readonly<Record<string, EdgeResponse>>;

function formatEdgeErrorBody(code: string, message: string): string {
  return JSON.stringify({ error: { code, message }, errors: [{ message, extensions: { code } }] });
}

function createMinuteRule(name: string, maxRequests: number, paths: readonly string[]): RateRule {
  return { name, paths, maxRequests, windowSeconds: 60, requestKind: 'calls' };
}

function createPageRule(name: string, maxRequests: number, paths: readonly string[]): RateRule {
  return { ...createMinuteRule(name, maxRequests, paths), requestKind: 'pages' };
}
