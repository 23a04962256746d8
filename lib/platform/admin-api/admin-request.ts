/**
 * POSTs of GraphQL documents to the platform's Admin API: over https only, or over plain http if the configured
 * origin is http. A container has one peer for each store: its URL, and which problems were already logged.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createRecentlyUsed } from '../../domain/recently-used.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import { type RawAnswer, sendRequest } from '../send-request.ts';
import type { AdminRawAnswer } from './admin-answer.ts';
import type { ReportedAccess } from './report-missing-access.ts';

/** @internal Tests respond in the platform's place. */
export type AdminPost = {
  readonly url: URL;
  readonly accessToken: string;
  readonly body: string;
  readonly timeoutMs: number;
  /**
   * A pooled connection may have been closed while the container was frozen; a mutation must not fail for that
   * reason.
   */
  readonly freshConnection: boolean;
};

export type SendAdminRequest = (post: AdminPost) => Promise<AdminRawAnswer>;

/** The response must fit into a Lambda response of 6 MB. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SOCKETS = 50;

/** Returns the URL of a shop's Admin API; `version`: for example 2026-07. */
export function adminApiUrl(platformOrigin: string, domain: string, version: string): URL {
  return new URL(`${platformOrigin.replaceAll('{shop}', domain)}/admin/api/${version}/graphql.json`);
}

/** Creates the sender of a container, which pools its connections. Rejects only with a TransportError. */
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

type AdminPeer = {
  readonly url: URL;
  readonly reportedAccess: ReportedAccess;
  lastAnswerAtMs: number;
  isOtherVersionReported: boolean;
};

type Addresses = { readonly platformOrigin: string; readonly platformApiVersion: string };

const MAX_PEERS = 10_000;

/** Creates the peers of a container, by domain. */
export function createAdminPeers({
  platformOrigin,
  platformApiVersion,
}: Addresses): (domain: string) => AdminPeer {
  const peers = createRecentlyUsed<string, AdminPeer>(MAX_PEERS);
  return (domain) => {
    const known = peers.get(domain);
    if (known !== undefined) return known;
    const peer = {
      url: adminApiUrl(platformOrigin, domain, platformApiVersion),
      reportedAccess: new Set<string>(),
      lastAnswerAtMs: 0,
      isOtherVersionReported: false,
    };
    peers.set(domain, peer);
    return peer;
  };
}

type Answered = { readonly peer: AdminPeer; readonly shopId: ShopId; readonly answered: string | undefined };

/**
 * Logs, once in a container, that another version responds: for an expired version the platform silently uses its
 * oldest one.
 */
export function reportOtherVersion(
  {
    logger,
    platformApiVersion: requestedVersion,
  }: Pick<Addresses, 'platformApiVersion'> & { readonly logger: Logger },
  { peer, shopId, answered }: Answered,
): void {
  if (answered === undefined || answered === requestedVersion || peer.isOtherVersionReported) return;
  peer.isOtherVersionReported = true;
  logger.error('platform_version.mismatch_detected', {
    shopId,
    asked: requestedVersion,
    answered,
    alarm: 'api_version',
  });
}
