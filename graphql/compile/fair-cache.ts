/**
 * A cache that several owners share. When it is full, the owner that takes most of it gives up what it has not used
 * for longest: so whatever others keep, an owner who takes no more than an equal part keeps everything.
 */
import { readLast } from '../../lib/domain/recently-used.ts';

type Entry<T> = { readonly value: T; readonly owner: string; readonly bytes: number };

export type FairCache<T> = {
  get(key: string): T | undefined;
  /** Keeps the entry; not if its owner would take more than an equal part with nothing else to give up. */
  set(key: string, entry: Entry<T>): void;
  delete(key: string): void;
};

type Cached<T> = { readonly value: T; readonly bytes: number };
/** The entries of one owner, oldest use first, and what they take together. */
type Share<T> = { readonly entries: Map<string, Cached<T>>; bytes: number };

/** An empty cache that holds `maxBytes` of all owners together. */
export function createFairCache<T>({ maxBytes }: { readonly maxBytes: number }): FairCache<T> {
  const shares = new Map<string, Share<T>>();
  const ownerOf = new Map<string, string>();
  let takenBytes = 0;
  const remove = (key: string) => {
    const owner = ownerOf.get(key) ?? '';
    const share = shares.get(owner);
    const cached = share?.entries.get(key);
    if (share === undefined || cached === undefined) return;
    share.entries.delete(key);
    share.bytes -= cached.bytes;
    takenBytes -= cached.bytes;
    ownerOf.delete(key);
    if (share.entries.size === 0) shares.delete(owner);
  };
  return {
    get(key) {
      const share = shares.get(ownerOf.get(key) ?? '');
      return share && readLast(share.entries, key)?.value;
    },
    delete: remove,
    set(key, { value, owner, bytes }) {
      remove(key);
      while (takenBytes + bytes > maxBytes) {
        const largest = largestOf(shares, { owner, bytes });
        if (largest === undefined) return;
        remove(largest.entries.keys().next().value ?? '');
      }
      const share = shares.get(owner) ?? { entries: new Map(), bytes: 0 };
      shares.set(owner, share);
      share.entries.set(key, { value, bytes });
      share.bytes += bytes;
      ownerOf.set(key, owner);
      takenBytes += bytes;
    },
  };
}

/**
 * Returns the largest share, counting the new entry.
 * @returns undefined when the owner of the new entry, without a share yet, has the largest.
 */
function largestOf<T>(
  shares: ReadonlyMap<string, Share<T>>,
  coming: { readonly owner: string; readonly bytes: number },
): Share<T> | undefined {
  let largest = shares.get(coming.owner);
  let maximum = coming.bytes + (largest?.bytes ?? 0);
  for (const share of shares.values()) {
    if (share.bytes <= maximum) continue;
    largest = share;
    maximum = share.bytes;
  }
  return largest;
}
