/**
 * The only way of sign-in to the platform's hosts: bounded in time and size, no redirects, https alone (plain
 * http on loopback for local runs). Says of every failure whether the request may have reached the platform.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export type OutgoingRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** At most 5 s. */
  readonly timeoutMs?: number;
};

/** An answer as it came, of any status. */
export type RawAnswer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** No whole answer came. `sent`: the platform may have received and done what was asked. */
export class TransportError extends Error {
  readonly sent: boolean;
  readonly kind: 'forbidden' | 'unreachable' | 'timeout' | 'cut' | 'too-large';

  constructor(kind: TransportError['kind'], sent: boolean) {
    super(`the platform's sign-in: ${kind}`);
    this.name = 'TransportError';
    this.kind = kind;
    this.sent = sent;
  }
}

export type SendSignInRequest = (request: OutgoingRequest) => Promise<RawAnswer>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const USER_AGENT = 'subscription-management-service';
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The sender of a container. `platformOrigin`: PLATFORM_ORIGIN; where it is plain http, loopback may be called
 * so. Rejects with a TransportError alone.
 */
export function createSendSignInRequest({ platformOrigin }: { platformOrigin: string }): SendSignInRequest {
  const allowsHttp = platformOrigin.startsWith('http:');
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };
  return (request) => {
    const url = URL.parse(request.url);
    const isHttp = url?.protocol === 'http:' && allowsHttp && LOOPBACK.has(url.hostname);
    if (url === null || (!isHttp && url.protocol !== 'https:') || url.username || url.password) {
      return Promise.reject(new TransportError('forbidden', false));
    }
    // A kept connection may be dead after the container slept, and a POST cannot be tried again: a fresh one.
    const agent = request.method === 'GET' ? agents[isHttp ? 'http:' : 'https:'] : undefined;
    return send({ request, url, agent });
  };
}

type Sending = { request: OutgoingRequest; url: URL; agent: HttpAgent | undefined };

function send({ request, url, agent }: Sending): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let connected = false;
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = start(url, {
      method: request.method,
      headers: { ...request.headers, 'user-agent': USER_AGENT, ...lengthOf(request.body) },
      agent: agent ?? false,
    });
    const fail = (kind: TransportError['kind']) => {
      clearTimeout(timer);
      reject(new TransportError(kind, connected));
      outgoing.destroy();
    };
    const timer = setTimeout(() => fail('timeout'), Math.min(request.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS));
    outgoing.on('socket', (socket) => {
      const ready = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      if (socket.connecting)
        socket.once(ready, () => {
          connected = true;
        });
      else connected = true;
    });
    outgoing.on('error', () => fail(connected ? 'cut' : 'unreachable'));
    outgoing.on('response', (response) => {
      readBody(response).then(
        (body) => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, headers: flatten(response), body });
        },
        (error: unknown) => fail(error instanceof RangeError ? 'too-large' : 'cut'),
      );
    });
    outgoing.end(request.body);
  });
}

function lengthOf(body: string | undefined): Record<string, number> {
  return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) throw new RangeError('too large');
    chunks.push(chunk as Buffer);
  }
  if (!response.complete) throw new Error('cut');
  return Buffer.concat(chunks).toString('utf8');
}

function flatten({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : `${value}`,
    ]),
  );
}
