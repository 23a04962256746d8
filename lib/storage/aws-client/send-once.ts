/** One try of a request: sent over a kept connection, answered as a whole within its time, or failed. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { KeptConnections } from './kept-connections.ts';
import type { SignedHeaders } from './sign-request.ts';

export type AwsAnswer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};
/** A POST of `body` to `/`. Rejects with the system's error, or a TimeoutError. */
export type SendOnce = (headers: SignedHeaders, body: string) => Promise<AwsAnswer>;

type Options = {
  readonly endpoint: URL;
  readonly connections: KeptConnections;
  /** From the start to the last byte of the answer, the connection's making included. */
  readonly timeoutMs: number;
};

/** Sends to one endpoint. */
export function createSendOnce({ endpoint, connections, timeoutMs }: Options): SendOnce {
  const send = endpoint.protocol === 'https:' ? httpsRequest : httpRequest;
  const { agent } = connections;
  const where = { method: 'POST', path: '/', host: bareHost(endpoint), port: endpoint.port, agent };
  return (headers, body) => {
    connections.dropIdle();
    const request = send({ ...where, headers });
    const answer = new Promise<AwsAnswer>((resolve, reject) => {
      request.once('error', reject);
      request.once('response', (response) => {
        readAnswer(response).then(resolve, reject);
        const { socket } = response;
        response.once('end', () => connections.release(socket));
      });
    });
    request.end(body);
    return within(timeoutMs, request, answer);
  };
}

/** An IPv6 address without its brackets. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function readAnswer(response: IncomingMessage): Promise<AwsAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    // An answer that is cut is an error: `aborted`, ECONNRESET.
    response.once('error', reject);
    response.once('end', () => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: Buffer.concat(chunks) });
    });
  });
}

async function within<T>(timeoutMs: number, request: ClientRequest, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    const error = new Error(`no whole answer within ${timeoutMs} ms`);
    request.destroy(Object.assign(error, { name: 'TimeoutError', code: 'ETIMEDOUT' }));
  }, timeoutMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
