/**
 * Sends all sign-in requests to the platform's hosts: over https only, or over plain http on loopback in local runs.
 * The URLs come from discovery documents, so each one is checked before a request is sent.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isLoopbackHost } from '../../config/browser-origin.ts';
import {
  type PlatformHttpRequest,
  type RawPlatformResponse,
  sendRequest,
  TransportError,
} from '../send-request.ts';

type SignInRequest = Omit<PlatformHttpRequest, 'url'> & {
  readonly url: string;
  /** The timeout of the response, at most 5 s. */
  readonly timeoutMs?: number;
};

export type SendSignInRequest = (request: SignInRequest) => Promise<RawPlatformResponse>;

const SIGN_IN_REQUEST_TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/**
 * Creates the sender of a container. `platformOrigin`: PLATFORM_ORIGIN; if it is plain http, loopback may be called
 * by http, too. Rejects only with a TransportError.
 */
export function createSendSignInRequest({ platformOrigin }: { platformOrigin: string }): SendSignInRequest {
  const allowsHttp = platformOrigin.startsWith('http:');
  const connectionAgents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };
  return async ({ url: address, timeoutMs = SIGN_IN_REQUEST_TIMEOUT_MS, ...request }) => {
    const url = URL.parse(address);
    const isHttp = url?.protocol === 'http:' && allowsHttp && isLoopbackHost(url.hostname);
    if (url === null || (!isHttp && url.protocol !== 'https:') || url.username || url.password)
      throw new TransportError('sign-in', 'forbidden', false);
    // A pooled connection may have been closed while the container was frozen, and a POST cannot be retried.
    const agent = request.method === 'GET' && connectionAgents[isHttp ? 'http' : 'https'];
    const requestLimits = { api: 'sign-in', maxBytes: MAX_RESPONSE_BYTES, agent } as const;
    return sendRequest(
      { ...request, url },
      { ...requestLimits, timeoutMs: Math.min(timeoutMs, SIGN_IN_REQUEST_TIMEOUT_MS) },
    );
  };
}
