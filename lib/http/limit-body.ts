import { ServiceError } from '../errors/service-error.ts';
import type { HandlerStep } from './exchange.ts';

/** Rejects a body of more than `maxBytes` bytes (RFC 9110, section 15.5.14). */
export function limitBody(maxBytes: number): HandlerStep {
  return {
    name: 'limitBody',
    before: ({ event: { exchange } }) => {
      const { body } = exchange.request;
      // Count the bytes only if necessary: a UTF-16 code unit has at most three bytes in UTF-8.
      if (body.length * 3 <= maxBytes || Buffer.byteLength(body) <= maxBytes) return;
      throw new ServiceError('PAYLOAD_TOO_LARGE', {
        message: `The request body is larger than ${maxBytes / 1024} KB.`,
      });
    },
  };
}
