/**
 * POSTs of GraphQL documents to the platform's Admin API: over https alone, or over plain http where the configured
 * origin is http.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type RawAnswer, sendRequest } from '../send-request.ts';

/** @internal Tests answer in the platform's place. */
export type AdminPost = {
  readonly url: URL;
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

export type SendAdminRequest = (post: AdminPost) => Promise<AdminRawAnswer>;

/** An answer has to fit into a Lambda response of 6 MB. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SOCKETS = 50;

/** Where a shop's Admin API is asked; `version` is one of the platform, such as 2026-07. */
export function adminAddress(platformOrigin: string, domain: string, version: string): URL {
  return new URL(`${platformOrigin.replaceAll('{shop}', domain)}/admin/api/${version}/graphql.json`);
}

/** The sender of a container; it keeps its connections. Rejects with a TransportError alone. */
export function createSendAdminRequest(): SendAdminRequest {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return async ({ url, accessToken, body, timeoutMs, freshConnection }) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-access-token': accessToken,
    };
    const agent = !freshConnection && agents[url.protocol === 'http:' ? 'http' : 'https'];
    const bounds = { api: 'Admin API', timeoutMs, maxBytes: MAX_BYTES, agent } as const;
    return toAdminAnswer(await sendRequest({ method: 'POST', url, headers, body }, bounds));
  };
}

function toAdminAnswer({ status, headers, body }: RawAnswer): AdminRawAnswer {
  const apiVersion = headers['x-shopify-api-version'];
  return {
    ...{ status, retryAfter: headers['retry-after'], body },
    ...(apiVersion !== undefined && { apiVersion }),
  };
}
