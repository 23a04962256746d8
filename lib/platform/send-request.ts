/**
 * Sends one HTTP request to the platform, limited in time and size. A redirect is returned like any response and is
 * not followed. Each failure states whether the platform may have received the request.
 */
import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { toHeaderList } from '../domain/outgoing/header-list.ts';
import { hostWithoutBrackets } from '../domain/outgoing/host-without-brackets.ts';

export type PlatformHttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

type RequestLimits = {
  /** The part of the platform, for the error message. */
  readonly api: PlatformApiName;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The connection pool; `false`: the request gets its own connection. */
  readonly agent: Agent | false;
};

type PlatformApiName = 'Admin API' | 'sign-in';

/** A complete response, of any status. */
export type RawPlatformResponse = {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: string;
};

/** The error when no complete response arrived. */
export class TransportError extends Error {
  readonly kind: 'forbidden' | 'unreachable' | 'timeout' | 'cut' | 'too-large';
  /** Whether the platform may have received the request, and processed it. */
  readonly mayHaveBeenReceived: boolean;

  constructor(api: PlatformApiName, kind: TransportError['kind'], mayHaveBeenReceived: boolean) {
    super(`the platform's ${api}: ${kind}`);
    this.name = 'TransportError';
    this.kind = kind;
    this.mayHaveBeenReceived = mayHaveBeenReceived;
  }
}

const USER_AGENT = 'subscription-management-service';

/**
 * Resolves with the response, of any status. Rejects only with a TransportError, when the connection is closed: the
 * container may be frozen immediately afterwards.
 */
export function sendRequest(
  request: PlatformHttpRequest,
  limits: RequestLimits,
): Promise<RawPlatformResponse> {
  const { method, url, headers, body } = request;
  const { agent, api, timeoutMs, maxBytes } = limits;
  const isHttps = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    let isRequestSent = false;
    let transportError: TransportError | undefined;
    const startRequest = isHttps ? httpsRequest : httpRequest;
    const allHeaders = { host: url.host, ...headers, 'user-agent': USER_AGENT, ...contentLengthHeader(body) };
    const outgoingRequest = startRequest({
      ...connectionAddressOf(url),
      method,
      agent,
      headers: toHeaderList(allHeaders),
    });
    const abortWithError = (kind: TransportError['kind']) => {
      clearTimeout(timer);
      if (transportError !== undefined) return;
      transportError = new TransportError(api, kind, isRequestSent);
      runWhenClosed(outgoingRequest, () => reject(transportError));
      outgoingRequest.destroy();
    };
    const timer = setTimeout(() => abortWithError('timeout'), timeoutMs);
    outgoingRequest.once('socket', (socket) => {
      const markSent = () => {
        isRequestSent = true;
      };
      if (socket.connecting) socket.once(isHttps ? 'secureConnect' : 'connect', markSent);
      else markSent();
    });
    outgoingRequest.on('error', () => abortWithError(isRequestSent ? 'cut' : 'unreachable'));
    outgoingRequest.once('response', (response) => {
      const resolveResponse = (text: string) => {
        clearTimeout(timer);
        if (transportError !== undefined) return;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      };
      readResponseBody(response, { maxBytes, done: resolveResponse, fail: abortWithError });
    });
    outgoingRequest.end(body);
  });
}

/**
 * Calls back immediately if the request still waits for a connection of the pool, because it would not be closed before
 * it has one.
 */
function runWhenClosed(outgoingRequest: ClientRequest, callBack: () => void): void {
  if (outgoingRequest.socket === null || outgoingRequest.closed) callBack();
  else outgoingRequest.once('close', callBack);
}

/** Only the URL's parts that Node needs: this saves 20 µs in a new container's request. */
function connectionAddressOf({ protocol, hostname, port, pathname, search }: URL) {
  return { protocol, hostname: hostWithoutBrackets(hostname), port, path: pathname + search };
}

function contentLengthHeader(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
}

type ResponseBodyReader = {
  readonly maxBytes: number;
  readonly done: (text: string) => void;
  readonly fail: (kind: TransportError['kind']) => void;
};

function readResponseBody(response: IncomingMessage, { maxBytes, done, fail }: ResponseBodyReader): void {
  const bodyChunks: Buffer[] = [];
  let receivedBytes = 0;
  response.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBytes) fail('too-large');
    else bodyChunks.push(chunk);
  });
  response.on('error', () => fail('cut'));
  response.once('aborted', () => fail('cut'));
  response.once('end', () => {
    if (response.complete) done(Buffer.concat(bodyChunks, receivedBytes).toString('utf8'));
    else fail('cut');
  });
}
