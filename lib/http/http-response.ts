import type { Exchange, HttpResult } from './exchange.ts';

/** The response of an endpoint. A `body` that is not a string is sent as JSON. */
export type HttpResponse = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Converts a response to the result that API Gateway expects (payload format 2.0), and adds the headers of the
 * exchange. The response to HEAD is that to GET without the body (RFC 9110, section 9.3.2).
 */
export function toApiGatewayResult(exchange: Exchange, { status, body, headers }: HttpResponse): HttpResult {
  const bodyText = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const contentType = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return {
    statusCode: status,
    headers: { ...contentType, ...exchange.responseHeaders, ...headers },
    body: exchange.request.method === 'HEAD' ? '' : bodyText,
  };
}
