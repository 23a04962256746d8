import { isIP } from 'node:net';
import type { Brand } from '../../domain/brand.ts';
import type { HttpEvent } from '../exchange.ts';

/** The IP address of the caller as text, IPv4 or IPv6. */
export type CallerAddress = Brand<string, 'CallerAddress'>;

/**
 * The field that `requireEdge` adds to the exchange. Undefined when the address is unknown; checks of the address then
 * refuse the request.
 */
export type WithCallerAddress = { callerAddress: CallerAddress | undefined };

/**
 * Returns the caller's address. Behind the edge, it is the second address from the right in X-Forwarded-For: the edge
 * appends the address that it saw, and API Gateway appends that of the edge. Anything further left may be forged.
 * Without an edge it is the address that API Gateway saw. Pass `isFromEdge` only after the edge's secret was verified.
 */
export function readCallerAddress(event: HttpEvent, isFromEdge: boolean): CallerAddress | undefined {
  const sourceAddress = event.requestContext.http.sourceIp;
  if (!isFromEdge) return parseCallerAddress(sourceAddress);
  const addressChain = (event.headers['x-forwarded-for'] ?? '').split(',');
  return parseCallerAddress(addressChain.length < 2 ? sourceAddress : addressChain.at(-2));
}

/** Converts an IPv4 address that is written as IPv6 (RFC 4291, section 2.5.5.2) to IPv4. */
function parseCallerAddress(text: string | undefined): CallerAddress | undefined {
  const address = text?.trim().replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  return isIP(address) === 0 ? undefined : (address as CallerAddress);
}
