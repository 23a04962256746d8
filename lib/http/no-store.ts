import type { Step } from './exchange.ts';

/** Prevents caches from storing the responses (RFC 9111, section 5.2.2.5). */
export const noStore: Step = {
  name: 'noStore',
  before: ({ event: { exchange } }) => {
    exchange.responseHeaders['cache-control'] = 'no-store';
  },
};
