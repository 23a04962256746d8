/**
 * What the edge lets through: how often one address may ask, and how large a body may be. The firewall's rules and the
 * local gateway read this list, so what is tried on a machine is what is deployed.
 *
 * Limits are generous, because carriers put thousands of customers behind one address; yet fifty addresses just below
 * them fit in the throttle of each door (infra/definition/config.ts, prod), and fifteen in that of merchants' servers.
 */
import { catalogue } from '../../lib/errors/catalogue.ts';
import { WEBHOOKS_PATH } from '../../lib/webhooks/in/registered-topics.ts';
import { HEALTH_PATH } from './routes.ts';

export type RateRule = {
  readonly name: string;
  /** The paths that are counted together, decoded; one that ends with `/` stands for all below it. */
  readonly paths: readonly string[];
  /** All other paths are counted in place of these. */
  readonly others?: boolean;
  /**
   * `pages` are GET and HEAD, which any page on the web makes a browser send; `calls` all other methods. So no page can use
   * up what an address has for calls: it is refused uncounted without a preflight (`isRefusedForItsType`).
   */
  readonly of: 'calls' | 'pages';
  /** More requests of one address in the window are refused. */
  readonly requests: number;
  /** AWS WAF has 60, 120, 300 and 600. */
  readonly windowSeconds: 60 | 120 | 300 | 600;
};

const ADMIN = '/api/admin/unstable/graphql.json';

/** OPTIONS is never counted: a preflight that is refused fails its request, and nobody could say why. */
export const UNCOUNTED_METHOD = 'OPTIONS';

export const rateRules: readonly RateRule[] = [
  minutely('sign-in', 300, ['/headless-auth/start', '/headless-auth/exchange']),
  minutely('refresh', 600, ['/headless-auth/refresh']),
  minutely('revoke', 300, ['/headless-auth/revoke']),
  minutely('storefront-token', 300, ['/headless-auth/storefront-token']),
  minutely('claims', 120, ['/admin-keys/']),
  // A monitor asks a few times a minute.
  pagesOf('health', 60, [HEALTH_PATH]),
  // A merchant's server is one address, and works through all its subscriptions.
  minutely('admin', 6000, [ADMIN]),
  // Apps ask for a few things each time they are opened; so does junk that spreads over all paths.
  // The platform sends the webhooks of all stores from few addresses; the route's own throttle bounds them.
  { ...minutely('all-others', 1800, [ADMIN, WEBHOOKS_PATH]), others: true },
  { ...pagesOf('pages', 240, [HEALTH_PATH]), others: true },
];

export const PAGE_METHODS = ['GET', 'HEAD'];
/** Clients send a body with these, always as JSON. */
export const JSON_METHODS = ['POST', 'DELETE'];
/** In lower case. What begins so needs a preflight; the functions look at the parameters. */
export const JSON_TYPE = '^application/json\\s*(;|$)';

/** Such a request comes from a page on the web that asks no leave, or from no client: it is refused before it is counted. */
export function isRefusedForItsType(method: string, contentType = ''): boolean {
  return JSON_METHODS.includes(method) && !new RegExp(JSON_TYPE).test(contentType.trim().toLowerCase());
}

/** Whether the rule counts a request: its method and its decoded path, without the query. */
export function counts(
  { paths, others = false, of }: RateRule,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  if (method === UNCOUNTED_METHOD || PAGE_METHODS.includes(method) !== (of === 'pages')) return false;
  const isNamed = paths.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
  return isNamed !== others;
}

/** The largest body that clients send: the functions have limits of their own below it. */
export const MAX_BODY_BYTES = 256 * 1024;
/** The largest body that the platform sends, and where. */
export const MAX_WEBHOOK_BYTES = 1024 * 1024;

/** The largest body at a decoded path. */
export function maxBodyBytesAt(path: string): number {
  return path === WEBHOOKS_PATH ? MAX_WEBHOOK_BYTES : MAX_BODY_BYTES;
}

type Refusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Any page may read why it was refused: nothing of a caller is in it. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After',
  'cache-control': 'no-store',
};

/** The answers of the edge itself. A rule does not know which kind of body a client reads, so it has both. */
export const refusals = {
  tooMany: {
    status: 429,
    headers: { 'retry-after': '60', ...CORS },
    body: bodyOf('THROTTLED', catalogue.THROTTLED.message),
  },
  notJson: {
    status: 415,
    headers: CORS,
    body: bodyOf('UNSUPPORTED_MEDIA_TYPE', catalogue.UNSUPPORTED_MEDIA_TYPE.message),
  },
  tooLarge: {
    status: 413,
    headers: CORS,
    body: bodyOf('PAYLOAD_TOO_LARGE', 'The request body is too large, or does not say its length.'),
  },
} as const satisfies Readonly<Record<string, Refusal>>;

function bodyOf(code: string, message: string): string {
  return JSON.stringify({ error: { code, message }, errors: [{ message, extensions: { code } }] });
}

function minutely(name: string, requests: number, paths: readonly string[]): RateRule {
  return { name, paths, requests, windowSeconds: 60, of: 'calls' };
}

function pagesOf(name: string, requests: number, paths: readonly string[]): RateRule {
  return { ...minutely(name, requests, paths), of: 'pages' };
}
