import type { Step } from '../../lib/http/exchange.ts';
import { claimPagePolicy } from './claim-page.ts';

/** What every answer of the claim route carries: nothing from elsewhere, seen by nobody else, kept nowhere. */
export const claimHeaders: Step = {
  name: 'claimHeaders',
  before: ({ event: { exchange } }) => {
    Object.assign(exchange.responseHeaders, {
      'content-security-policy': claimPagePolicy,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  },
};
