/** Sends a request once, over a pooled connection. Returns the complete response or fails within the timeout. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ConnectionPool } from '../../domain/outgoing/connection-pool.ts';
import { toHeaderList } from '../../domain/outgoing/header-list.ts';
import { hostWithoutBrackets } from '../../domain/outgoing/host-without-brackets.ts';
import type { SignedHeaders } from './sign-request.ts';

export type AwsResponse = {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};
/** Sends `body` with POST to `/`. Throws the error of the network, or a TimeoutError. */
export type SendOnce = (headers: SignedHeaders, body: string) => Promise<AwsResponse>;

type SendOnceOptions = {
  readonly endpoint: URL;
  readonly connections: ConnectionPool;
  /** The timeout in milliseconds, from opening the connection to the last byte of the response. */
  readonly timeoutMs: number;
};

const MAX_CONNECTION_IDLE_MS = 10_000;

/** Creates the function that sends requests to one endpoint. */
export function createSendOnce({ endpoint, connections, timeoutMs }: SendOnceOptions): SendOnce {
  const send = endpoint.protocol === 'https:' ? httpsRequest : httpRequest;
  const { agent } = connections;
  const requestTarget = {
    method: 'POST',
    path: '/',
    host: hostWithoutBrackets(endpoint.hostname),
    port: endpoint.port,
    agent,
  };
  return (headers, body) => {
    connections.dropIdle(MAX_CONNECTION_IDLE_MS);
    // Use one promise and plain listeners, because each wrapper makes a cold start longer.
    return new Promise((resolve, reject) => {
      const request = send({ ...requestTarget, headers: toHeaderList(headers) });
      const timer = setTimeout(() => request.destroy(createTimeoutError(timeoutMs)), timeoutMs);
      const rejectRequest = (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      };
      request.on('error', rejectRequest);
      request.on('response', (response) => {
        const resolveResponse = (awsResponse: AwsResponse) => {
          clearTimeout(timer);
          resolve(awsResponse);
        };
        readResponse(response, { done: resolveResponse, fail: rejectRequest });
      });
      request.end(body);
    });
  };
}

type ResponseCallbacks = {
  readonly done: (awsResponse: AwsResponse) => void;
  readonly fail: (error: unknown) => void;
};

function readResponse(response: IncomingMessage, { done, fail }: ResponseCallbacks): void {
  const bodyChunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => bodyChunks.push(chunk));
  // Node emits an error (`aborted`, ECONNRESET) when the connection closes before the response is complete.
  response.on('error', fail);
  response.on('end', () => {
    const { statusCode: status = 0, headers } = response;
    done({ status, headers, body: Buffer.concat(bodyChunks) });
  });
}

function createTimeoutError(timeoutMs: number): Error {
  const error = new Error(`no whole answer within ${timeoutMs} ms`);
  return Object.assign(error, { name: 'TimeoutError', code: 'ETIMEDOUT' });
}
