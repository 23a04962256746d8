/** The view of a one-time link for its page. Reading it changes nothing. */
import type { KeyScope } from '../../domain/key-scope.ts';
import { scopesOf } from '../../storage/admin-key-record.ts';
import type { LinkId } from '../../storage/one-time-links.ts';
import { CLAIM_RETRY_MS, type ClaimKeyDeps, hasClaimableKey } from './claim-admin-key.ts';

export type LinkView =
  | { readonly state: 'unknown' }
  | {
      readonly state: 'open';
      /** The store's name, but not its domain, which the person who opens the link has to know. */
      readonly displayName: string;
      readonly issuedBy: string;
      readonly label: string;
      readonly voidAtMs: number;
      readonly scopes: readonly KeyScope[];
      /** The networks that may use the key; empty for any. */
      readonly networks: readonly string[];
      /** When the key ends, epoch milliseconds; undefined when it has no end of its own. */
      readonly notAfter: number | undefined;
    }
  | { readonly state: 'gone'; readonly openedAtMs: number | undefined };

/**
 * Returns the view of a link. A link that was just opened is still `open`, so that its page can retry after a lost
 * response.
 */
export async function inspectLink(
  deps: Pick<ClaimKeyDeps, 'links' | 'stores' | 'now' | 'readVersion'>,
  linkId: LinkId | undefined,
): Promise<LinkView> {
  const { links, stores, now } = deps;
  const link = linkId && (await links.find(linkId));
  if (link === undefined) return { state: 'unknown' };
  const { claimedAtMs, voidAtMs, issuedBy, label, networks = [], notAfter } = link;
  const endsAtMs = claimedAtMs === undefined ? voidAtMs : claimedAtMs + CLAIM_RETRY_MS;
  if (now() >= endsAtMs) return { state: 'gone', openedAtMs: claimedAtMs };
  const store = await stores.find(link.shopId);
  if (store?.status !== 'installed') return { state: 'gone', openedAtMs: claimedAtMs };
  // Opening it would be refused: its key was revoked, or has ended.
  const hasExpired = claimedAtMs === undefined && !(await hasClaimableKey(deps, link));
  if (hasExpired) return { state: 'gone', openedAtMs: undefined };
  const limits = { scopes: scopesOf(link), networks, notAfter };
  return { state: 'open', displayName: store.displayName, issuedBy, label, voidAtMs, ...limits };
}
