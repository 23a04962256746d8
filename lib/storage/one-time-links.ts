/** One-time links: a sealed admin key, opened once by a person who knows the store's domain. */
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey, Table } from './table.ts';

export type OneTimeLinkRecord = {
  readonly linkId: string;
  readonly shopId: ShopId;
  readonly keyId: string;
  /** The admin key, AES-256-GCM under a key derived from the fragment: iv, ciphertext and tag, base64url. */
  readonly sealedKey: string;
  /** SHA-256 of the proof derived from the fragment, base64url. */
  readonly proofHash: string;
  readonly createdAtMs: number;
  readonly voidAtMs: number;
  readonly claimId: string | undefined;
  readonly claimedAtMs: number | undefined;
  /** Tries with a wrong domain since `wrongDomainsSinceMs`. */
  readonly wrongDomains: number;
  readonly wrongDomainsSinceMs: number;
};

export function oneTimeLinkKey(linkId: string): ItemKey {
  return { pk: `LINK#${linkId}`, sk: 'LINK' };
}

export type OneTimeLinks = {
  put(record: OneTimeLinkRecord): Promise<'done' | 'refused'>;
  find(linkId: string): Promise<OneTimeLinkRecord | undefined>;
  /** Opens the link for a claim id. Refused: it is opened already, or void. */
  claim(linkId: string, claim: { claimId: string; nowMs: number }): Promise<OneTimeLinkRecord | 'refused'>;
};

/** One-time links over the table. The item outlives the link, so that a late visitor is told when it was opened. */
export function createOneTimeLinks({ table }: { readonly table: Table }): OneTimeLinks {
  return {
    put: (record) =>
      table.put({ ...oneTimeLinkKey(record.linkId), ...record }, { condition: 'attribute_not_exists(pk)' }),
    async find(linkId) {
      const item = await table.get(oneTimeLinkKey(linkId));
      return item && toRecord(item);
    },
    async claim(linkId, { claimId, nowMs }) {
      const written = await table.update({
        key: oneTimeLinkKey(linkId),
        update: 'SET claimId = :claimId, claimedAtMs = :now',
        condition: 'attribute_exists(pk) AND attribute_not_exists(claimId) AND voidAtMs > :now',
        values: { ':claimId': claimId, ':now': nowMs },
      });
      return written.outcome === 'done' ? toRecord(written.item) : 'refused';
    },
  };
}

function toRecord(item: Item): OneTimeLinkRecord {
  const { pk: _pk, sk: _sk, ...record } = item;
  return record as unknown as OneTimeLinkRecord;
}
