/**
 * Stores: a pointer item domain → shop id, and a store's items by shop id. They are parted so that rights can follow
 * them: `STORE#` is written by operators and the scheduled work, `GRANT#` and `KEYS#` by requests too. What an item of
 * before still holds of the others counts there, and is changed there, until `store resync` has moved it.
 */

import { createRecentlyUsed } from '../domain/recently-used.ts';
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { parseTimeZone, type TimeZone, UTC } from '../domain/time-zone.ts';
import type { KeyId } from '../domain/tokens/key-id.ts';
import type { Item, ItemKey, Named, Table } from './table.ts';

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

/** How a store's webhooks come to `uri`: registered for it by the API, or named in the app's TOML. */
export type WebhookWay = { readonly by: 'api' | 'toml'; readonly uri: string };

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
  /** Absent: nobody has given the app's client secret, and no webhook is taken. */
  readonly webhooksVersionId?: string;
  /** Absent: no webhook of it is registered anywhere. */
  readonly webhookWay?: WebhookWay;
  /** `order.upcoming` comes so many days ahead; absent: as many as for most. */
  readonly upcomingDays?: number;
  /** Admin key id → when it was claimed. A key without it is not live. */
  readonly keyClaims: KeyTimes;
  /** Admin key id → when it revoked itself. It stays as long as the key has a record: a request may hold an older one. */
  readonly keyRevocations?: KeyTimes;
  /** Admin key id → the hour of its last use. */
  readonly keyLastUses?: KeyTimes;
  readonly storefrontAccessToken: string | undefined;
  /** The platform's id of it; absent: it was made before the id was kept, and no look has come since. */
  readonly storefrontTokenId?: string;
  readonly storefrontLeaseUntilMs: number | undefined;
  /** The last refusal; absent: there was none, or a token was made since. */
  readonly storefrontRefusal?: StorefrontRefusal;
  readonly installedAtMs: number;
  /** The last install, over an installed store as well; absent: it was before this was noted. */
  readonly lastInstallAtMs?: number;
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
  /** The parts that still lie in the store item. */
  readonly unparted?: readonly StorePart[];
};

/** Epoch milliseconds by the id of an admin key. */
type KeyTimes = Readonly<Record<string, number>>;

/** What of a store lies beside its store item. */
export type StorePart = 'grant' | 'keys';
const ALL_PARTS: readonly StorePart[] = ['grant', 'keys'];
/** The attribute without which a part does not lie in an item. */
const LIES_WITH = { grant: 'platformVersionId', keys: 'keyClaims' } as const;
/** All attributes of each part. */
export const PART_ATTRIBUTES = {
  grant: ['platformVersionId', 'grantLeaseUntilMs', 'grantLeaseId', 'grantRefusal'],
  keys: ['keyClaims', 'keyRevocations', 'keyLastUses'],
} as const satisfies Record<StorePart, readonly string[]>;

/** The time zone to name days in: UTC if the store's is not known, or not to this runtime. */
export function timeZoneOf({ timeZone }: Pick<StoreRecord, 'timeZone'>): TimeZone {
  return parseTimeZone(timeZone) ?? UTC;
}

/** Whatever is asked for, the orders of the next 15 days are read each night. */
export const MOST_UPCOMING_DAYS = 14;

/** How many days ahead of an order `order.upcoming` comes. */
export function upcomingDaysOf({ upcomingDays = 3 }: Pick<StoreRecord, 'upcomingDays'>): number {
  return upcomingDays;
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

/** Key of the item that a part of a store lies in. */
export function partKey(shopId: ShopId, part: StorePart): ItemKey {
  return part === 'grant' ? { pk: `GRANT#${shopId}`, sk: 'GRANT' } : { pk: `KEYS#${shopId}`, sk: 'KEYS' };
}

/** Key of the item that a part of this store is changed in. */
export function keyOfPart({ shopId, unparted = [] }: PartedStore, part: StorePart): ItemKey {
  return unparted.includes(part) ? storeKey(shopId) : partKey(shopId, part);
}
type PartedStore = Pick<StoreRecord, 'shopId' | 'unparted'>;

/** Key of the pointer from a store's domain to its shop id. */
export function shopDomainKey(domain: ShopDomain): ItemKey {
  return { pk: `SHOP#${domain}`, sk: 'SHOP' };
}

/** The keys of a store's items: the store item's, then those of the parts. */
export function storeKeys(shopId: ShopId, parts = ALL_PARTS): ItemKey[] {
  return [storeKey(shopId), ...parts.map((part) => partKey(shopId, part))];
}

/** The store that its items tell, in any order; undefined without a store item. A part that was not read is empty. */
export function toStoreRecord(items: readonly (Item | undefined)[]): StoreRecord | undefined {
  const of = (sk: string) => items.find((item) => item?.sk === sk) as StoreItem | undefined;
  const item = of('STORE');
  if (item === undefined) return undefined;
  const keys = of('KEYS') ?? NOTHING;
  const unparted = ALL_PARTS.filter((part) => liesIn(item, part));
  const grant = unparted.includes('grant') ? item : (of('GRANT') ?? NOTHING);
  // Every request has one: named one by one, the attributes are read in a third of the time that copying them takes.
  const record: Named<StoreRecord> = {
    shopId: item.shopId,
    domain: item.domain,
    storefrontUrl: item.storefrontUrl,
    displayName: item.displayName,
    portalPageId: item.portalPageId ?? undefined,
    clientId: item.clientId ?? undefined,
    signIn: item.signIn,
    status: item.status,
    platformVersionId: grant.platformVersionId ?? undefined,
    adminKeysVersionId: item.adminKeysVersionId ?? undefined,
    webhooksVersionId: item.webhooksVersionId ?? undefined,
    webhookWay: item.webhookWay ?? undefined,
    upcomingDays: item.upcomingDays ?? undefined,
    keyClaims: { ...keys.keyClaims, ...item.keyClaims },
    keyRevocations: keys.keyRevocations ?? undefined,
    keyLastUses: keys.keyLastUses ?? undefined,
    storefrontAccessToken: item.storefrontAccessToken ?? undefined,
    storefrontTokenId: item.storefrontTokenId ?? undefined,
    storefrontLeaseUntilMs: item.storefrontLeaseUntilMs ?? undefined,
    storefrontRefusal: item.storefrontRefusal ?? undefined,
    installedAtMs: item.installedAtMs,
    lastInstallAtMs: item.lastInstallAtMs ?? undefined,
    restoredAtMs: item.restoredAtMs ?? undefined,
    refusedKids: item.refusedKids ?? undefined,
    uninstalledAtMs: item.uninstalledAtMs ?? undefined,
    trustsSubject: item.trustsSubject ?? undefined,
    grantRefusal: grant.grantRefusal ?? undefined,
    timeZone: item.timeZone ?? undefined,
    unparted: unparted.length > 0 ? unparted : undefined,
  };
  return record as StoreRecord;
}

/** As it lies in the table: null where nothing is known. */
type StoreItem = ItemKey & { readonly [Name in keyof StoreRecord]?: Stored<StoreRecord[Name]> | undefined };
type Stored<Value> = undefined extends Value ? Value | null : Value;
const NOTHING: Partial<StoreItem> = {};

function liesIn(item: StoreItem, part: StorePart): boolean {
  return (item[LIES_WITH[part]] ?? undefined) !== undefined;
}

/** The items of a record. */
export function toStoreItems(record: StoreRecord): Item[] {
  const { shopId, keyClaims, keyRevocations, keyLastUses, platformVersionId, grantRefusal, ...facts } =
    record;
  const { unparted: _none, ...store } = facts;
  return [
    { ...storeKey(shopId), shopId, ...store },
    { ...partKey(shopId, 'grant'), shopId, platformVersionId, grantRefusal },
    {
      ...newPart(shopId, 'keys'),
      keyClaims,
      ...(keyRevocations && { keyRevocations }),
      ...(keyLastUses && { keyLastUses }),
    },
  ];
}

/** The item of a part that holds nothing yet. Its maps are there, for their entries are written one by one. */
export function newPart(shopId: ShopId, part: StorePart): Item {
  const empty = part === 'grant' ? {} : { keyClaims: {}, keyRevocations: {}, keyLastUses: {} };
  return { ...partKey(shopId, part), shopId, ...empty };
}

/** Reads a store, with those parts, by one consistent request. */
export async function readStore(
  table: Pick<Table, 'get' | 'batchGet'>,
  shopId: ShopId,
  parts = ALL_PARTS,
): Promise<StoreRecord | undefined> {
  if (parts.length === 0) return toStoreRecord([await table.get(storeKey(shopId))]);
  const keys = storeKeys(shopId, parts);
  const items = await table.batchGet(keys);
  // One request reads item by item: `store resync` may have moved a part from behind it to before it.
  return toStoreRecord(lacksPart(items, parts) ? await table.batchGet(keys) : items);
}

/** Whether a part lies in none of the items. */
export function lacksPart(items: readonly (Item | undefined)[], parts: readonly StorePart[]): boolean {
  const [store] = items.filter((item) => item?.sk === 'STORE');
  if (store === undefined) return false;
  const isThere = ({ sk }: ItemKey) => items.some((item) => item?.sk === sk);
  return parts.some((part) => !liesIn(store, part) && !isThere(partKey(store.shopId as ShopId, part)));
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

type StoresDeps = {
  readonly table: Table;
  /** The parts that `find` reads: those that the work needs, and has rights to; all by default. */
  readonly parts?: readonly StorePart[];
};

/** Stores over the table. */
export function createStores({ table, parts }: StoresDeps): Stores {
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
    find: (shopId) => readStore(table, shopId, parts),
    pointDomain: (domain, shopId) =>
      table.put(
        { ...shopDomainKey(domain), shopId },
        { condition: 'attribute_not_exists(pk) OR shopId = :shopId', values: { ':shopId': shopId } },
      ),
  };
}
