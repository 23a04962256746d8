/** Stores: a pointer item domain → shop id, and the store item by shop id. Keys stand beside the records. */

import { createRecentlyUsed } from '../domain/recently-used.ts';
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { parseTimeZone, type TimeZone, UTC } from '../domain/time-zone.ts';
import type { KeyId } from '../domain/tokens/key-id.ts';
import type { Item, ItemKey, Table } from './table.ts';

/** The platform's sign-in addresses, pinned at install. */
export type SignInAddresses = {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly endSessionEndpoint: string;
  readonly customerApiUrl: string;
};

/** The platform has refused to follow a grant by the next. */
export type GrantRefusal = {
  /** The version of the grant. */
  readonly versionId: string;
  /** The platform's code. */
  readonly reason: string;
  readonly atMs: number;
  /** True: the platform is not asked again, and only a new grant helps. */
  readonly isFinal: boolean;
};

/** The platform gave no storefront token for the app in this store. */
export type StorefrontRefusal = {
  readonly atMs: number;
  readonly reason: string;
  /** True: it may give one when it is asked again. */
  readonly isPassing?: boolean;
};

export type StoreRecord = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  readonly storefrontUrl: string;
  readonly displayName: string;
  readonly portalPageId: string | undefined;
  /** The client id of the customers' sign-in; undefined: none is configured. */
  readonly clientId: string | undefined;
  readonly signIn: SignInAddresses;
  readonly status: 'installed' | 'uninstalled' | 'purging';
  /** The VersionId of each versioned secret that counts. */
  readonly platformVersionId: string | undefined;
  readonly adminKeysVersionId: string | undefined;
  /** Admin key id → when it was claimed. A key without it is not live. */
  readonly keyClaims: Readonly<Record<string, number>>;
  readonly storefrontAccessToken: string | undefined;
  readonly storefrontLeaseUntilMs: number | undefined;
  /** The last refusal; absent: there was none, or a token was made since. */
  readonly storefrontRefusal?: StorefrontRefusal;
  readonly installedAtMs: number;
  readonly restoredAtMs: number | undefined;
  /** Keys of the ring that leaked: no token of theirs is any good. */
  readonly refusedKids?: readonly KeyId[];
  /** The time of the last uninstall; absent: there was none, or it was before this was noted. */
  readonly uninstalledAtMs?: number;
  /** The operator's word that `sub` is the customer's id: nobody else is asked at a sign-in. */
  readonly trustsSubject?: boolean;
  /** The refusal counts while the store has this version of its grant: a new grant is not refused. */
  readonly grantRefusal?: GrantRefusal;
  /**
   * The zone as read at install and every day; absent: the store is older than that, or the platform named none that is
   * known.
   */
  readonly timeZone?: TimeZone | undefined;
};

/** The time zone to name days in: UTC if the store's is not known, or not to this runtime. */
export function timeZoneOf({ timeZone }: Pick<StoreRecord, 'timeZone'>): TimeZone {
  return parseTimeZone(timeZone) ?? UTC;
}

/** The platform's refusal of the grant that counts; undefined: there is none. */
export function grantRefusalOf({
  grantRefusal,
  platformVersionId,
}: Pick<StoreRecord, 'grantRefusal' | 'platformVersionId'>): GrantRefusal | undefined {
  return grantRefusal?.versionId === platformVersionId ? grantRefusal : undefined;
}

/** Key of the store item. */
export function storeKey(shopId: ShopId): ItemKey {
  return { pk: `STORE#${shopId}`, sk: 'STORE' };
}

/** Key of the pointer from a store's domain to its shop id. */
export function shopDomainKey(domain: ShopDomain): ItemKey {
  return { pk: `SHOP#${domain}`, sk: 'SHOP' };
}

/** The store item as a record. */
export function toStoreRecord(item: Item): StoreRecord {
  const { pk: _pk, sk: _sk, ...record } = item;
  const present = Object.entries(record).filter(([, value]) => value !== null);
  return { keyClaims: {}, ...Object.fromEntries(present) } as unknown as StoreRecord;
}

/** The store item of a record. */
export function toStoreItem(record: StoreRecord): Item {
  return { ...storeKey(record.shopId), ...record };
}

export type Stores = {
  /** The shop id of a domain; never changes, so it is kept in memory. Undefined: never installed. */
  findShopId(domain: ShopDomain): Promise<ShopId | undefined>;
  /** Finds a store by a consistent read. */
  find(shopId: ShopId): Promise<StoreRecord | undefined>;
  /** Writes the pointer unless it is there. Refused: the domain belongs to another shop id. */
  pointDomain(domain: ShopDomain, shopId: ShopId): Promise<'done' | 'refused'>;
};

const MAX_CACHED_DOMAINS = 10_000;

/** Stores over the table. */
export function createStores({ table }: { readonly table: Table }): Stores {
  const shopIds = createRecentlyUsed<ShopDomain, ShopId>(MAX_CACHED_DOMAINS);
  return {
    async findShopId(domain) {
      const cached = shopIds.get(domain);
      if (cached !== undefined) return cached;
      const item = await table.get(shopDomainKey(domain));
      if (item === undefined) return undefined;
      shopIds.set(domain, item.shopId as ShopId);
      return item.shopId as ShopId;
    },
    async find(shopId) {
      const item = await table.get(storeKey(shopId));
      return item && toStoreRecord(item);
    },
    pointDomain: (domain, shopId) =>
      table.put(
        { ...shopDomainKey(domain), shopId },
        { condition: 'attribute_not_exists(pk) OR shopId = :shopId', values: { ':shopId': shopId } },
      ),
  };
}
