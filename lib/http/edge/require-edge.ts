/**
 * Behind an edge the API has an address of its own, which anybody can find: only the edge knows the secret that it sends
 * in a header. Functions know hashes of two secrets, so that one can be replaced while the other is in use.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { Step } from '../exchange.ts';
import { callerAddress, type WithCaller } from './caller-address.ts';

/** Where the edge puts its secret, over whatever a client wrote there. CloudFront refuses to send names with X-Edge-. */
export const EDGE_SECRET_HEADER = 'x-origin-secret';

type EdgePolicy = {
  /** SHA-256 of each secret that counts, in hexadecimal; none where there is no edge. */
  readonly edgeSecretHashes: readonly string[];
};

/**
 * Refuses what did not come through the edge, in constant time and without I/O, and notes the caller's address. Throws
 * NOT_FROM_EDGE. Where there is no edge every request passes.
 */
export function requireEdge({ edgeSecretHashes }: EdgePolicy): Step<WithCaller> {
  const hashes = edgeSecretHashes.map((hash) => Buffer.from(hash, 'hex'));
  return {
    name: 'requireEdge',
    before: ({ event }) => {
      const { exchange, headers } = event;
      const hasEdge = hashes.length > 0;
      if (hasEdge && !isOneOf(hashes, headers[EDGE_SECRET_HEADER])) {
        Object.assign(exchange.logFields, { alarm: 'not_from_edge' });
        throw new ServiceError('NOT_FROM_EDGE');
      }
      exchange.callerAddress = callerAddress(event, hasEdge);
    },
  };
}

/** All are compared, so that the time does not tell which one it was. */
function isOneOf(hashes: readonly Buffer[], secret = ''): boolean {
  const hash = createHash('sha256').update(secret).digest();
  return hashes.map((known) => timingSafeEqual(known, hash)).includes(true);
}
