import type { Exchange, HttpResult } from './exchange.ts';

/** The answer of an endpoint. `body` is sent as JSON unless it is a string already. */
export type Answer = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * API Gateway's structured result (payload format 2.0) for an answer, with the exchange's own headers.
 * HEAD answers as GET does, without the body (RFC 9110, section 9.3.2).
 */
export function toResult(exchange: Exchange, { status, body, headers }: Answer): HttpResult {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const contentType = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return {
    statusCode: status,
    headers: { ...contentType, ...exchange.responseHeaders, ...headers },
    body: exchange.request.method === 'HEAD' ? '' : text,
  };
}
