import { isIP } from 'node:net';
import type { Brand } from '../../domain/brand.ts';
import type { HttpEvent } from '../exchange.ts';

/** The address of whoever sent a request, IPv4 or IPv6, as text. */
export type CallerAddress = Brand<string, 'CallerAddress'>;

/** The exchange once `requireEdge` has run; undefined where nobody can tell, so that whoever asks refuses. */
export type WithCaller = { callerAddress: CallerAddress | undefined };

/**
 * The caller's address. Behind the edge it is the second from the right of X-Forwarded-For: the edge appends whom it
 * saw, API Gateway appends the edge, and what stands further left is the caller's own invention. Without an edge it is
 * whom API Gateway saw. `isFromEdge` is true only for a request whose header was checked.
 */
export function callerAddress(event: HttpEvent, isFromEdge: boolean): CallerAddress | undefined {
  const seen = event.requestContext.http.sourceIp;
  if (!isFromEdge) return parseAddress(seen);
  const chain = (event.headers['x-forwarded-for'] ?? '').split(',');
  return parseAddress(chain.length < 2 ? seen : chain.at(-2));
}

/** An IPv4 address that was written as IPv6 (RFC 4291, section 2.5.5.2) is the IPv4 address. */
function parseAddress(text: string | undefined): CallerAddress | undefined {
  const address = text?.trim().replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return isIP(address) === 0 ? undefined : (address as CallerAddress);
}
