import { isPageOrigin } from '../../config/browser-origin.ts';
import type { AllowedMethodsOf } from '../allowed-methods.ts';
import { toApiGatewayResult } from '../answer.ts';
import type { Exchange, Step } from '../exchange.ts';

const PREFLIGHT_SECONDS = 600;

type OriginPolicy = {
  /** The web origins from which browsers may call. */
  readonly origins: readonly string[];
  /** Whether the pages of stores may call, too: `allowStorePages` is one of the later steps. */
  readonly hasStorePages?: boolean;
  readonly methodsAt: AllowedMethodsOf;
};

/**
 * Implements CORS: sends the headers only to the configured origins (Fetch standard, section 3.2), and responds to
 * their preflight requests. The response to a preflight request of another origin, or to OPTIONS without an origin,
 * contains only `Allow`.
 *
 * With `hasStorePages`, the preflight of every web page is accepted. A preflight does not name the store, so the
 * response must not depend on the pages of stores; it reveals only which methods and headers the path takes. The request
 * that follows is refused before it has an effect, unless the origin belongs to its store.
 */
export function allowOrigins({ origins, hasStorePages = false, methodsAt }: OriginPolicy): Step {
  return {
    name: 'allowOrigins',
    before: ({ event: { exchange } }) => {
      const { request, responseHeaders } = exchange;
      const { origin } = request.headers;
      if (origins.length > 0 || hasStorePages) responseHeaders.vary = 'Origin';
      const list = methodsAt(exchange);
      const isPreflight = request.method === 'OPTIONS' && list.length > 0;
      const isPage = isPreflight && hasStorePages && origin !== undefined && isPageOrigin(origin);
      const allowed = origin !== undefined && (isPage || origins.includes(origin));
      if (allowed) allowOrigin(exchange, origin);
      if (!isPreflight) return;
      return toApiGatewayResult(exchange, {
        status: 204,
        headers: allowed ? preflight(list) : { allow: list.join(', ') },
      });
    },
  };
}

/** Adds the headers with which a browser lets the pages of this origin read the response. */
export function allowOrigin({ responseHeaders }: Exchange, origin: string): void {
  responseHeaders['access-control-allow-origin'] = origin;
  responseHeaders['access-control-expose-headers'] = 'X-Request-Id, Retry-After, Allow, WWW-Authenticate';
}

function preflight(methods: readonly string[]): Record<string, string> {
  return {
    allow: methods.join(', '),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, x-app-info',
    'access-control-max-age': `${PREFLIGHT_SECONDS}`,
  };
}
