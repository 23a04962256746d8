/**
 * Calls one version of a function directly, with an event as API Gateway sends it. No route or throttle of API Gateway
 * applies.
 */
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../lib/domain/json-object.ts';
import { EDGE_SECRET_HEADER } from '../../lib/http/edge/require-edge.ts';

export type TestedFunction = 'headless-auth' | 'customer-graphql' | 'admin-graphql' | 'platform-webhooks';
export type SmokeRequest = {
  readonly function: TestedFunction;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
};
export type VersionResponse = { readonly status: number; readonly json: JsonObject };

/**
 * Builds an event in payload format 2.0 of an HTTP API. `edgeSecret` is the secret that the edge would add as a header.
 */
export function toApiGatewayEvent(request: SmokeRequest, edgeSecret: string | undefined): object {
  const { method, path, headers, body } = request;
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'smoke-test' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(edgeSecret !== undefined && { [EDGE_SECRET_HEADER]: edgeSecret }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
    requestContext: { http, requestId: `smoke-${randomUUID()}`, stage: '$default', routeKey: '$default' },
  };
}

/**
 * Parses the result of a function as an HTTP response with a JSON object.
 * @returns undefined when it is malformed
 */
export function parseVersionResponse(invocationResult: unknown): VersionResponse | undefined {
  if (!isJsonObject(invocationResult) || typeof invocationResult.statusCode !== 'number') return undefined;
  const json = parseJsonObject(String(invocationResult.body));
  return json && { status: invocationResult.statusCode, json };
}
