import type { HandlerStep } from './exchange.ts';

/** Prevents caches from storing the responses (RFC 9111, section 5.2.2.5). */
export const preventCaching: HandlerStep = {
  name: 'preventCaching',
  before: ({ event: { exchange } }) => {
    exchange.responseHeaders['cache-control'] = 'no-store';
  },
};
