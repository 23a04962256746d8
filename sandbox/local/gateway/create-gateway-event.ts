/**
 * Converts an HTTP request to the event of an HTTP API, payload format 2.0. It is the gateway's first step; then the
 * function is invoked, and convert-function-result.ts converts its result.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { MatchRoute, RouteMatch } from './match-route.ts';

/** The properties of Node's request that the gateway reads. */
export type ReceivedRequest = Pick<
  IncomingMessage,
  'method' | 'url' | 'httpVersion' | 'rawHeaders' | 'headers'
> & { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'> };
export type GatewayEvent = { readonly event: APIGatewayProxyEventV2; readonly match: RouteMatch };
type GatewayEventInput = {
  readonly request: ReceivedRequest;
  readonly body: Buffer;
  readonly matchRoute: MatchRoute;
  readonly nowMs: number;
};

const API_ID = 'local';
const ACCOUNT_ID = '000000000000';
/**
 * The content types whose bodies are text; every other body is base64, including form data and bodies without a type.
 */
const TEXT_TYPE_PATTERN = /^\s*(text\/[^;\s]+|application\/(json|xml|javascript))\s*(;|$)/i;

/** Creates the event from a request, its body and its route. */
export function createGatewayEvent({ request, body, matchRoute, nowMs }: GatewayEventInput): GatewayEvent {
  const { path, query } = splitTarget(request.url ?? '/');
  const routeMatch = matchRoute(request.method ?? 'GET', path);
  const { cookies, headers } = convertHeaders(request);
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: routeMatch.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== '' && { queryStringParameters: parseQuery(query) }),
    requestContext: createRequestContext({ request, path, match: routeMatch, nowMs }),
    ...(routeMatch.pathParameters && { pathParameters: { ...routeMatch.pathParameters } }),
    ...encodeBody(body, headers['content-type']),
  };
  return { event, match: routeMatch };
}

/** Returns the decoded path of a request, without its query. */
export function decodePath({ url = '/' }: ReceivedRequest): string {
  return splitTarget(url).path;
}

/** HTTP APIs decode the path (not the query) first; an invalid escape stays unchanged. */
function splitTarget(target: string): { path: string; query: string } {
  const [pathOrUrl = '/', ...rest] = target.split('?');
  const path = pathOrUrl.startsWith('/') ? pathOrUrl : (URL.parse(pathOrUrl)?.pathname ?? '/');
  return { path: decodeOrOriginal(path), query: rest.join('?') };
}

function decodeOrOriginal(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Lower-cases names and joins repeated headers with commas; cookies are returned as a list. */
function convertHeaders(request: ReceivedRequest): { cookies: string[]; headers: Record<string, string> } {
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  const { rawHeaders } = request;
  for (let nameIndex = 0; nameIndex < rawHeaders.length; nameIndex += 2) {
    const name = (rawHeaders[nameIndex] ?? '').toLowerCase();
    const headerValue = rawHeaders[nameIndex + 1] ?? '';
    if (name === 'cookie') cookies.push(...headerValue.split(/;\s*/).filter(Boolean));
    else if (!HOP_BY_HOP_HEADERS.has(name))
      headers[name] = name in headers ? `${headers[name]},${headerValue}` : headerValue;
  }
  return { cookies, headers: { ...headers, ...createForwardedHeaders(request, headers) } };
}

const HOP_BY_HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers that API Gateway adds to every request. */
function createForwardedHeaders(
  request: ReceivedRequest,
  headers: Record<string, string>,
): Record<string, string> {
  const ip = readSourceIp(request);
  const forwardedFor = headers['x-forwarded-for'];
  return {
    'x-amzn-trace-id': `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': forwardedFor === undefined ? ip : `${forwardedFor}, ${ip}`,
    'x-forwarded-port': `${request.socket.localPort ?? 443}`,
    'x-forwarded-proto': 'http',
  };
}

function parseQuery(query: string): Record<string, string> {
  const queryValues: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    queryValues[name] = name in queryValues ? `${queryValues[name]},${value}` : value;
  }
  return queryValues;
}

function encodeBody(body: Buffer, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.byteLength === 0) return { isBase64Encoded: false };
  if (TEXT_TYPE_PATTERN.test(contentType)) return { body: body.toString('utf8'), isBase64Encoded: false };
  return { body: body.toString('base64'), isBase64Encoded: true };
}

type RequestContextInput = {
  readonly request: ReceivedRequest;
  readonly path: string;
  readonly match: RouteMatch;
  readonly nowMs: number;
};

function createRequestContext(input: RequestContextInput): APIGatewayProxyEventV2['requestContext'] {
  const { request, path, match, nowMs } = input;
  const domainName = request.headers.host ?? 'localhost';
  return {
    accountId: ACCOUNT_ID,
    apiId: API_ID,
    domainName,
    domainPrefix: domainName.split('.')[0] ?? domainName,
    http: {
      method: request.method ?? 'GET',
      path,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: readSourceIp(request),
      userAgent: request.headers['user-agent'] ?? '',
    },
    requestId: `${randomBytes(11).toString('base64').replaceAll(/[+/]/g, 'x').slice(0, 15)}=`,
    routeKey: match.routeKey,
    stage: '$default',
    time: formatCommonLogTime(nowMs),
    timeEpoch: nowMs,
  };
}

export function readSourceIp(request: ReceivedRequest): string {
  return (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
}

/** Returns for example `21/Nov/2026:08:40:29 +0000`. */
function formatCommonLogTime(nowMs: number): string {
  const [, day, month, year, time] = new Date(nowMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
