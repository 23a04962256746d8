/**
 * A tombstone records that a customer was erased: a keyed hash of store and customer, stored for 35 days, the maximum
 * age of a backup. It stops a sign-in that started before the erasure, and is used to repeat the erasure in a restored
 * table. A later sign-in lifts the tombstone: it stays, and records since when the customer's data may be stored again.
 */
import { createHmac } from 'node:crypto';
import type { Brand } from '../../domain/brand.ts';
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';
import type { ReadTombstoneKey } from './tombstone-key.ts';

/** HMAC-SHA256 of store id and customer number, base64url. */
export type CustomerHash = Brand<string, 'CustomerHash'>;
/** A customer of a store of whom only the hash is known. */
export type HashedCustomer = { readonly shopId: ShopId; readonly hash: CustomerHash };
type CustomerOfStore = { readonly shopId: ShopId; readonly customerId: CustomerId };

type Tombstone = HashedCustomer & {
  readonly erasedAtMs: number;
  /** Epoch milliseconds. Data from this time on belongs to a new sign-in and is not erased. */
  readonly liftedAtMs?: number;
  /** When the table deletes the item: DynamoDB TTL, epoch seconds. */
  readonly expiresAt: number;
};

export type Tombstones = {
  /** Returns the function that hashes customers. */
  hasher(): Promise<(person: CustomerOfStore) => CustomerHash>;
  hashOf(person: CustomerOfStore): Promise<HashedCustomer>;
  /**
   * Returns the customer's tombstone, with a consistent read.
   * @returns undefined when there is none or it has expired
   */
  find(person: HashedCustomer): Promise<Tombstone | undefined>;
  /** Writes a tombstone. Does not replace that of a later erasure. */
  put(person: HashedCustomer, erasedAtMs: number): Promise<void>;
  /** Records that a sign-in that started after the erasure was completed. */
  lift(tombstone: Tombstone, liftedAtMs: number): Promise<void>;
};

const TOMBSTONE_TTL_SECONDS = 35 * 86_400;
const CUSTOMER_HASH_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Parses a hash.
 * @returns undefined when the value is not a hash
 */
export function parseCustomerHash(text: unknown): CustomerHash | undefined {
  return typeof text === 'string' && CUSTOMER_HASH_PATTERN.test(text) ? (text as CustomerHash) : undefined;
}

/** Returns the table key of a tombstone. */
function tombstoneItemKey({ shopId, hash }: HashedCustomer): ItemKey {
  return { pk: `TOMBSTONE#${shopId}`, sk: hash };
}

type Deps = { readonly table: Table; readonly readKey: ReadTombstoneKey; readonly now: () => number };

/**
 * Creates the access to tombstones. The methods throw TEMPORARILY_UNAVAILABLE when the table or the hash key cannot be
 * read.
 */
export function createTombstoneRepository({ table, readKey, now }: Deps): Tombstones {
  const loadHasher = async () => {
    const hashKey = await readKey();
    return ({ shopId, customerId }: CustomerOfStore) =>
      createHmac('sha256', hashKey).update(`${shopId}\n${customerId}`).digest('base64url') as CustomerHash;
  };
  return {
    hasher: loadHasher,
    hashOf: async (person) => ({ shopId: person.shopId, hash: (await loadHasher())(person) }),
    async find(person) {
      const item = await table.get(tombstoneItemKey(person));
      const tombstone = item && toTombstone(item);
      return tombstone !== undefined && tombstone.expiresAt * 1000 > now() ? tombstone : undefined;
    },
    async put({ shopId, hash }, erasedAtMs) {
      const expiresAtSeconds = Math.ceil(erasedAtMs / 1000) + TOMBSTONE_TTL_SECONDS;
      const tombstone: Tombstone = { shopId, hash, erasedAtMs, expiresAt: expiresAtSeconds };
      await table.put(
        { ...tombstoneItemKey(tombstone), ...tombstone },
        { condition: 'attribute_not_exists(pk) OR erasedAtMs < :at', values: { ':at': erasedAtMs } },
      );
    },
    async lift(tombstone, liftedAtMs) {
      await table.update({
        key: tombstoneItemKey(tombstone),
        update: 'SET liftedAtMs = :lifted',
        condition: 'erasedAtMs = :erased AND attribute_not_exists(liftedAtMs)',
        values: { ':lifted': liftedAtMs, ':erased': tombstone.erasedAtMs },
      });
    },
  };
}

function toTombstone({ pk: _pk, sk: _sk, ...record }: Item): Tombstone {
  return record as unknown as Tombstone;
}
