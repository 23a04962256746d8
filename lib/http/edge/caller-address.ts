import { isIP } from 'node:net';
import type { Brand } from '../../domain/brand.ts';
import type { HttpEvent } from '../exchange.ts';

/** The address of a request's sender, IPv4 or IPv6, as text. */
export type CallerAddress = Brand<string, 'CallerAddress'>;

/**
 * The field that `requireEdge` adds to the exchange; undefined when the address is unknown, so that checks refuse it.
 */
export type WithCaller = { callerAddress: CallerAddress | undefined };

/**
 * Returns the caller's address. Behind the edge it is the second from the right of X-Forwarded-For: the edge appends
 * the address that it saw, API Gateway appends the edge, and everything further left may be forged. Without an edge
 * it is the address that API Gateway saw. `isFromEdge` is true only for a request whose header was checked.
 */
export function callerAddress(event: HttpEvent, isFromEdge: boolean): CallerAddress | undefined {
  const seen = event.requestContext.http.sourceIp;
  if (!isFromEdge) return parseAddress(seen);
  const chain = (event.headers['x-forwarded-for'] ?? '').split(',');
  return parseAddress(chain.length < 2 ? seen : chain.at(-2));
}

/** An IPv4 address written as IPv6 (RFC 4291, section 2.5.5.2) is converted to IPv4. */
function parseAddress(text: string | undefined): CallerAddress | undefined {
  const address = text?.trim().replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return isIP(address) === 0 ? undefined : (address as CallerAddress);
}
