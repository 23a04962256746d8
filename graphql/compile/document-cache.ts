/**
 * Caches documents per container. A customer's document is on probation until a second customer sends it, and
 * then belongs to the store. A key's document is cached immediately, because a store has few keys. One
 * owner's documents do not evict those of others.
 */
import type { CustomerActor, StoreActor } from '../../lib/credentials/actor.ts';
import { createFairCache } from './fair-cache.ts';

/** The sender of a document, as far as it decides whose the document is. */
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

export type CacheBytes = { readonly shared: number; readonly probation: number };

/** A plan takes about this many times its document's length, and this much whatever its length. */
const BYTES_PER_CHARACTER = 80;
const PLAN_BYTES = 6_144;

const MEGABYTE = 1024 * 1024;
const DEFAULTS: CacheBytes = { shared: 56 * MEGABYTE, probation: 8 * MEGABYTE };

type OnProbation<T> = { readonly value: T; readonly sender: string; readonly bytes: number };

/** The documents of a container, which begins with none. */
export function createDocumentCache<T>({ shared, probation }: CacheBytes = DEFAULTS): DocumentCache<T> {
  const known = createFairCache<T>({ maxBytes: shared });
  const tried = createFairCache<OnProbation<T>>({ maxBytes: probation });
  return {
    get(key, sender) {
      const value = known.get(key);
      if (value !== undefined) return value;
      const trial = tried.get(key);
      if (trial === undefined || trial.sender === nameOf(sender)) return trial?.value;
      tried.delete(key);
      known.set(key, { value: trial.value, owner: ownerOf(sender), bytes: trial.bytes });
      return trial.value;
    },
    add(key, sender, { value, characters }) {
      const bytes = PLAN_BYTES + characters * BYTES_PER_CHARACTER;
      const name = nameOf(sender);
      if (sender.kind === 'store') known.set(key, { value, owner: name, bytes });
      else tried.set(key, { value: { value, sender: name, bytes }, owner: name, bytes });
    },
  };
}

/** The owner for whom a shared document takes room. */
function ownerOf(sender: DocumentSender): string {
  return sender.kind === 'store' ? nameOf(sender) : `${sender.shopId}`;
}

function nameOf(sender: DocumentSender): string {
  return `${sender.shopId} ${sender.kind === 'customer' ? sender.customerId : sender.keyId}`;
}
