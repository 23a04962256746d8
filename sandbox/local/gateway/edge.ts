/**
 * Emulates the edge before the API: refuses requests that the firewall would refuse, with the same delay, and forwards
 * the others with the secret and the caller's address. AWS's own lists of rules are not emulated, because they are not
 * public.
 */

import {
  doesRuleCountRequest,
  EDGE_RESPONSES,
  isRejectedForContentType,
  maxBodyBytesOfPath,
  RATE_RULES,
  type RateRule,
} from '../../../infra/definition/edge-rules.ts';
import { EDGE_SECRET_HEADER } from '../../../lib/http/edge/require-edge.ts';
import type { GatewayResponse } from './convert-function-result.ts';
import { type CountRequest, createRequestCounts } from './count-requests.ts';

/** AWS WAF documents that it usually detects a rate, and its end, within this time. */
const RATE_DETECTION_SECONDS = 30;
const FORWARDED_FOR_HEADER = 'x-forwarded-for';

type EdgeRequest = {
  readonly method: string;
  /** Decoded, without its query. */
  readonly path: string;
  readonly bodyBytes: number;
  /** Alternating names and values, as in Node. */
  readonly rawHeaders: readonly string[];
  readonly socketAddress: string;
};
export type EdgeEmulator = {
  /** Returns the edge's own response to a refused request, or the headers for the API. */
  filterRequest(
    request: EdgeRequest,
  ): { readonly refused: GatewayResponse } | { readonly rawHeaders: string[] };
};
export type EdgeOptions = {
  readonly secret: string;
  readonly now: () => number;
};

/** Creates an edge with empty counts. */
export function createEdge({ secret, now }: EdgeOptions): EdgeEmulator {
  const countedRules = RATE_RULES.map((rule) => ({ rule, count: createRequestCounts(rule.windowSeconds) }));
  return {
    filterRequest(request) {
      const address = readClientAddress(request);
      if (isBodyTooLarge(request)) return { refused: createBlockedResponse(EDGE_RESPONSES.tooLarge) };
      if (
        isRejectedForContentType(request.method, readHeaderValues(request.rawHeaders, 'content-type').at(-1))
      )
        return { refused: createBlockedResponse(EDGE_RESPONSES.notJson) };
      const currentSecond = Math.floor(now() / 1000);
      if (
        countedRules.some((countedRule) =>
          isOverRate(countedRule, request, { address, second: currentSecond }),
        )
      )
        return { refused: createBlockedResponse(EDGE_RESPONSES.tooMany) };
      return { rawHeaders: buildForwardedHeaders(request, { address, secret }) };
    },
  };
}

type CountedRule = { readonly rule: RateRule; readonly count: CountRequest };

/** Counts the request, and compares the counts that the firewall has detected so far. */
function isOverRate(
  { rule, count }: CountedRule,
  request: EdgeRequest,
  { address, second }: { address: string; second: number },
): boolean {
  if (!doesRuleCountRequest(rule, request)) return false;
  return count(address, { second, detectedSecond: second - RATE_DETECTION_SECONDS }) > rule.maxRequests;
}

function isBodyTooLarge({ path, bodyBytes, rawHeaders }: EdgeRequest): boolean {
  if (bodyBytes === 0) return false;
  const contentLength = readHeaderValues(rawHeaders, 'content-length').at(-1) ?? '';
  return !/^\d+$/.test(contentLength) || Number(contentLength) > maxBodyBytesOfPath(path);
}

/** All local clients share one address, so a header replaces the address that the edge would see. */
function readClientAddress({ rawHeaders, socketAddress }: EdgeRequest): string {
  const addressChain = readHeaderValues(rawHeaders, FORWARDED_FOR_HEADER).join(',').split(',');
  return addressChain.at(-1)?.trim() || socketAddress;
}

function buildForwardedHeaders(
  { rawHeaders }: EdgeRequest,
  { address, secret }: { address: string; secret: string },
): string[] {
  const forwardedAddresses = readHeaderValues(rawHeaders, FORWARDED_FOR_HEADER);
  const edgeHeaders = [
    EDGE_SECRET_HEADER,
    secret,
    FORWARDED_FOR_HEADER,
    forwardedAddresses.length === 0 ? address : forwardedAddresses.join(', '),
  ];
  const forwardedHeaders = rawHeaders.flatMap((name, index) => {
    const isHeaderName = index % 2 === 0;
    const isSetByEdge = [EDGE_SECRET_HEADER, FORWARDED_FOR_HEADER].includes(name.toLowerCase());
    return isHeaderName && !isSetByEdge ? [name, rawHeaders[index + 1] ?? ''] : [];
  });
  return [...forwardedHeaders, ...edgeHeaders];
}

function readHeaderValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function createBlockedResponse({
  status,
  headers,
  body,
}: (typeof EDGE_RESPONSES)[keyof typeof EDGE_RESPONSES]): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    cookies: [],
    body: Buffer.from(body),
  };
}
