/**
 * Stores: a pointer item domain → shop id, and a store's items by shop id. The items are split by permissions:
 * operators and the scheduled work write `STORE#`; requests also write `GRANT#` and `KEYS#`. Attributes of other
 * parts that an earlier version stored in the store item are valid there, and are changed there, until `store resync`
 * moves them.
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

/** The platform refused to renew a grant. */
export type GrantRefusal = {
  /** The version of the grant. */
  readonly versionId: string;
  /** The platform's code. */
  readonly reason: string;
  readonly atMs: number;
  /** True when only a new grant helps, so the platform is not called again. */
  readonly isFinal: boolean;
};

/** The platform issued no storefront token for the app in this store. */
export type StorefrontRefusal = {
  readonly atMs: number;
  readonly reason: string;
  /** True when a later request may succeed. */
  readonly isPassing?: boolean;
};

/** How a store's webhooks are registered for `uri`: by the API, or in the app's TOML. */
export type WebhookWay = { readonly by: 'api' | 'toml'; readonly uri: string };

export type StoreRecord = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  readonly storefrontUrl: string;
  readonly displayName: string;
  readonly portalPageId: string | undefined;
  /** The client id of the customers' sign-in; undefined when none is configured. */
  readonly clientId: string | undefined;
  readonly signIn: SignInAddresses;
  readonly status: 'installed' | 'uninstalled' | 'purging';
  /** The current VersionId of each versioned secret. */
  readonly platformVersionId: string | undefined;
  readonly adminKeysVersionId: string | undefined;
  /** Absent when no client secret of the app is stored; then no webhook is accepted. */
  readonly webhooksVersionId?: string;
  /** Absent when no webhooks are registered. */
  readonly webhookWay?: WebhookWay;
  /** How many days before an order `order.upcoming` is sent; the default if absent. */
  readonly upcomingDays?: number;
  /** Admin key id → when it was claimed. An unclaimed key is not live. */
  readonly keyClaims: KeyTimes;
  /**
   * Admin key id → when it revoked itself. It remains as long as the key has a record, because a request may use an
   * older version of the record.
   */
  readonly keyRevocations?: KeyTimes;
  /** Admin key id → the hour of its last use. */
  readonly keyLastUses?: KeyTimes;
  readonly storefrontAccessToken: string | undefined;
  /** The platform's id of the token; absent when it was created by an earlier version and not checked since. */
  readonly storefrontTokenId?: string;
  readonly storefrontLeaseUntilMs: number | undefined;
  /** The last refusal; absent when there was none, or a token was created since. */
  readonly storefrontRefusal?: StorefrontRefusal;
  readonly installedAtMs: number;
  /** The last install, including one over an installed store; absent in records of earlier versions. */
  readonly lastInstallAtMs?: number;
  readonly restoredAtMs: number | undefined;
  /** Leaked keys of the key ring: tokens signed with them are refused. */
  readonly refusedKids?: readonly KeyId[];
  /** The time of the last uninstall; absent when there was none, or in records of earlier versions. */
  readonly uninstalledAtMs?: number;
  /** The operator's confirmation that `sub` is the customer's id, so a sign-in needs no further request. */
  readonly trustsSubject?: boolean;
  /** Valid only for this version of the store's grant, not for a new grant. */
  readonly grantRefusal?: GrantRefusal;
  /**
   * The time zone, read at install and daily; absent in records of earlier versions, or when the platform returned an
   * unknown one.
   */
  readonly timeZone?: TimeZone | undefined;
  /** The parts that are still in the store item. */
  readonly unmigratedParts?: readonly StorePart[];
};

/** Epoch milliseconds by the id of an admin key. */
type KeyTimes = Readonly<Record<string, number>>;

/** The parts of a store that have their own items. */
export type StorePart = 'grant' | 'keys';
const ALL_PARTS: readonly StorePart[] = ['grant', 'keys'];
/** The attribute that shows whether a part is in an item. */
const LIES_WITH = { grant: 'platformVersionId', keys: 'keyClaims' } as const;
/** All attributes of each part. */
export const PART_ATTRIBUTES = {
  grant: ['platformVersionId', 'grantLeaseUntilMs', 'grantLeaseId', 'grantRefusal'],
  keys: ['keyClaims', 'keyRevocations', 'keyLastUses'],
} as const satisfies Record<StorePart, readonly string[]>;

/** Returns the store's time zone; UTC if it is unknown, or unknown to this runtime. */
export function timeZoneOf({ timeZone }: Pick<StoreRecord, 'timeZone'>): TimeZone {
  return parseTimeZone(timeZone) ?? UTC;
}

/** The maximum number of days: the nightly run reads the orders of the next 15 days. */
export const MAX_UPCOMING_DAYS = 14;

/** Returns how many days before an order `order.upcoming` is sent. */
export function upcomingDaysOf({ upcomingDays = 3 }: Pick<StoreRecord, 'upcomingDays'>): number {
  return upcomingDays;
}

/**
 * Returns the platform's refusal of the current grant.
 * @returns undefined when there is none
 */
export function grantRefusalOf({
  grantRefusal,
  platformVersionId,
}: Pick<StoreRecord, 'grantRefusal' | 'platformVersionId'>): GrantRefusal | undefined {
  return grantRefusal?.versionId === platformVersionId ? grantRefusal : undefined;
}

/** Returns the key of the store item. */
export function storeKey(shopId: ShopId): ItemKey {
  return { pk: `STORE#${shopId}`, sk: 'STORE' };
}

/** Returns the key of a part's item. */
export function partKey(shopId: ShopId, part: StorePart): ItemKey {
  return part === 'grant' ? { pk: `GRANT#${shopId}`, sk: 'GRANT' } : { pk: `KEYS#${shopId}`, sk: 'KEYS' };
}

/** Returns the key of the item in which a part of this store is changed. */
export function keyOfPart({ shopId, unmigratedParts = [] }: SplitStore, part: StorePart): ItemKey {
  return unmigratedParts.includes(part) ? storeKey(shopId) : partKey(shopId, part);
}
type SplitStore = Pick<StoreRecord, 'shopId' | 'unmigratedParts'>;

/** Returns the key of the pointer from a store's domain to its shop id. */
export function shopDomainKey(domain: ShopDomain): ItemKey {
  return { pk: `SHOP#${domain}`, sk: 'SHOP' };
}

/** Returns the keys of a store's items: the store item, then the parts. */
export function storeKeys(shopId: ShopId, parts = ALL_PARTS): ItemKey[] {
  return [storeKey(shopId), ...parts.map((part) => partKey(shopId, part))];
}

/**
 * Converts a store's items, in any order. A part that was not read is empty.
 * @returns undefined without a store item
 */
export function toStoreRecord(items: readonly (Item | undefined)[]): StoreRecord | undefined {
  const of = (sk: string) => items.find((item) => item?.sk === sk) as StoreItem | undefined;
  const item = of('STORE');
  if (item === undefined) return undefined;
  const keys = of('KEYS') ?? NOTHING;
  const unmigratedParts = ALL_PARTS.filter((part) => liesIn(item, part));
  const grant = unmigratedParts.includes('grant') ? item : (of('GRANT') ?? NOTHING);
  // Every request does this: naming each attribute takes a third of the time of a copy.
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
    unmigratedParts: unmigratedParts.length > 0 ? unmigratedParts : undefined,
  };
  return record as StoreRecord;
}

/** The stored form: null for unknown values. */
type StoreItem = ItemKey & { readonly [Name in keyof StoreRecord]?: Stored<StoreRecord[Name]> | undefined };
type Stored<Value> = undefined extends Value ? Value | null : Value;
const NOTHING: Partial<StoreItem> = {};

function liesIn(item: StoreItem, part: StorePart): boolean {
  return (item[LIES_WITH[part]] ?? undefined) !== undefined;
}

/** Converts a record to its items. */
export function toStoreItems(record: StoreRecord): Item[] {
  const { shopId, keyClaims, keyRevocations, keyLastUses, platformVersionId, grantRefusal, ...facts } =
    record;
  const { unmigratedParts: _none, ...store } = facts;
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

/** Returns the item of an empty part. It has empty maps, because their entries are written one by one. */
export function newPart(shopId: ShopId, part: StorePart): Item {
  const empty = part === 'grant' ? {} : { keyClaims: {}, keyRevocations: {}, keyLastUses: {} };
  return { ...partKey(shopId, part), shopId, ...empty };
}

/** Reads a store with the given parts, in one consistent request. */
export async function readStore(
  table: Pick<Table, 'get' | 'batchGet'>,
  shopId: ShopId,
  parts = ALL_PARTS,
): Promise<StoreRecord | undefined> {
  if (parts.length === 0) return toStoreRecord([await table.get(storeKey(shopId))]);
  const keys = storeKeys(shopId, parts);
  const items = await table.batchGet(keys);
  // A batch reads items one after another: `store resync` may have moved a part from an item that is read later to
  // one that was read before.
  return toStoreRecord(isPartMissing(items, parts) ? await table.batchGet(keys) : items);
}

/** Whether any part is missing in the items. */
export function isPartMissing(items: readonly (Item | undefined)[], parts: readonly StorePart[]): boolean {
  const [store] = items.filter((item) => item?.sk === 'STORE');
  if (store === undefined) return false;
  const isThere = ({ sk }: ItemKey) => items.some((item) => item?.sk === sk);
  return parts.some((part) => !liesIn(store, part) && !isThere(partKey(store.shopId as ShopId, part)));
}

export type Stores = {
  /**
   * Finds the shop id of a domain, which never changes and is cached.
   * @returns undefined when it was never installed
   */
  findShopId(domain: ShopDomain): Promise<ShopId | undefined>;
  /** Finds a store with a consistent read. */
  find(shopId: ShopId): Promise<StoreRecord | undefined>;
  /** Writes the pointer unless it exists. Refused when the domain belongs to another shop id. */
  pointDomain(domain: ShopDomain, shopId: ShopId): Promise<'done' | 'refused'>;
};

const MAX_CACHED_DOMAINS = 10_000;

type StoresDeps = {
  readonly table: Table;
  /** The parts that `find` reads: those that the caller needs and may read; all by default. */
  readonly parts?: readonly StorePart[];
};

/** Creates stores over the table. */
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
