/** One-time links. A link contains a sealed admin key, which a person who knows the store's domain can open once. */
import type { Brand } from '../domain/brand.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemChange, ItemKey, Table } from './table.ts';

export type OneTimeLinkId = Brand<string, 'LinkId'>;

export type OneTimeLinkRecord = {
  readonly linkId: OneTimeLinkId;
  readonly shopId: ShopId;
  readonly keyId: string;
  /** The label of the key. The page of the link shows it. */
  readonly label: string;
  readonly issuedBy: string;
  /** The key's scopes, networks and end, as in the key's record. The page of the link shows them. */
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly notAfter?: number;
  /**
   * The admin key, encrypted with AES-256-GCM. The encryption key is derived from the link's URL fragment.
   * Concatenation of iv, ciphertext and tag, base64url.
   */
  readonly sealedKey: string;
  /** SHA-256 of the proof that the page derives from the URL fragment, base64url. */
  readonly proofHash: string;
  readonly createdAtMs: number;
  /** When the link expires, epoch milliseconds. */
  readonly voidAtMs: number;
  readonly claimId: string | undefined;
  readonly claimedAtMs: number | undefined;
  /** How many attempts had a wrong domain since `wrongDomainsSinceMs`, plus the attempts in progress. */
  readonly wrongDomains: number;
  readonly wrongDomainsSinceMs: number;
  /** When the table deletes the item (DynamoDB TTL, epoch seconds): long after the link has expired. */
  readonly expiresAt: number;
};

const ONE_TIME_LINK_ID_PATTERN = /^[A-Za-z0-9_-]{22}$/;
const ONE_TIME_LINK_ID_BYTES = 16;

/** Creates the id of a link. `random` returns the requested number of random bytes. */
export function createOneTimeLinkId(random: (bytes: number) => Uint8Array): OneTimeLinkId {
  return Buffer.from(random(ONE_TIME_LINK_ID_BYTES)).toString('base64url') as OneTimeLinkId;
}

/**
 * Parses the id of a link.
 * @returns undefined when the text is not such an id
 */
export function parseOneTimeLinkId(text: string | undefined): OneTimeLinkId | undefined {
  return text !== undefined && ONE_TIME_LINK_ID_PATTERN.test(text) ? (text as OneTimeLinkId) : undefined;
}

export function oneTimeLinkKey(linkId: OneTimeLinkId): ItemKey {
  return { pk: `LINK#${linkId}`, sk: 'LINK' };
}

/**
 * How many wrong domains a link accepts within a time window that starts with the first one. They are counted on the
 * link's item, so that one write counts and also returns the link; limited-tries.ts needs an item of its own.
 */
export type WrongDomainLimit = { readonly maxWrongDomains: number; readonly windowMs: number };

/**
 * `counted`: the attempt may be made; `link` is the link after the write. `exhausted`: no attempt is possible before
 * `retryAtMs`.
 */
type CountedClaimAttempt =
  | { readonly outcome: 'counted'; readonly link: OneTimeLinkRecord }
  | { readonly outcome: 'exhausted'; readonly retryAtMs: number };

export type OneTimeLinks = {
  put(record: OneTimeLinkRecord): Promise<'done' | 'refused'>;
  find(linkId: OneTimeLinkId): Promise<OneTimeLinkRecord | undefined>;
  /** Counts an attempt before its domain is checked. */
  countClaimAttempt(
    linkId: OneTimeLinkId,
    nowMs: number,
    limit: WrongDomainLimit,
  ): Promise<CountedClaimAttempt>;
  /** Refunds an attempt with the right domain. `link` is the link that `countClaimAttempt` returned. */
  refundClaimAttempt(link: OneTimeLinkRecord): Promise<void>;
  /** Opens the link for a claim id. Returns `refused` when it is already open or has expired. */
  claim(
    linkId: OneTimeLinkId,
    claim: { claimId: string; nowMs: number },
  ): Promise<OneTimeLinkRecord | 'refused'>;
  remove(linkId: OneTimeLinkId): Promise<void>;
};

/**
 * Creates the access to links. A link's item stays for some time after it has expired, so that its page can show when
 * it was opened.
 */
export function createOneTimeLinkRepository({ table }: { readonly table: Table }): OneTimeLinks {
  const findLink = async (linkId: OneTimeLinkId) => {
    const item = await table.get(oneTimeLinkKey(linkId));
    return item && toOneTimeLinkRecord(item);
  };
  /**
   * Writes to the link's item.
   * @returns the link after the write, undefined when the condition did not hold
   */
  const changeLink = async (linkId: OneTimeLinkId, change: Omit<ItemChange, 'key'>) => {
    const writeResult = await table.update({ key: oneTimeLinkKey(linkId), ...change });
    return writeResult.outcome === 'done' ? toOneTimeLinkRecord(writeResult.item) : undefined;
  };
  return {
    find: findLink,
    put: (record) =>
      table.put({ ...oneTimeLinkKey(record.linkId), ...record }, { condition: 'attribute_not_exists(pk)' }),
    async countClaimAttempt(linkId, nowMs, { maxWrongDomains, windowMs }) {
      const windowStartMs = nowMs - windowMs;
      const countedLink =
        (await changeLink(linkId, {
          update: 'SET wrongDomains = wrongDomains + :one',
          condition: 'wrongDomainsSinceMs > :windowStart AND wrongDomains < :most',
          values: { ':one': 1, ':windowStart': windowStartMs, ':most': maxWrongDomains },
        })) ??
        // The window is over: start a new one with this attempt.
        (await changeLink(linkId, {
          update: 'SET wrongDomains = :one, wrongDomainsSinceMs = :now',
          condition: 'wrongDomainsSinceMs <= :windowStart',
          values: { ':one': 1, ':now': nowMs, ':windowStart': windowStartMs },
        }));
      if (countedLink !== undefined) return { outcome: 'counted', link: countedLink };
      const link = await findLink(linkId);
      return { outcome: 'exhausted', retryAtMs: (link?.wrongDomainsSinceMs ?? nowMs) + windowMs };
    },
    async refundClaimAttempt(link) {
      await table.update({
        key: oneTimeLinkKey(link.linkId),
        update: 'SET wrongDomains = wrongDomains - :one',
        condition: 'wrongDomains > :zero AND wrongDomainsSinceMs = :since',
        values: { ':one': 1, ':zero': 0, ':since': link.wrongDomainsSinceMs },
      });
    },
    async claim(linkId, { claimId, nowMs }) {
      const claimedLink = await changeLink(linkId, {
        update: 'SET claimId = :claimId, claimedAtMs = :now',
        condition: 'attribute_exists(pk) AND attribute_not_exists(claimId) AND voidAtMs > :now',
        writtenValues: { claimId },
        values: { ':claimId': claimId, ':now': nowMs },
      });
      return claimedLink ?? 'refused';
    },
    async remove(linkId) {
      await table.delete(oneTimeLinkKey(linkId));
    },
  };
}

function toOneTimeLinkRecord(item: Item): OneTimeLinkRecord {
  const { pk: _pk, sk: _sk, ...record } = item;
  return record as unknown as OneTimeLinkRecord;
}
