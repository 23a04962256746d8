/**
 * POSTs of GraphQL documents to the platform's Admin API: over https only, or over plain http if the configured
 * origin is http. A container has one peer for each store: its URL, and which problems were already logged.
 */

import { createLruCache } from '../../domain/lru-cache.ts';
import { createConnectionPool } from '../../domain/outgoing/connection-pool.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import { type RawPlatformResponse, sendRequest } from '../send-request.ts';
import type { RawAdminResponse } from './admin-response.ts';
import type { ReportedAccessHandles } from './report-missing-access.ts';

/** @internal Tests respond in the platform's place. */
export type AdminPost = {
  readonly url: URL;
  readonly accessToken: string;
  readonly body: string;
  readonly timeoutMs: number;
  /**
   * Whether a connection that was used a moment ago, or a new one, is required. The platform may have closed an older
   * one without notice, and a mutation must not fail for that reason.
   */
  readonly freshConnection: boolean;
};

export type SendAdminRequest = (post: AdminPost) => Promise<RawAdminResponse>;

/** The response must fit into a Lambda response of 6 MB. */
const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;
const MAX_CONNECTION_IDLE_MS = 2_000;

/** Returns the URL of a shop's Admin API; `version`: for example 2026-07. */
export function adminApiUrl(platformOrigin: string, domain: string, version: string): URL {
  return new URL(`${platformOrigin.replaceAll('{shop}', domain)}/admin/api/${version}/graphql.json`);
}

/** Creates the sender of a container, which pools its connections. Rejects only with a TransportError. */
export function createSendAdminRequest({ now }: { readonly now: () => number }): SendAdminRequest {
  const connectionPools = {
    http: createConnectionPool('http:', now),
    https: createConnectionPool('https:', now),
  };
  return async ({ url, accessToken, body, timeoutMs, freshConnection }) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-access-token': accessToken,
    };
    const { agent, dropIdle } = connectionPools[url.protocol === 'http:' ? 'http' : 'https'];
    if (freshConnection) dropIdle(MAX_CONNECTION_IDLE_MS);
    const requestLimits = { api: 'Admin API', timeoutMs, maxBytes: MAX_RESPONSE_BYTES, agent } as const;
    return toRawAdminResponse(await sendRequest({ method: 'POST', url, headers, body }, requestLimits));
  };
}

function toRawAdminResponse({ status, headers, body }: RawPlatformResponse): RawAdminResponse {
  const apiVersion = headers['x-shopify-api-version'];
  return {
    ...{ status, retryAfter: headers['retry-after'], body },
    ...(typeof apiVersion === 'string' && { apiVersion }),
  };
}

type AdminPeer = {
  readonly url: URL;
  readonly reportedHandles: ReportedAccessHandles;
  isOtherVersionReported: boolean;
};

type AdminApiAddress = { readonly platformOrigin: string; readonly platformApiVersion: string };

const MAX_CACHED_PEERS = 10_000;

/** Creates the function that returns the peer of a store's domain, from a cache of the container. */
export function createAdminPeersByDomain({
  platformOrigin,
  platformApiVersion,
}: AdminApiAddress): (domain: string) => AdminPeer {
  const peerByDomain = createLruCache<string, AdminPeer>(MAX_CACHED_PEERS);
  return (domain) => {
    const cachedPeer = peerByDomain.get(domain);
    if (cachedPeer !== undefined) return cachedPeer;
    const peer = {
      url: adminApiUrl(platformOrigin, domain, platformApiVersion),
      reportedHandles: new Set<string>(),
      isOtherVersionReported: false,
    };
    peerByDomain.set(domain, peer);
    return peer;
  };
}

type RespondingApiVersion = {
  readonly peer: AdminPeer;
  readonly shopId: ShopId;
  readonly respondingVersion: string | undefined;
};

/**
 * Logs, once in a container, that another version responds: for an expired version the platform silently uses its
 * oldest one.
 */
export function reportOtherApiVersion(
  {
    logger,
    platformApiVersion: requestedVersion,
  }: Pick<AdminApiAddress, 'platformApiVersion'> & { readonly logger: Logger },
  { peer, shopId, respondingVersion }: RespondingApiVersion,
): void {
  if (
    respondingVersion === undefined ||
    respondingVersion === requestedVersion ||
    peer.isOtherVersionReported
  )
    return;
  peer.isOtherVersionReported = true;
  logger.error('platform_version.mismatch_detected', {
    shopId,
    requested: requestedVersion,
    answered: respondingVersion,
    alarm: 'api_version',
  });
}
