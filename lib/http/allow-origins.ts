import { toResult } from './answer.ts';
import type { Exchange, Step } from './exchange.ts';

const PREFLIGHT_SECONDS = 600;

/** `origins`: those that browsers may call from, none by default. `methods`: of the address asked for. */
export type OriginPolicy = {
  readonly origins: readonly string[];
  readonly methods: (exchange: Exchange) => readonly string[];
};

/**
 * Cross-origin headers for the configured origins alone (Fetch standard, section 3.2), and the answer to
 * their preflight. A preflight of any other origin, and a bare OPTIONS, get `Allow` and nothing else.
 */
export function allowOrigins({ origins, methods }: OriginPolicy): Step {
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
      const list = methods(exchange);
      if (request.method !== 'OPTIONS' || list.length === 0) return;
      return toResult(exchange, {
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
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': `${PREFLIGHT_SECONDS}`,
  };
}
