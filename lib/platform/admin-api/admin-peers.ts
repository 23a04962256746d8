/** A container's state of each store's Admin API: its URL, and which problems were already logged. */

import { createRecentlyUsed } from '../../domain/recently-used.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import { adminAddress } from './admin-request.ts';
import type { ReportedAccess } from './report-missing-access.ts';

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
      url: adminAddress(platformOrigin, domain, platformApiVersion),
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
