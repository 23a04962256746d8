/**
 * Sends one request to a merchant's endpoint, limited in time and size, to checked addresses. Only the response's
 * status and `Retry-After` are retained.
 */
import { constants } from 'node:crypto';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import {
  type AddressGuardDeps,
  createGuardedLookup,
  type EndpointUrl,
  ForbiddenAddressError,
  parseEndpointUrl,
} from './guard-address.ts';

export type WebhookRequest = {
  readonly url: EndpointUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The response's status, including redirects, which are not followed; or why there was no response. */
export type WebhookResponse =
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly failed: 'ADDRESS_REFUSED' | 'UNRESOLVED' | 'UNREACHABLE' | 'TIMEOUT' | 'ANSWER_WITHOUT_END' };

export type WebhookSender = {
  /** Never rejects. */
  readonly send: (request: WebhookRequest) => Promise<WebhookResponse>;
  /** Closes the pooled connections, so that none remains when a function has responded. */
  readonly close: () => void;
};

export const WEBHOOK_TIMEOUT_MS = 10_000;

export type WebhookSenderDeps = AddressGuardDeps & { readonly timeoutMs?: number };

/** Creates a sender. Connections are pooled while it is open. */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const agentByProtocol = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };
  const lookup = createGuardedLookup(deps);
  return {
    async send(request) {
      // A literal address is not resolved, so it is checked here.
      const parseResult = parseEndpointUrl(request.url, deps);
      if ('refused' in parseResult) return { failed: 'ADDRESS_REFUSED' };
      const url = new URL(parseResult.url);
      const signal = AbortSignal.timeout(deps.timeoutMs ?? WEBHOOK_TIMEOUT_MS);
      const agent = agentByProtocol[url.protocol as keyof typeof agentByProtocol];
      const webhookResponse = await sendRequestOnce(url, request, { agent, lookup, signal });
      if (webhookResponse !== 'STALE') return webhookResponse;
      // A pooled connection that the other side had just closed does not mean that the endpoint failed.
      const freshResponse = await sendRequestOnce(url, request, { agent: false, lookup, signal });
      return freshResponse === 'STALE' ? { failed: 'UNREACHABLE' } : freshResponse;
    },
    close() {
      for (const agent of Object.values(agentByProtocol)) agent.destroy();
    },
  };
}

type ConnectionOptions = Pick<RequestOptions, 'agent' | 'lookup'> & { readonly signal: AbortSignal };

function sendRequestOnce(
  url: URL,
  { headers, body }: WebhookRequest,
  options: ConnectionOptions,
): Promise<WebhookResponse | 'STALE'> {
  const startRequest = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve } = Promise.withResolvers<WebhookResponse | 'STALE'>();
  const contentLength = Buffer.byteLength(body);
  const outgoingRequest = startRequest(url, {
    ...options,
    // Otherwise a server could repeatedly force new key computations without sending a response.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    method: 'POST',
    headers: { ...headers, 'content-length': contentLength },
  });
  let webhookResponse: WebhookResponse | undefined;
  outgoingRequest.on('error', (error) => {
    const isStale = outgoingRequest.reusedSocket && !options.signal.aborted;
    resolve(webhookResponse ?? (isStale ? 'STALE' : classifyConnectionFailure(error, options.signal)));
  });
  // The last event: the response was read completely, or the connection was closed.
  outgoingRequest.once('close', () => resolve(webhookResponse ?? { failed: 'UNREACHABLE' }));
  outgoingRequest.once('response', (response) => {
    // A truncated response stays truncated, although its end may have been read with it.
    webhookResponse ??= toWebhookResponse(response);
    response.on('error', () => undefined).resume();
  });
  limitResponseSize(outgoingRequest, () => {
    webhookResponse ??= { failed: 'ANSWER_WITHOUT_END' };
  });
  outgoingRequest.end(body);
  return promise;
}

function toWebhookResponse({ statusCode = 0, headers }: IncomingMessage): WebhookResponse {
  const retryAfter = headers['retry-after'];
  return { status: statusCode, ...(retryAfter !== undefined && { retryAfter }) };
}

function classifyConnectionFailure(error: Error, { aborted }: AbortSignal): WebhookResponse {
  if (aborted) return { failed: 'TIMEOUT' };
  if ('code' in error && error.code === 'HPE_HEADER_OVERFLOW') return { failed: 'ANSWER_WITHOUT_END' };
  if (!(error instanceof ForbiddenAddressError)) return { failed: 'UNREACHABLE' };
  return { failed: error.refusal === 'UNRESOLVED' ? 'UNRESOLVED' : 'ADDRESS_REFUSED' };
}

const MAX_RESPONSE_BYTES = 65_536;
/** The maximum number of chunks that are read of a response: a chunk of a single byte costs as much as a large one. */
const MAX_RESPONSE_CHUNKS = 1000;
/** The maximum number of interim responses (RFC 9110, section 15.2): 100 Continue and early hints, one of each. */
const MAX_INTERIM_RESPONSES = 2;

/**
 * Calls `onLimitExceeded` and ends the connection when the response exceeds the limits. Input while no request is in progress
 * ends the connection, too. The limits count all input, not only the body: also interim responses, header fields, chunk
 * extensions, trailers and TLS tickets. All stores share the worker, so one endpoint must not keep it busy.
 */
function limitResponseSize(outgoingRequest: ClientRequest, onLimitExceeded: () => void): void {
  const remainingLimits = {
    bytes: MAX_RESPONSE_BYTES,
    reads: MAX_RESPONSE_CHUNKS,
    interim: MAX_INTERIM_RESPONSES,
  };
  const abortRequest = () => {
    onLimitExceeded();
    outgoingRequest.destroy();
  };
  const countChunk = ({ length }: Buffer) => {
    remainingLimits.bytes -= length;
    remainingLimits.reads--;
    if (remainingLimits.bytes < 0 || remainingLimits.reads < 0) abortRequest();
  };
  // Node's parser cannot be stopped within a chunk. Over TLS a chunk is one record of up to 16 KB: a thousand of the
  // shortest interim responses, which are parsed for some milliseconds before the connection is closed.
  outgoingRequest.on('information', () => {
    remainingLimits.interim--;
    if (remainingLimits.interim < 0) abortRequest();
  });
  outgoingRequest.once('socket', (socket) => {
    // 'session': a TLS ticket (RFC 8446, section 4.6.1), of which a server may send any number.
    for (const event of ['data', 'session']) socket.off(event, destroyUnexpectedSocket).on(event, countChunk);
    outgoingRequest.once('close', () => {
      for (const event of ['data', 'session'])
        socket.off(event, countChunk).on(event, destroyUnexpectedSocket);
    });
  });
}

function destroyUnexpectedSocket(this: Socket): void {
  this.destroy();
}
