/**
 * The only way of sign-in to the platform's hosts: over https alone, or over plain http on loopback in local runs. The
 * addresses come from discovery documents, so each is looked at before anything is sent.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type HttpRequest, type RawAnswer, sendRequest, TransportError } from '../send-request.ts';

type SignInRequest = Omit<HttpRequest, 'url'> & {
  readonly url: string;
  /** The longest wait for an answer; it is 5 s at most. */
  readonly timeoutMs?: number;
};

export type SendSignInRequest = (request: SignInRequest) => Promise<RawAnswer>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The sender of a container. `platformOrigin`: PLATFORM_ORIGIN; where it is plain http, loopback may be called
 * so. Rejects with a TransportError alone.
 */
export function createSendSignInRequest({ platformOrigin }: { platformOrigin: string }): SendSignInRequest {
  const allowsHttp = platformOrigin.startsWith('http:');
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };
  return async ({ url: address, timeoutMs = TIMEOUT_MS, ...request }) => {
    const url = URL.parse(address);
    const isHttp = url?.protocol === 'http:' && allowsHttp && LOOPBACK.has(url.hostname);
    if (url === null || (!isHttp && url.protocol !== 'https:') || url.username || url.password)
      throw new TransportError('sign-in', 'forbidden', false);
    // A kept connection may be dead after the container slept, and a POST cannot be tried again.
    const agent = request.method === 'GET' && agents[isHttp ? 'http' : 'https'];
    const bounds = { api: 'sign-in', maxBytes: MAX_BYTES, agent } as const;
    return sendRequest({ ...request, url }, { ...bounds, timeoutMs: Math.min(timeoutMs, TIMEOUT_MS) });
  };
}
