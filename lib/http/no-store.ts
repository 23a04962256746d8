import type { Step } from './exchange.ts';

/** Forbids caches to keep any answer of the handler (RFC 9111, section 5.2.2.5). */
export const noStore: Step = {
  name: 'noStore',
  before: ({ event: { exchange } }) => {
    exchange.responseHeaders['cache-control'] = 'no-store';
  },
};
