/**
 * Installs a store, for the first time or again: stores its grant as a version of a secret, pins its sign-in addresses,
 * and writes its items. Sessions and admin keys from before an uninstall stay invalid.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type ChangeGrantDeps, updateStoredGrant } from '../../platform/grants/change-grant.ts';
import type { PlatformGrant } from '../../platform/grants/platform-grant.ts';
import type { SignInAddresses, StoreRecord, Stores } from '../../storage/stores.ts';
import { readStoreRecord, storeItemKey, toStoreItems } from '../../storage/stores.ts';
import type { ItemChange } from '../../storage/table.ts';
import { type DiscoverSignIn, listMovedAddresses, readSignInAddresses } from '../read-sign-in-addresses.ts';
import { rejectUnrenewableGrant } from '../reject-unrenewable-grant.ts';
import { scheduleStorefrontTokenRetry } from './schedule-storefront-token-check.ts';
import { scheduleTimeZoneRead } from './schedule-time-zone-read.ts';

type InstallStoreDeps = ChangeGrantDeps & {
  readonly stores: Stores;
  readonly discoverSignIn: DiscoverSignIn;
};
type InstallStoreRequest = {
  readonly shopId: ShopId;
  readonly domain: ShopDomain;
  readonly displayName: string;
  readonly storefrontUrl: string;
  readonly timeZone: TimeZone;
  readonly portalPageId: string | undefined;
  /** The client id of the customers' sign-in. */
  readonly clientId: string | undefined;
  readonly grant: PlatformGrant;
  /** The issuer that the operator confirmed, when the sign-in addresses are unexpected. */
  readonly trustedIssuer?: string | undefined;
  /** The addresses that `readSignInAddressesToPin` returned and a person confirmed. Without them they are read now. */
  readonly signIn?: SignInAddresses;
};

/**
 * Installs a store and returns it. Can be repeated after a crash at any point: only the last write makes the store
 * installed.
 * @throws StoreChangeRefused when the domain belongs to another store, the sign-in addresses are unexpected, or the
 * grant expires and cannot be renewed
 */
export async function installStore(
  deps: InstallStoreDeps,
  request: InstallStoreRequest,
): Promise<StoreRecord> {
  rejectUnrenewableGrant(request.grant);
  const signIn = request.signIn ?? (await readSignInAddressesToPin(deps, request));
  if ((await deps.stores.mapDomainToStore(request.domain, request.shopId)) === 'refused')
    throw createDomainTakenRefusal(request.domain);
  rejectStoreBeingPurged(await deps.stores.find(request.shopId));
  await writeUninstalledStore(deps, request, signIn);
  await updateStoredGrant(deps, { shopId: request.shopId, change: () => request.grant });
  await scheduleTimeZoneRead(deps, request.shopId, 'within a day');
  // A fallback: the install command itself creates the token immediately.
  await scheduleStorefrontTokenRetry(deps, request.shopId, 0);
  return markStoreInstalled(deps, request, signIn);
}

/** Returns the sign-in addresses to pin. Writes nothing. Throws the same errors as the installation. */
export async function readSignInAddressesToPin(
  deps: Pick<InstallStoreDeps, 'stores' | 'discoverSignIn'>,
  { shopId, domain, trustedIssuer }: Pick<InstallStoreRequest, 'shopId' | 'domain' | 'trustedIssuer'>,
): Promise<SignInAddresses> {
  const domainOwner = await deps.stores.findShopId(domain);
  if (domainOwner !== undefined && domainOwner !== shopId) throw createDomainTakenRefusal(domain);
  const store = await deps.stores.find(shopId);
  rejectStoreBeingPurged(store);
  return readSignInAddresses(deps, { shopId, domain, pinned: store?.signIn, trustedIssuer });
}

function createDomainTakenRefusal(domain: ShopDomain): StoreChangeRefused {
  return new StoreChangeRefused(`${domain} belongs to another shop id. Check the shop id of the store.`);
}

/** Writes the items of the store as uninstalled, unless they exist. They have no effect yet. */
async function writeUninstalledStore(
  { table, now }: InstallStoreDeps,
  request: InstallStoreRequest,
  signIn: SignInAddresses,
) {
  const { grant: _grant, trustedIssuer: _word, ...storeFields } = request;
  const storeRecord: StoreRecord = {
    ...storeFields,
    signIn,
    status: 'uninstalled',
    platformVersionId: undefined,
    adminKeysVersionId: undefined,
    keyClaims: {},
    storefrontAccessToken: undefined,
    storefrontLeaseUntilMs: undefined,
    installedAtMs: now(),
    restoredAtMs: undefined,
  };
  for (const item of toStoreItems(storeRecord))
    await table.put(item, { condition: 'attribute_not_exists(pk)' });
}

/** Refuses a store that is being purged, because a secret that is written now would remain after the purge. */
function rejectStoreBeingPurged(store: StoreRecord | undefined): void {
  if (store?.status === 'purging')
    throw new StoreChangeRefused('The store is being purged. Install it again when that is done.');
}

const MAX_INSTALL_ATTEMPTS = 8;

async function markStoreInstalled(
  deps: InstallStoreDeps,
  request: InstallStoreRequest,
  signIn: SignInAddresses,
): Promise<StoreRecord> {
  for (let attemptsMade = 0; attemptsMade < MAX_INSTALL_ATTEMPTS; attemptsMade++) {
    const storeBefore = await deps.stores.find(request.shopId);
    if (storeBefore === undefined)
      throw new StoreChangeRefused('The store was purged meanwhile. Install it again.');
    rejectStoreBeingPurged(storeBefore);
    const writeResult = await deps.table.update(
      buildInstallUpdate(storeBefore, { ...toInstalledAttributes(request, storeBefore), signIn }, deps.now()),
    );
    const store =
      writeResult.outcome === 'done' ? await readStoreRecord(deps.table, request.shopId) : undefined;
    if (store !== undefined) return store;
  }
  throw new StoreChangeRefused('Somebody else keeps changing this store. Try again.');
}

/**
 * Returns the attributes to write. An installed store keeps attributes that the request omits, such as the client id,
 * without which customers could not sign in.
 */
function toInstalledAttributes(request: InstallStoreRequest, storeBefore: StoreRecord) {
  const installedBefore = storeBefore.status === 'installed' ? storeBefore : undefined;
  return {
    domain: request.domain,
    displayName: request.displayName,
    storefrontUrl: request.storefrontUrl,
    timeZone: request.timeZone,
    portalPageId: request.portalPageId ?? installedBefore?.portalPageId ?? null,
    clientId: request.clientId ?? installedBefore?.clientId ?? null,
  };
}

type InstalledAttributes = ReturnType<typeof toInstalledAttributes> & { readonly signIn: SignInAddresses };

/** Attributes that describe an attempt to get a storefront token with the previous grant. */
const ATTRIBUTES_REMOVED_AT_INSTALL = ['storefrontLeaseUntilMs', 'storefrontRefusal'];

/**
 * Builds the write that makes the store installed. For a store that is already installed, this is an update: its
 * sessions and keys stay valid.
 */
function buildInstallUpdate(
  storeBefore: StoreRecord,
  attributes: InstalledAttributes,
  nowMs: number,
): ItemChange {
  const attributeNames = Object.keys(attributes);
  const wasInstalled = storeBefore.status === 'installed';
  const isSameSignIn = wasInstalled && listMovedAddresses(storeBefore.signIn, attributes.signIn).length === 0;
  // Keep the storefront token of an installed store, because apps use it. If the platform has deleted it, a later check
  // replaces it.
  const removedFields = [
    ...ATTRIBUTES_REMOVED_AT_INSTALL,
    // The store may have another owner, who enters the pages again.
    ...(wasInstalled ? [] : ['storefrontAccessToken', 'storefrontTokenId', 'webSignIn']),
    ...(isSameSignIn ? [] : ['trustsSubject']),
  ];
  return {
    key: storeItemKey(storeBefore.shopId),
    update:
      `SET ${attributeNames.map((name) => `#${name} = :${name}`).join(', ')}, #status = :installed, ` +
      `installedAtMs = :installedAt, lastInstallAtMs = :now REMOVE ${removedFields.join(', ')}`,
    condition: '#status = :before AND installedAtMs = :installedBefore',
    names: { '#status': 'status', ...Object.fromEntries(attributeNames.map((name) => [`#${name}`, name])) },
    values: {
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
      ':installed': 'installed',
      ':before': storeBefore.status,
      ':installedBefore': storeBefore.installedAtMs,
      ':installedAt': wasInstalled ? storeBefore.installedAtMs : nowMs,
      ':now': nowMs,
    },
  };
}
