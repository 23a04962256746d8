import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';

/** Refuses a body of more than `maxBytes` bytes (RFC 9110, section 15.5.14). */
export function limitBody(maxBytes: number): Step {
  return {
    name: 'limitBody',
    before: ({ event: { exchange } }) => {
      if (exchange.request.bodyBytes <= maxBytes) return;
      throw new ServiceError('PAYLOAD_TOO_LARGE', {
        message: `The request body is larger than ${maxBytes / 1024} KB.`,
      });
    },
  };
}
