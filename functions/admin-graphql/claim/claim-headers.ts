import type { Step } from '../../../lib/http/exchange.ts';
import { pageHeaders } from '../../../lib/http/page-headers.ts';
import { claimPagePolicy } from './claim-page.ts';

/** Every answer of the claim route carries the headers of a page, errors included. */
export const claimHeaders: Step = {
  name: 'claimHeaders',
  before: ({ event: { exchange } }) => {
    Object.assign(exchange.responseHeaders, pageHeaders(claimPagePolicy));
  },
};
