/** One-time links: a sealed admin key, opened once by a person who knows the store's domain. */
import type { Brand } from '../domain/brand.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Change, Item, ItemKey, Table } from './table.ts';

export type LinkId = Brand<string, 'LinkId'>;

export type OneTimeLinkRecord = {
  readonly linkId: LinkId;
  readonly shopId: ShopId;
  readonly keyId: string;
  /** The key's label, for the page. */
  readonly label: string;
  readonly issuedBy: string;
  /** The key's limits, for the page: as its record has them. */
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly notAfter?: number;
  /** The admin key, AES-256-GCM under a key derived from the fragment: iv, ciphertext and tag, base64url. */
  readonly sealedKey: string;
  /** SHA-256 of the proof derived from the fragment, base64url. */
  readonly proofHash: string;
  readonly createdAtMs: number;
  readonly voidAtMs: number;
  readonly claimId: string | undefined;
  readonly claimedAtMs: number | undefined;
  /** Tries with a wrong domain since `wrongDomainsSinceMs`, and tries under way. */
  readonly wrongDomains: number;
  readonly wrongDomainsSinceMs: number;
  /** DynamoDB's TTL, epoch seconds: long after the link is void. */
  readonly expiresAt: number;
};

const LINK_ID = /^[A-Za-z0-9_-]{22}$/;
const LINK_ID_BYTES = 16;

/** A new link's id; `random` gives as many random bytes as asked for. */
export function createLinkId(random: (bytes: number) => Uint8Array): LinkId {
  return Buffer.from(random(LINK_ID_BYTES)).toString('base64url') as LinkId;
}

/** The id of a link, or undefined if the text has not the form of one. */
export function parseLinkId(text: string | undefined): LinkId | undefined {
  return text !== undefined && LINK_ID.test(text) ? (text as LinkId) : undefined;
}

export function oneTimeLinkKey(linkId: LinkId): ItemKey {
  return { pk: `LINK#${linkId}`, sk: 'LINK' };
}

/**
 * The most wrong domains in a window that begins with the first try. They are counted in the link's own item, by one write that
 * tells the link as it then is; other tries (limited-tries.ts) have no item that is there before them.
 */
export type DomainLimit = { readonly mostWrong: number; readonly windowMs: number };

/** `counted`: with the link as it then is; `exhausted`: no try before `untilMs`. */
type CountedTry =
  | { readonly outcome: 'counted'; readonly link: OneTimeLinkRecord }
  | { readonly outcome: 'exhausted'; readonly untilMs: number };

export type OneTimeLinks = {
  put(record: OneTimeLinkRecord): Promise<'done' | 'refused'>;
  find(linkId: LinkId): Promise<OneTimeLinkRecord | undefined>;
  /** Counts one try of a domain. */
  countTry(linkId: LinkId, nowMs: number, limit: DomainLimit): Promise<CountedTry>;
  /** Takes a try back, for its domain was right. `link`: as it was counted. */
  giveBack(link: OneTimeLinkRecord): Promise<void>;
  /** Opens the link for a claim id. Refused: it is opened already, or void. */
  claim(linkId: LinkId, claim: { claimId: string; nowMs: number }): Promise<OneTimeLinkRecord | 'refused'>;
  remove(linkId: LinkId): Promise<void>;
};

/** One-time links over the table. The item outlives the link, so that a late visitor is told when it was opened. */
export function createOneTimeLinks({ table }: { readonly table: Table }): OneTimeLinks {
  const find = async (linkId: LinkId) => {
    const item = await table.get(oneTimeLinkKey(linkId));
    return item && toRecord(item);
  };
  /** The link as it then is; undefined: the condition did not hold. */
  const changed = async (linkId: LinkId, change: Omit<Change, 'key'>) => {
    const written = await table.update({ key: oneTimeLinkKey(linkId), ...change });
    return written.outcome === 'done' ? toRecord(written.item) : undefined;
  };
  return {
    find,
    put: (record) =>
      table.put({ ...oneTimeLinkKey(record.linkId), ...record }, { condition: 'attribute_not_exists(pk)' }),
    async countTry(linkId, nowMs, { mostWrong, windowMs }) {
      const windowStartMs = nowMs - windowMs;
      const counted =
        (await changed(linkId, {
          update: 'SET wrongDomains = wrongDomains + :one',
          condition: 'wrongDomainsSinceMs > :windowStart AND wrongDomains < :most',
          values: { ':one': 1, ':windowStart': windowStartMs, ':most': mostWrong },
        })) ??
        // A new window, with this try as its first.
        (await changed(linkId, {
          update: 'SET wrongDomains = :one, wrongDomainsSinceMs = :now',
          condition: 'wrongDomainsSinceMs <= :windowStart',
          values: { ':one': 1, ':now': nowMs, ':windowStart': windowStartMs },
        }));
      if (counted !== undefined) return { outcome: 'counted', link: counted };
      const link = await find(linkId);
      return { outcome: 'exhausted', untilMs: (link?.wrongDomainsSinceMs ?? nowMs) + windowMs };
    },
    async giveBack(link) {
      await table.update({
        key: oneTimeLinkKey(link.linkId),
        update: 'SET wrongDomains = wrongDomains - :one',
        condition: 'wrongDomains > :zero AND wrongDomainsSinceMs = :since',
        values: { ':one': 1, ':zero': 0, ':since': link.wrongDomainsSinceMs },
      });
    },
    async claim(linkId, { claimId, nowMs }) {
      const claimed = await changed(linkId, {
        update: 'SET claimId = :claimId, claimedAtMs = :now',
        condition: 'attribute_exists(pk) AND attribute_not_exists(claimId) AND voidAtMs > :now',
        leaves: { claimId },
        values: { ':claimId': claimId, ':now': nowMs },
      });
      return claimed ?? 'refused';
    },
    async remove(linkId) {
      await table.delete(oneTimeLinkKey(linkId));
    },
  };
}

function toRecord(item: Item): OneTimeLinkRecord {
  const { pk: _pk, sk: _sk, ...record } = item;
  return record as unknown as OneTimeLinkRecord;
}
