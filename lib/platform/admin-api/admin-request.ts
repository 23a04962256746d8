/**
 * One POST to the platform's Admin API: no redirects, bounded in time and size, https alone (plain http where
 * the configured origin is http). Says of every failure whether the platform may have received the request.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export type AdminPost = {
  readonly url: string;
  readonly accessToken: string;
  readonly body: string;
  readonly timeoutMs: number;
  /** A kept connection may have died while the container slept: a mutation must not find that out. */
  readonly freshConnection: boolean;
};

/** A whole answer, of any status. */
export type AdminRawAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The version that answered: the platform falls forward from one that has expired. */
  readonly apiVersion?: string | undefined;
  readonly body: string;
};

/** No whole answer came. `sent`: the platform may have received and done what was asked. */
export class AdminTransportError extends Error {
  readonly kind: 'unreachable' | 'timeout' | 'cut' | 'too-large';
  readonly sent: boolean;

  constructor(kind: AdminTransportError['kind'], sent: boolean) {
    super(`the platform's Admin API: ${kind}`);
    this.name = 'AdminTransportError';
    this.kind = kind;
    this.sent = sent;
  }
}

export type SendAdminRequest = (post: AdminPost) => Promise<AdminRawAnswer>;

const USER_AGENT = 'subscription-management-service';
/** An answer has to fit into a Lambda response of 6 MB. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SOCKETS = 50;

/** The sender of a container; keeps its connections. Rejects with an AdminTransportError alone. */
export function createSendAdminRequest(): SendAdminRequest {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return (post) => {
    const isHttp = post.url.startsWith('http:');
    const agent = post.freshConnection ? false : agents[isHttp ? 'http' : 'https'];
    return send(post, { start: isHttp ? httpRequest : httpsRequest, agent });
  };
}

type Way = { readonly start: typeof httpRequest; readonly agent: HttpAgent | false };

function send(post: AdminPost, { start, agent }: Way): Promise<AdminRawAnswer> {
  return new Promise((resolve, reject) => {
    const state = { sent: false };
    const outgoing = start(post.url, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(post.body),
        accept: 'application/json',
        'user-agent': USER_AGENT,
        'x-shopify-access-token': post.accessToken,
      },
    });
    const fail = (kind: AdminTransportError['kind']) => {
      clearTimeout(timer);
      reject(new AdminTransportError(kind, state.sent));
      outgoing.destroy();
    };
    const timer = setTimeout(() => fail('timeout'), post.timeoutMs);
    outgoing.once('socket', (socket) => {
      const ready = post.url.startsWith('https:') ? 'secureConnect' : 'connect';
      const markSent = () => {
        state.sent = true;
      };
      if (socket.connecting) socket.once(ready, markSent);
      else markSent();
    });
    outgoing.once('error', () => fail(state.sent ? 'cut' : 'unreachable'));
    outgoing.once('response', (response) => {
      const done = (body: string) => {
        clearTimeout(timer);
        const { headers, statusCode: status = 0 } = response;
        const apiVersion = headers['x-shopify-api-version'];
        const version = typeof apiVersion === 'string' ? { apiVersion } : {};
        resolve({ status, retryAfter: headers['retry-after'], body, ...version });
      };
      readBody(response, done, fail);
    });
    outgoing.end(post.body);
  });
}

function readBody(
  response: IncomingMessage,
  done: (body: string) => void,
  fail: (kind: AdminTransportError['kind']) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) fail('too-large');
    else chunks.push(chunk);
  });
  response.once('error', () => fail('cut'));
  response.once('aborted', () => fail('cut'));
  response.once('end', () => {
    if (response.complete) done(Buffer.concat(chunks, bytes).toString('utf8'));
    else fail('cut');
  });
}
