/** The view of a one-time link that its page may show to whoever opens the address: looking changes nothing. */
import type { KeyScope } from '../../domain/key-scope.ts';
import { scopesOf } from '../../storage/admin-key-record.ts';
import type { LinkId } from '../../storage/one-time-links.ts';
import { CLAIM_REPEAT_MS, type ClaimKeyDeps, hasClaimableKey } from './claim-admin-key.ts';

export type LinkView =
  | { readonly state: 'unknown' }
  | {
      readonly state: 'open';
      /** The store's name, and never its domain: the person who opens the link has to know that. */
      readonly displayName: string;
      readonly issuedBy: string;
      readonly label: string;
      readonly voidAtMs: number;
      readonly scopes: readonly KeyScope[];
      /** The networks that the key may be used from; empty: any. */
      readonly networks: readonly string[];
      /** When the key ends, epoch milliseconds; undefined: it has no end of its own. */
      readonly notAfter: number | undefined;
    }
  | { readonly state: 'gone'; readonly openedAtMs: number | undefined };

/** The view of a link. Opened a moment ago it still is `open`, so that its page can fetch a lost answer again. */
export async function lookAtLink(
  deps: Pick<ClaimKeyDeps, 'links' | 'stores' | 'now' | 'readVersion'>,
  linkId: LinkId | undefined,
): Promise<LinkView> {
  const { links, stores, now } = deps;
  const link = linkId && (await links.find(linkId));
  if (link === undefined) return { state: 'unknown' };
  const { claimedAtMs, voidAtMs, issuedBy, label, networks = [], notAfter } = link;
  const endsAtMs = claimedAtMs === undefined ? voidAtMs : claimedAtMs + CLAIM_REPEAT_MS;
  if (now() >= endsAtMs) return { state: 'gone', openedAtMs: claimedAtMs };
  const store = await stores.find(link.shopId);
  if (store?.status !== 'installed') return { state: 'gone', openedAtMs: claimedAtMs };
  // Opening it would be refused: its key was revoked, or has ended.
  const isDead = claimedAtMs === undefined && !(await hasClaimableKey(deps, link));
  if (isDead) return { state: 'gone', openedAtMs: undefined };
  const limits = { scopes: scopesOf(link), networks, notAfter };
  return { state: 'open', displayName: store.displayName, issuedBy, label, voidAtMs, ...limits };
}
