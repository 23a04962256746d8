/**
 * Stands in for the HTTP API: HTTP request → event → function → HTTP answer, within API Gateway's limits.
 * It knows the shared list of routes and nothing of what the functions do.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RoutedFunctionName } from '../../definition/function-definitions.ts';
import { type ListeningServer, listen } from '../../emulators/listen.ts';
import { fromResult, gatewayAnswer, type HttpAnswer } from './from-result.ts';
import { limits } from './limits.ts';
import { createRouteMatcher, type MatchRoute } from './match-route.ts';
import { createBuckets, type TakeToken } from './throttle.ts';
import { toEvent } from './to-event.ts';

/** Runs a function with an event and gives what it returned. Rejects if it failed, whatever the reason. */
export type Invoke = (name: RoutedFunctionName, event: object) => Promise<unknown>;

export type GatewayOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly invoke: Invoke;
  readonly now: () => number;
  /** Finds the route of a request; by default in the shared list of routes. */
  readonly matchRoute?: MatchRoute;
  /** The time-out for tests; API Gateway's own without it. */
  readonly integrationTimeoutMs?: number;
};

/** Starts the gateway on the loopback address. Rejects as `listen` does, for example with EADDRINUSE. */
export function startGateway(options: GatewayOptions): Promise<ListeningServer> {
  const matchRoute = options.matchRoute ?? createRouteMatcher();
  const takeToken = createBuckets(options.now);
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 30_000 }, (request, response) => {
    answer(request, { ...options, matchRoute, takeToken }).then(
      (answered) => send(response, answered),
      () => response.destroy(),
    );
  });
  return listen(server, options.port);
}

/** Rejects only if the client went away while it was sending. */
async function answer(
  request: IncomingMessage,
  options: GatewayOptions & { matchRoute: MatchRoute; takeToken: TakeToken },
): Promise<HttpAnswer> {
  const body = await readBody(request);
  if (headerBytes(request) > limits.headerBytes) return gatewayAnswer(431);
  if (body === 'too large') return gatewayAnswer(413);
  const { event, match } = toEvent({
    request,
    body,
    matchRoute: options.matchRoute,
    nowMs: options.now(),
  });
  if (match.throttle && !options.takeToken(match.routeKey, match.throttle)) return gatewayAnswer(429);
  if (Buffer.byteLength(JSON.stringify(event)) > limits.invocationBytes) return gatewayAnswer(413);
  const timeoutMs = options.integrationTimeoutMs ?? limits.integrationTimeoutMs;
  const result = await withinTime(options.invoke(match.function, event), timeoutMs);
  if (result === 'timeout') return gatewayAnswer(503);
  return 'failed' in result ? gatewayAnswer(500) : fromResult(result.returned);
}

function headerBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}`;
  return rawHeaders.reduce((sum, text) => sum + text.length, requestLine.length);
}

/** The whole body; of a body beyond the limit the rest is read and dropped, so that the client gets its answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= limits.bodyBytes) chunks.push(chunk);
  }
  return bytes > limits.bodyBytes ? 'too large' : Buffer.concat(chunks);
}

type Outcome = { readonly returned: unknown } | { readonly failed: true } | 'timeout';

/** The function goes on after the time-out, and nobody waits for it: as on AWS. */
function withinTime(invoked: Promise<unknown>, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), timeoutMs);
    invoked.then(
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

function send(response: ServerResponse, { status, headers, cookies, body }: HttpAnswer): void {
  const withoutBody = response.req.method === 'HEAD' || status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
    ...(!withoutBody && { 'content-length': body.byteLength }),
  });
  response.end(withoutBody ? undefined : body);
}
