/**
 * Rejects requests that bypass the edge (CloudFront with a firewall): the API also has a public address of its own.
 * Only the edge knows the secret that it sends in a header. Functions have the hashes of two secrets, so that one can
 * be replaced while the other is in use.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import type { HandlerStep } from '../exchange.ts';
import { readCallerAddress, type WithCallerAddress } from './caller-address.ts';

/**
 * The header in which the edge sends its secret. The edge overwrites a value that a client sends. CloudFront cannot
 * send headers whose name starts with X-Edge-.
 */
export const EDGE_SECRET_HEADER = 'x-origin-secret';

type EdgePolicy = {
  /** SHA-256 hashes of the valid secrets, hexadecimal. Empty without an edge. */
  readonly edgeSecretHashes: readonly string[];
};

/**
 * Rejects requests that did not come through the edge, in constant time and without I/O, and records the caller's
 * address. Without an edge it rejects none.
 * @throws NOT_FROM_EDGE when the secret is missing or wrong
 */
export function requireEdge({ edgeSecretHashes }: EdgePolicy): HandlerStep<WithCallerAddress> {
  const secretHashes = edgeSecretHashes.map((hash) => Buffer.from(hash, 'hex'));
  return {
    name: 'requireEdge',
    before: ({ event }) => {
      const { exchange, headers } = event;
      const isEdgeConfigured = secretHashes.length > 0;
      if (isEdgeConfigured && !matchesAnySecretHash(secretHashes, headers[EDGE_SECRET_HEADER])) {
        Object.assign(exchange.logFields, { alarm: 'not_from_edge' });
        throw new ServiceError('NOT_FROM_EDGE');
      }
      exchange.callerAddress = readCallerAddress(event, isEdgeConfigured);
    },
  };
}

/** Compares all hashes, so that the duration does not reveal which one matched. */
function matchesAnySecretHash(knownHashes: readonly Buffer[], secret = ''): boolean {
  const secretHash = createHash('sha256').update(secret).digest();
  return knownHashes.map((knownHash) => timingSafeEqual(knownHash, secretHash)).includes(true);
}
