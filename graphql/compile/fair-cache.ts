/**
 * A cache that several owners share. When it is full, the owner that takes most of it gives up what it has not used
 * for longest: so whatever others keep, an owner who takes no more than an equal part keeps everything.
 */
import { LRUCache } from 'lru-cache';

type Entry<T> = { readonly value: T; readonly owner: string; readonly bytes: number };

export type FairCache<T> = {
  get(key: string): T | undefined;
  /** Keeps the entry; not if its owner would take more than an equal part with nothing else to give up. */
  set(key: string, entry: Entry<T>): void;
  delete(key: string): void;
};

type Kept<T> = { readonly key: string; readonly value: T; readonly bytes: number };
/** The entries of one owner, oldest use first. */
type Share<T> = LRUCache<string, Kept<T>>;

/** An empty cache that holds `maxBytes` of all owners together. */
export function createFairCache<T>({ maxBytes }: { readonly maxBytes: number }): FairCache<T> {
  const shares = new Map<string, Share<T>>();
  const ownerOf = new Map<string, string>();
  let takenBytes = 0;
  const newShare = (): Share<T> => new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const forget = (owner: string, kept: Kept<T> | undefined) => {
    if (kept === undefined) return;
    takenBytes -= kept.bytes;
    ownerOf.delete(kept.key);
    if (shares.get(owner)?.size === 0) shares.delete(owner);
  };
  const remove = (key: string) => {
    const owner = ownerOf.get(key) ?? '';
    const share = shares.get(owner);
    const kept = share?.peek(key);
    share?.delete(key);
    forget(owner, kept);
  };
  return {
    get: (key) => shares.get(ownerOf.get(key) ?? '')?.get(key)?.value,
    delete: remove,
    set(key, { value, owner, bytes }) {
      remove(key);
      while (takenBytes + bytes > maxBytes) {
        const largest = largestOf(shares, { owner, bytes });
        if (largest === undefined) return;
        forget(largest, shares.get(largest)?.pop());
      }
      const share = shares.get(owner) ?? newShare();
      shares.set(owner, share.set(key, { key, value, bytes }));
      ownerOf.set(key, owner);
      takenBytes += bytes;
    },
  };
}

/** The owner who takes most, the coming entry included; undefined: an owner who has nothing here yet. */
function largestOf<T>(
  shares: ReadonlyMap<string, Share<T>>,
  coming: { readonly owner: string; readonly bytes: number },
): string | undefined {
  let most = coming.bytes + (shares.get(coming.owner)?.calculatedSize ?? 0);
  let largest = shares.has(coming.owner) ? coming.owner : undefined;
  for (const [owner, { calculatedSize }] of shares) {
    if (calculatedSize <= most) continue;
    largest = owner;
    most = calculatedSize;
  }
  return largest;
}
