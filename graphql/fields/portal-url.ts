/** Formats the address of the store's customer portal (platform document "Hosted customer portal"). */
import { parseGid } from '../../lib/domain/gid.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';

/** Returns the address of all subscriptions, or of one; null when the store has no portal page. */
export function formatPortalUrl(store: StoreRecord, contractId?: unknown): string | null {
  if (store.portalPageId === undefined) return null;
  const host = store.storefrontUrl.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  const page = `https://${host}/account/pages/${store.portalPageId}`;
  if (contractId === undefined) return page;
  const gid = typeof contractId === 'string' ? parseGid(contractId) : undefined;
  return gid === undefined ? null : `${page}/subscriptions/${gid.tail}`;
}
