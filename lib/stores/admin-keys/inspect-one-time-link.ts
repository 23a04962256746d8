/** Returns what the page of a one-time link shows. Changes nothing. */
import type { KeyScope } from '../../domain/key-scope.ts';
import { adminKeyScopes } from '../../storage/admin-key-record.ts';
import type { OneTimeLinkId } from '../../storage/one-time-links.ts';
import { CLAIM_RETRY_WINDOW_MS, type ClaimKeyDeps, hasClaimableKey } from './claim-admin-key.ts';

export type OneTimeLinkView =
  | { readonly state: 'unknown' }
  | {
      readonly state: 'open';
      /** The store's name. Not its domain, because the person who opens the link must know it. */
      readonly displayName: string;
      readonly issuedBy: string;
      readonly label: string;
      readonly voidAtMs: number;
      readonly scopes: readonly KeyScope[];
      /** The networks that may use the key (CIDR). Empty when any may. */
      readonly networks: readonly string[];
      /** When the key expires, epoch milliseconds. Undefined when it does not. */
      readonly notAfter: number | undefined;
    }
  | { readonly state: 'gone'; readonly openedAtMs: number | undefined };

/**
 * Returns the state of a link. A link that was opened less than two minutes ago is still `open`, so that its page can
 * repeat the claim after a lost response.
 */
export async function inspectOneTimeLink(
  deps: Pick<ClaimKeyDeps, 'links' | 'stores' | 'now' | 'readVersion'>,
  linkId: OneTimeLinkId | undefined,
): Promise<OneTimeLinkView> {
  const { links, stores, now } = deps;
  const link = linkId && (await links.find(linkId));
  if (link === undefined) return { state: 'unknown' };
  const { claimedAtMs, voidAtMs, issuedBy, label, networks = [], notAfter } = link;
  const openUntilMs = claimedAtMs === undefined ? voidAtMs : claimedAtMs + CLAIM_RETRY_WINDOW_MS;
  if (now() >= openUntilMs) return { state: 'gone', openedAtMs: claimedAtMs };
  const store = await stores.find(link.shopId);
  if (store?.status !== 'installed') return { state: 'gone', openedAtMs: claimedAtMs };
  // The key was revoked or has expired, so the link could not be opened.
  const hasLinkExpired = claimedAtMs === undefined && !(await hasClaimableKey(deps, link));
  if (hasLinkExpired) return { state: 'gone', openedAtMs: undefined };
  const keyLimits = { scopes: adminKeyScopes(link), networks, notAfter };
  return { state: 'open', displayName: store.displayName, issuedBy, label, voidAtMs, ...keyLimits };
}
