import type { AllowedMethodsOf } from './allowed-methods.ts';
import { toApiGatewayResult } from './answer.ts';
import type { Step } from './exchange.ts';

const PREFLIGHT_SECONDS = 600;

type OriginPolicy = {
  /** The web origins from which browsers may call. */
  readonly origins: readonly string[];
  readonly methodsAt: AllowedMethodsOf;
};

/**
 * Implements CORS: sends the headers only to the configured origins (Fetch standard, section 3.2), and responds to
 * their preflight requests. The response to a preflight request of another origin, or to OPTIONS without an origin,
 * contains only `Allow`.
 */
export function allowOrigins({ origins, methodsAt }: OriginPolicy): Step {
  return {
    name: 'allowOrigins',
    before: ({ event: { exchange } }) => {
      const { request, responseHeaders } = exchange;
      const origin = request.headers.origin;
      if (origins.length > 0) responseHeaders.vary = 'Origin';
      const allowed = origin !== undefined && origins.includes(origin);
      if (allowed) {
        responseHeaders['access-control-allow-origin'] = origin;
        responseHeaders['access-control-expose-headers'] =
          'X-Request-Id, Retry-After, Allow, WWW-Authenticate';
      }
      const list = methodsAt(exchange);
      if (request.method !== 'OPTIONS' || list.length === 0) return;
      return toApiGatewayResult(exchange, {
        status: 204,
        headers: allowed ? preflight(list) : { allow: list.join(', ') },
      });
    },
  };
}

function preflight(methods: readonly string[]): Record<string, string> {
  return {
    allow: methods.join(', '),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, x-app-info',
    'access-control-max-age': `${PREFLIGHT_SECONDS}`,
  };
}
