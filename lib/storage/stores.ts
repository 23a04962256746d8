/**
 * Stores. An item maps a store's domain to its id; the other items have the id in their key. A store has several items,
 * because rights differ: operators and the scheduled work write the STORE item, and requests also write GRANT and KEYS.
 * Earlier versions stored all attributes in STORE. Such attributes are still read and changed there until `store
 * resync` migrates them.
 */

import { createLruCache } from '../domain/lru-cache.ts';
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { WebSignIn } from '../domain/sign-in/web-sign-in.ts';
import { parseTimeZone, type TimeZone, UTC } from '../domain/time-zone.ts';
import type { KeyId } from '../domain/tokens/key-id.ts';
import type { Item, ItemKey, Table, WithAllFields } from './table.ts';

/** The platform's addresses for the sign-in of customers. They are pinned at the installation. */
export type SignInAddresses = {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly endSessionEndpoint: string;
  readonly customerApiUrl: string;
};

/** The platform's refusal to renew a grant. */
export type GrantRefusal = {
  /** The version of the secret with the refused grant. */
  readonly versionId: string;
  /** The platform's error code. */
  readonly reason: string;
  readonly atMs: number;
  /** True when only a new grant can help, so that the renewal is not tried again. */
  readonly isFinal: boolean;
};

/** The platform's refusal to create a storefront token. */
export type StorefrontRefusal = {
  readonly atMs: number;
  readonly reason: string;
  /** True when a later attempt may succeed. */
  readonly isPassing?: boolean;
};

/** How the platform's webhooks to `uri` are registered: by the API, or in the app's TOML file. */
export type WebhookRegistrationMethod = { readonly by: 'api' | 'toml'; readonly uri: string };

export type StoreRecord = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  readonly storefrontUrl: string;
  readonly displayName: string;
  readonly portalPageId: string | undefined;
  /** The client id of the customers' sign-in. Undefined when none is configured. */
  readonly clientId: string | undefined;
  /** Absent when no page was ever entered: web pages cannot sign customers in. */
  readonly webSignIn?: WebSignIn;
  readonly signIn: SignInAddresses;
  readonly status: 'installed' | 'uninstalled' | 'purging';
  /**
   * The VersionIds that are valid now: of the secret with the platform's grant, and of the secret with the admin keys.
   */
  readonly platformVersionId: string | undefined;
  readonly adminKeysVersionId: string | undefined;
  /** Absent when no client secret of the app is stored. No webhook is accepted then. */
  readonly webhooksVersionId?: string;
  /** Absent when no webhooks are registered. */
  readonly webhookWay?: WebhookRegistrationMethod;
  /** How many days before an order the event `order.upcoming` is sent. Absent means the default. */
  readonly upcomingDays?: number;
  /** Whether customers can have their next order sent now. Absent means OFF. */
  readonly sendNow?: SendNowSetting;
  /** When each admin key was claimed, by key id. A key is not valid before. */
  readonly keyClaims: AdminKeyTimes;
  /**
   * When admin keys revoked themselves, by key id. An entry stays as long as the key's record, because a request may
   * use an older version of the record.
   */
  readonly keyRevocations?: AdminKeyTimes;
  /** The hour in which each admin key was last used, by key id. */
  readonly keyLastUses?: AdminKeyTimes;
  readonly storefrontAccessToken: string | undefined;
  /**
   * The platform's global id of the storefront token. Absent when an earlier version created the token and it was not
   * checked since.
   */
  readonly storefrontTokenId?: string;
  readonly storefrontLeaseUntilMs: number | undefined;
  /**
   * The platform's last refusal to create a storefront token. Absent when there was none, or a token was created since.
   */
  readonly storefrontRefusal?: StorefrontRefusal;
  readonly installedAtMs: number;
  /**
   * The time of the last installation, also if the store was installed already. Absent in records of earlier versions.
   */
  readonly lastInstallAtMs?: number;
  /** When the table was last restored from a backup, epoch milliseconds. */
  readonly restoredAtMs: number | undefined;
  /** Ids of leaked token keys. Access tokens that were signed with them are refused. */
  readonly refusedKids?: readonly KeyId[];
  /** The time of the last uninstallation. Absent when there was none, and in records of earlier versions. */
  readonly uninstalledAtMs?: number;
  /**
   * The operator's confirmation that the claim `sub` of the platform's id token is the customer's id, so that a sign-in
   * needs no further request.
   */
  readonly trustsSubject?: boolean;
  /**
   * The platform's last refusal to renew the grant. It counts only if its `versionId` is that of the store's present
   * grant.
   */
  readonly grantRefusal?: GrantRefusal;
  /**
   * The store's time zone, read at the installation and daily. Absent in records of earlier versions, and when this
   * runtime does not know the zone.
   */
  readonly timeZone?: TimeZone | undefined;
  /** Which of GRANT and KEYS are still attributes of the STORE item. */
  readonly unmigratedParts?: readonly StoreItemPart[];
};

/**
 * Whether customers can have their next order sent now. OFF: they cannot. MOVE: the order is moved to now, so that the
 * merchant's next run charges it. OFF limits no dates: other changes can move an order to five minutes from now.
 */
export const SEND_NOW_SETTINGS = ['OFF', 'MOVE'] as const;
export type SendNowSetting = (typeof SEND_NOW_SETTINGS)[number];

/** Returns the store's setting for orders that are sent now. */
export function sendNowSettingOf({ sendNow = 'OFF' }: Pick<StoreRecord, 'sendNow'>): SendNowSetting {
  return sendNow;
}

/** Epoch milliseconds by id of the admin key. */
type AdminKeyTimes = Readonly<Record<string, number>>;

/** The parts of a store that have items of their own. */
export type StoreItemPart = 'grant' | 'keys';
const ALL_STORE_PARTS: readonly StoreItemPart[] = ['grant', 'keys'];
/** For each part, the attribute whose presence shows that the part is stored in an item. */
const PART_MARKER_ATTRIBUTES = { grant: 'platformVersionId', keys: 'keyClaims' } as const;
/** All attributes of each part. */
export const PART_ATTRIBUTES = {
  grant: ['platformVersionId', 'grantLeaseUntilMs', 'grantLeaseId', 'grantRefusal'],
  keys: ['keyClaims', 'keyRevocations', 'keyLastUses'],
} as const satisfies Record<StoreItemPart, readonly string[]>;

/** Returns the store's time zone, or UTC if it is missing or this runtime does not know it. */
export function timeZoneOf({ timeZone }: Pick<StoreRecord, 'timeZone'>): TimeZone {
  return parseTimeZone(timeZone) ?? UTC;
}

/** The maximum of `upcomingDays`: the nightly run reads the orders of the next 15 days. */
export const MAX_UPCOMING_ORDER_NOTICE_DAYS = 14;

/** Returns how many days before an order the event `order.upcoming` is sent. */
export function upcomingOrderNoticeDays({ upcomingDays = 3 }: Pick<StoreRecord, 'upcomingDays'>): number {
  return upcomingDays;
}

/**
 * Returns the platform's refusal of the store's present grant.
 * @returns undefined when the platform has not refused it
 */
export function currentGrantRefusal({
  grantRefusal,
  platformVersionId,
}: Pick<StoreRecord, 'grantRefusal' | 'platformVersionId'>): GrantRefusal | undefined {
  return grantRefusal?.versionId === platformVersionId ? grantRefusal : undefined;
}

/** Returns the key of the STORE item. */
export function storeItemKey(shopId: ShopId): ItemKey {
  return { pk: `STORE#${shopId}`, sk: 'STORE' };
}

/** Returns the key of the item of a part. */
export function storePartItemKey(shopId: ShopId, part: StoreItemPart): ItemKey {
  return part === 'grant' ? { pk: `GRANT#${shopId}`, sk: 'GRANT' } : { pk: `KEYS#${shopId}`, sk: 'KEYS' };
}

/** Returns the key of the item in which this store's part is changed: STORE if the part is not migrated. */
export function storedPartItemKey(
  { shopId, unmigratedParts = [] }: StoreWithParts,
  part: StoreItemPart,
): ItemKey {
  return unmigratedParts.includes(part) ? storeItemKey(shopId) : storePartItemKey(shopId, part);
}
type StoreWithParts = Pick<StoreRecord, 'shopId' | 'unmigratedParts'>;

/** Returns the key of the item that maps a domain to a store's id. */
export function shopDomainItemKey(domain: ShopDomain): ItemKey {
  return { pk: `SHOP#${domain}`, sk: 'SHOP' };
}

/** Returns the keys of a store's items: STORE first, then the parts. */
export function storeItemKeys(shopId: ShopId, parts = ALL_STORE_PARTS): ItemKey[] {
  return [storeItemKey(shopId), ...parts.map((part) => storePartItemKey(shopId, part))];
}

/**
 * Converts a store's items to a record. The items may have any order. A part that was not read is empty.
 * @returns undefined without a STORE item
 */
export function toStoreRecord(items: readonly (Item | undefined)[]): StoreRecord | undefined {
  const findItem = (sk: string) => items.find((item) => item?.sk === sk) as StoreItem | undefined;
  const storeItem = findItem('STORE');
  if (storeItem === undefined) return undefined;
  const keysItem = findItem('KEYS') ?? EMPTY_STORE_ITEM;
  const unmigratedParts = ALL_STORE_PARTS.filter((part) => itemContainsPart(storeItem, part));
  const grantItem = unmigratedParts.includes('grant') ? storeItem : (findItem('GRANT') ?? EMPTY_STORE_ITEM);
  // List every field: it takes a third of the time of copying the item, and every request does this.
  const storeRecord: WithAllFields<StoreRecord> = {
    shopId: storeItem.shopId,
    domain: storeItem.domain,
    storefrontUrl: storeItem.storefrontUrl,
    displayName: storeItem.displayName,
    portalPageId: storeItem.portalPageId ?? undefined,
    clientId: storeItem.clientId ?? undefined,
    webSignIn: storeItem.webSignIn ?? undefined,
    signIn: storeItem.signIn,
    status: storeItem.status,
    platformVersionId: grantItem.platformVersionId ?? undefined,
    adminKeysVersionId: storeItem.adminKeysVersionId ?? undefined,
    webhooksVersionId: storeItem.webhooksVersionId ?? undefined,
    webhookWay: storeItem.webhookWay ?? undefined,
    upcomingDays: storeItem.upcomingDays ?? undefined,
    sendNow: storeItem.sendNow ?? undefined,
    keyClaims: { ...keysItem.keyClaims, ...storeItem.keyClaims },
    keyRevocations: keysItem.keyRevocations ?? undefined,
    keyLastUses: keysItem.keyLastUses ?? undefined,
    storefrontAccessToken: storeItem.storefrontAccessToken ?? undefined,
    storefrontTokenId: storeItem.storefrontTokenId ?? undefined,
    storefrontLeaseUntilMs: storeItem.storefrontLeaseUntilMs ?? undefined,
    storefrontRefusal: storeItem.storefrontRefusal ?? undefined,
    installedAtMs: storeItem.installedAtMs,
    lastInstallAtMs: storeItem.lastInstallAtMs ?? undefined,
    restoredAtMs: storeItem.restoredAtMs ?? undefined,
    refusedKids: storeItem.refusedKids ?? undefined,
    uninstalledAtMs: storeItem.uninstalledAtMs ?? undefined,
    trustsSubject: storeItem.trustsSubject ?? undefined,
    grantRefusal: grantItem.grantRefusal ?? undefined,
    timeZone: storeItem.timeZone ?? undefined,
    unmigratedParts: unmigratedParts.length > 0 ? unmigratedParts : undefined,
  };
  return storeRecord as StoreRecord;
}

/** A store as it is stored: null in place of undefined. */
type StoreItem = ItemKey & {
  readonly [Name in keyof StoreRecord]?: NullForUndefined<StoreRecord[Name]> | undefined;
};
type NullForUndefined<Value> = undefined extends Value ? Value | null : Value;
const EMPTY_STORE_ITEM: Partial<StoreItem> = {};

function itemContainsPart(item: StoreItem, part: StoreItemPart): boolean {
  return (item[PART_MARKER_ATTRIBUTES[part]] ?? undefined) !== undefined;
}

/** Converts a record to the store's items. */
export function toStoreItems(record: StoreRecord): Item[] {
  const {
    shopId,
    keyClaims,
    keyRevocations,
    keyLastUses,
    platformVersionId,
    grantRefusal,
    ...remainingFields
  } = record;
  const { unmigratedParts: _none, ...storeAttributes } = remainingFields;
  return [
    { ...storeItemKey(shopId), shopId, ...storeAttributes },
    { ...storePartItemKey(shopId, 'grant'), shopId, platformVersionId, grantRefusal },
    {
      ...createStorePartItem(shopId, 'keys'),
      keyClaims,
      ...(keyRevocations && { keyRevocations }),
      ...(keyLastUses && { keyLastUses }),
    },
  ];
}

/**
 * Returns the new GRANT or KEYS item of a store. Its maps exist from the start, because their entries are written one
 * by one.
 */
export function createStorePartItem(shopId: ShopId, part: StoreItemPart): Item {
  const emptyAttributes = part === 'grant' ? {} : { keyClaims: {}, keyRevocations: {}, keyLastUses: {} };
  return { ...storePartItemKey(shopId, part), shopId, ...emptyAttributes };
}

/** Reads a store with these parts, in one request with consistent reads. */
export async function readStoreRecord(
  table: Pick<Table, 'get' | 'batchGet'>,
  shopId: ShopId,
  parts = ALL_STORE_PARTS,
): Promise<StoreRecord | undefined> {
  if (parts.length === 0) return toStoreRecord([await table.get(storeItemKey(shopId))]);
  const keys = storeItemKeys(shopId, parts);
  const storeItems = await table.batchGet(keys);
  // The items of a batch are not read at the same instant: `store resync` may have migrated a part from an item that
  // was read later to one that was read earlier. Then read again.
  return toStoreRecord(isStorePartMissing(storeItems, parts) ? await table.batchGet(keys) : storeItems);
}

/** Whether a part is neither in the STORE item nor in an item of its own. */
export function isStorePartMissing(
  items: readonly (Item | undefined)[],
  parts: readonly StoreItemPart[],
): boolean {
  const [storeItem] = items.filter((item) => item?.sk === 'STORE');
  if (storeItem === undefined) return false;
  const isItemRead = ({ sk }: ItemKey) => items.some((item) => item?.sk === sk);
  return parts.some(
    (part) =>
      !itemContainsPart(storeItem, part) && !isItemRead(storePartItemKey(storeItem.shopId as ShopId, part)),
  );
}

export type Stores = {
  /**
   * Returns the id of the store with this domain. Caches it, because it never changes.
   * @returns undefined when the store was never installed
   */
  findShopId(domain: ShopDomain): Promise<ShopId | undefined>;
  /** Reads a store with a consistent read. */
  find(shopId: ShopId): Promise<StoreRecord | undefined>;
  /**
   * Writes the item that maps the domain to the store's id. Returns `refused` when the domain belongs to another store.
   */
  mapDomainToStore(domain: ShopDomain, shopId: ShopId): Promise<'done' | 'refused'>;
};

const MAX_CACHED_DOMAINS = 10_000;

type StoresDeps = {
  readonly table: Table;
  /** The parts that `find` reads. The function must have the right to read them. All by default. */
  readonly parts?: readonly StoreItemPart[];
};

/** Creates the access to stores. */
export function createStoreRepository({ table, parts }: StoresDeps): Stores {
  const shopIdByDomain = createLruCache<ShopDomain, ShopId>(MAX_CACHED_DOMAINS);
  return {
    async findShopId(domain) {
      const cachedShopId = shopIdByDomain.get(domain);
      if (cachedShopId !== undefined) return cachedShopId;
      const item = await table.get(shopDomainItemKey(domain));
      if (item === undefined) return undefined;
      shopIdByDomain.set(domain, item.shopId as ShopId);
      return item.shopId as ShopId;
    },
    find: (shopId) => readStoreRecord(table, shopId, parts),
    mapDomainToStore: (domain, shopId) =>
      table.put(
        { ...shopDomainItemKey(domain), shopId },
        { condition: 'attribute_not_exists(pk) OR shopId = :shopId', values: { ':shopId': shopId } },
      ),
  };
}
