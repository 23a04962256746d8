/**
 * Emulates the HTTP API: HTTP request → event → function → HTTP response, within API Gateway's limits. It depends on
 * the shared list of routes and not on the functions.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RoutedFunctionName } from '../../../infra/definition/function-definitions.ts';
import { type ListeningServer, listenOnLoopback } from '../../listen.ts';
import {
  convertFunctionResult,
  createGatewayResponse,
  type GatewayResponse,
} from './convert-function-result.ts';
import {
  createGatewayEvent,
  decodePath,
  type ReceivedRequest,
  readSourceIp,
} from './create-gateway-event.ts';
import type { EdgeEmulator } from './edge.ts';
import { createRouteMatcher, type MatchRoute } from './match-route.ts';
import { createTokenBuckets } from './throttle.ts';

/** API Gateway's quotas for HTTP APIs, and Lambda's payload limits. None can be raised. */
const gatewayLimits = {
  /** The largest body of a request. */
  bodyBytes: 10 * 1024 * 1024,
  /** The largest request line with all headers. */
  headerBytes: 10_240,
  integrationTimeoutMs: 30_000,
  /** The largest event, and the largest response of a function. */
  invocationBytes: 6 * 1024 * 1024,
} as const;

/**
 * Runs a function with an event and returns its result. Rejects when it fails, for any reason. Calls `onStart` when an
 * instance has accepted the event: on this machine instances are few, and on Lambda the event would not have waited.
 */
export type InvokeFunction = (
  name: RoutedFunctionName,
  event: object,
  onStart: () => void,
) => Promise<unknown>;

export type GatewayOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly invoke: InvokeFunction;
  readonly now: () => number;
  /** Finds the route of a request; by default in the shared list of routes. */
  readonly matchRoute?: MatchRoute;
  /** The edge before the API, if any. */
  readonly edge?: EdgeEmulator;
  /** A time-out for tests; by default API Gateway's. */
  readonly integrationTimeoutMs?: number;
};

/** Starts the gateway on the loopback address. Rejects as `listen` does, for example with EADDRINUSE. */
export function startGateway(options: GatewayOptions): Promise<ListeningServer> {
  const handleGatewayRequest = createGatewayHandler(options);
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 30_000 }, (request, response) => {
    readBody(request)
      .then((body) => handleGatewayRequest(request, body))
      .then(
        (gatewayResponse) => writeResponse(response, gatewayResponse),
        () => response.destroy(),
      );
  });
  return listenOnLoopback(server, options.port);
}

/** @internal The gateway without its server: a test floods it with its own clock. */
export type HandleGatewayRequest = (
  request: ReceivedRequest,
  body: Buffer | 'too large',
) => Promise<GatewayResponse>;

/** @internal Creates the gateway without its server. Its responses never reject. */
export function createGatewayHandler(options: Omit<GatewayOptions, 'port'>): HandleGatewayRequest {
  const { edge, now } = options;
  const matchRoute = options.matchRoute ?? createRouteMatcher();
  const takeToken = createTokenBuckets(now);
  return async (receivedRequest, body) => {
    const edgeResult = edge?.filterRequest({
      method: receivedRequest.method ?? 'GET',
      path: decodePath(receivedRequest),
      bodyBytes: body === 'too large' ? gatewayLimits.bodyBytes + 1 : body.byteLength,
      rawHeaders: receivedRequest.rawHeaders,
      socketAddress: readSourceIp(receivedRequest),
    });
    if (edgeResult !== undefined && 'refused' in edgeResult) return edgeResult.refused;
    const request = { ...copyRequest(receivedRequest), ...edgeResult };
    if (countHeaderBytes(request) > gatewayLimits.headerBytes) return createGatewayResponse(431);
    if (body === 'too large') return createGatewayResponse(413);
    const { event, match } = createGatewayEvent({ request, body, matchRoute, nowMs: now() });
    if (match.throttle && !takeToken(match.routeKey, match.throttle)) return createGatewayResponse(429);
    if (Buffer.byteLength(JSON.stringify(event)) > gatewayLimits.invocationBytes)
      return createGatewayResponse(413);
    return invokeFunction(options, match.function, event);
  };
}

async function invokeFunction(
  { invoke, integrationTimeoutMs = gatewayLimits.integrationTimeoutMs }: Omit<GatewayOptions, 'port'>,
  name: RoutedFunctionName,
  event: object,
): Promise<GatewayResponse> {
  const result = await runWithTimeout((onStart) => invoke(name, event, onStart), integrationTimeoutMs);
  if (result === 'timeout') return createGatewayResponse(503);
  return 'failed' in result ? createGatewayResponse(500) : convertFunctionResult(result.returned);
}

/** Copies the request's properties: a spread would not, because Node defines them on the prototype. */
function copyRequest({
  method,
  url,
  httpVersion,
  rawHeaders,
  headers,
  socket,
}: ReceivedRequest): ReceivedRequest {
  return { method, url, httpVersion, rawHeaders, headers, socket };
}

function countHeaderBytes({ method, url, httpVersion, rawHeaders }: ReceivedRequest): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`;
  return rawHeaders.reduce((sum, text) => sum + text.length, requestLine.length);
}

/** Reads the body. The rest of a body beyond the limit is read and dropped, so that the client gets its response. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const bodyChunks: Buffer[] = [];
  let receivedBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    receivedBytes += chunk.byteLength;
    if (receivedBytes <= gatewayLimits.bodyBytes) bodyChunks.push(chunk);
  }
  return receivedBytes > gatewayLimits.bodyBytes ? 'too large' : Buffer.concat(bodyChunks);
}

type TimedInvocation = { readonly returned: unknown } | { readonly failed: true } | 'timeout';

/** Returns the function's result or the time-out. After it the function continues, as on AWS; its result is ignored. */
function runWithTimeout(
  run: (onStart: () => void) => Promise<unknown>,
  timeoutMs: number,
): Promise<TimedInvocation> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const onStart = () => {
      timer = setTimeout(() => resolve('timeout'), timeoutMs);
    };
    run(onStart).then(
      (returned) => {
        clearTimeout(timer);
        resolve({ returned });
      },
      () => {
        clearTimeout(timer);
        resolve({ failed: true });
      },
    );
  });
}

function writeResponse(response: ServerResponse, { status, headers, cookies, body }: GatewayResponse): void {
  const withoutBody = response.req.method === 'HEAD' || status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
    ...(!withoutBody && { 'content-length': body.byteLength }),
  });
  response.end(withoutBody ? undefined : body);
}
