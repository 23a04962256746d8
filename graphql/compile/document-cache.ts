/**
 * Caches documents per container. A customer's document is on probation until a second customer sends it, and
 * then belongs to the store. A key's document is cached immediately, because a store has few keys. When the cache is
 * full, the owner with the largest share loses its least recently used document: an owner with no more than an equal
 * share loses nothing to others.
 */
import type { CustomerActor, StoreActor } from '../../lib/credentials/actor.ts';
import { readAndRefreshLruEntry } from '../../lib/domain/lru-cache.ts';

/**
 * The sender of a document: the customer or the admin key, which owns the cached document until others send it, too.
 */
export type DocumentSender =
  | Pick<CustomerActor, 'kind' | 'shopId' | 'customerId'>
  | Pick<StoreActor, 'kind' | 'shopId' | 'keyId'>;

export type DocumentCache<T> = {
  /** Returns the document that is cached under the key, regardless of its sender. */
  get(key: string, sender: DocumentSender): T | undefined;
  /** `characters`: the document's length. */
  add(
    key: string,
    sender: DocumentSender,
    document: { readonly value: T; readonly characters: number },
  ): void;
};

/** The maximum bytes of the two parts: documents that belong to a store or key, and documents on probation. */
export type CacheSizeLimits = { readonly shared: number; readonly probation: number };

/** The estimated memory of a plan: this many bytes for each character of its document, and a fixed number of bytes. */
const BYTES_PER_CHARACTER = 80;
const FIXED_PLAN_BYTES = 6_144;

const BYTES_PER_MEGABYTE = 1024 * 1024;
const DEFAULT_SIZES_IN_BYTES: CacheSizeLimits = {
  shared: 56 * BYTES_PER_MEGABYTE,
  probation: 8 * BYTES_PER_MEGABYTE,
};

type DocumentOnProbation<T> = { readonly value: T; readonly sender: string; readonly bytes: number };

/** Creates the empty cache of a container. */
export function createDocumentCache<T>({
  shared,
  probation,
}: CacheSizeLimits = DEFAULT_SIZES_IN_BYTES): DocumentCache<T> {
  const provenDocuments = createFairCache<T>({ maxBytes: shared });
  const probationDocuments = createFairCache<DocumentOnProbation<T>>({ maxBytes: probation });
  return {
    get(key, sender) {
      const cachedDocument = provenDocuments.get(key);
      if (cachedDocument !== undefined) return cachedDocument;
      const documentOnProbation = probationDocuments.get(key);
      if (documentOnProbation === undefined || documentOnProbation.sender === identifySender(sender))
        return documentOnProbation?.value;
      probationDocuments.delete(key);
      provenDocuments.set(key, {
        value: documentOnProbation.value,
        owner: identifyShareOwner(sender),
        bytes: documentOnProbation.bytes,
      });
      return documentOnProbation.value;
    },
    add(key, sender, { value, characters }) {
      const bytes = FIXED_PLAN_BYTES + characters * BYTES_PER_CHARACTER;
      const senderName = identifySender(sender);
      if (sender.kind === 'store') provenDocuments.set(key, { value, owner: senderName, bytes });
      else
        probationDocuments.set(key, {
          value: { value, sender: senderName, bytes },
          owner: senderName,
          bytes,
        });
    },
  };
}

/** Returns the owner to whose share a document counts: the admin key, or the store for documents of customers. */
function identifyShareOwner(sender: DocumentSender): string {
  return sender.kind === 'store' ? identifySender(sender) : `${sender.shopId}`;
}

function identifySender(sender: DocumentSender): string {
  return `${sender.shopId} ${sender.kind === 'customer' ? sender.customerId : sender.keyId}`;
}

type CacheEntry<T> = { readonly value: T; readonly owner: string; readonly bytes: number };

type FairCache<T> = {
  get(key: string): T | undefined;
  /**
   * Stores the entry. Does nothing if its owner would then have the largest share and has no other document to evict.
   */
  set(key: string, entry: CacheEntry<T>): void;
  delete(key: string): void;
};

type CachedValue<T> = { readonly value: T; readonly bytes: number };
/** The entries of one owner, least recently used first, and their size together. */
type OwnerShare<T> = { readonly entries: Map<string, CachedValue<T>>; bytes: number };

/**
 * Creates an empty cache that several owners share, of `maxBytes` together.
 * @internal A test compares it with a model.
 */
export function createFairCache<T>({ maxBytes }: { readonly maxBytes: number }): FairCache<T> {
  const shareByOwner = new Map<string, OwnerShare<T>>();
  const ownerByKey = new Map<string, string>();
  let usedBytes = 0;
  const removeDocument = (key: string) => {
    const ownerName = ownerByKey.get(key) ?? '';
    const ownerShare = shareByOwner.get(ownerName);
    const cachedEntry = ownerShare?.entries.get(key);
    if (ownerShare === undefined || cachedEntry === undefined) return;
    ownerShare.entries.delete(key);
    ownerShare.bytes -= cachedEntry.bytes;
    usedBytes -= cachedEntry.bytes;
    ownerByKey.delete(key);
    if (ownerShare.entries.size === 0) shareByOwner.delete(ownerName);
  };
  return {
    get(key) {
      const ownerShare = shareByOwner.get(ownerByKey.get(key) ?? '');
      return ownerShare && readAndRefreshLruEntry(ownerShare.entries, key)?.value;
    },
    delete: removeDocument,
    set(key, { value, owner, bytes }) {
      removeDocument(key);
      while (usedBytes + bytes > maxBytes) {
        const largestShare = findLargestShare(shareByOwner, { owner, bytes });
        if (largestShare === undefined) return;
        removeDocument(largestShare.entries.keys().next().value ?? '');
      }
      const ownerShare = shareByOwner.get(owner) ?? { entries: new Map(), bytes: 0 };
      shareByOwner.set(owner, ownerShare);
      ownerShare.entries.set(key, { value, bytes });
      ownerShare.bytes += bytes;
      ownerByKey.set(key, owner);
      usedBytes += bytes;
    },
  };
}

/**
 * Returns the largest share, counting the new entry.
 * @returns undefined when the owner of the new entry, without a share yet, has the largest.
 */
function findLargestShare<T>(
  shares: ReadonlyMap<string, OwnerShare<T>>,
  newEntry: { readonly owner: string; readonly bytes: number },
): OwnerShare<T> | undefined {
  let largestShare = shares.get(newEntry.owner);
  let largestBytes = newEntry.bytes + (largestShare?.bytes ?? 0);
  for (const ownerShare of shares.values()) {
    if (ownerShare.bytes <= largestBytes) continue;
    largestShare = ownerShare;
    largestBytes = ownerShare.bytes;
  }
  return largestShare;
}
