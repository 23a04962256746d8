/**
 * The grants of the stores: read by the version in the store item, and renewed when the platform refuses it or it is
 * about to expire.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { currentGrantRefusal, type StoreRecord, type Stores } from '../../storage/stores.ts';
import type { VersionReader } from '../../storage/versioned-secret.ts';
import { GrantRefused } from './grant-refused.ts';
import {
  findGrantRenewalKind,
  grantRenewalDueAtMs,
  type PlatformGrant,
  type StoreToken,
} from './platform-grant.ts';
import type { RenewGrant } from './renew-grant.ts';

export type StoreGrants = {
  /** Returns the current token. Renews one that expires within minutes. */
  read(store: StoreRecord): Promise<StoreToken>;
  /**
   * Renews the current grant if it expires soon.
   * @returns true when it was renewed
   * @throws as `renew`; PLATFORM_UNAVAILABLE when a retry may succeed
   */
  renewAhead(store: StoreRecord): Promise<boolean>;
  /**
   * Returns a token other than the refused one.
   * @throws STORE_DISCONNECTED when there is none
   */
  renew(store: StoreRecord, refusedVersionId: string): Promise<StoreToken>;
};

type StoreGrantsDeps = {
  readonly stores: Stores;
  readonly readVersion: VersionReader;
  readonly renewGrant: RenewGrant;
  readonly now: () => number;
};

/**
 * A grant this close to its end is renewed before it is used. The scheduled work does so earlier: platform-grant.ts.
 */
const RENEW_BEFORE_EXPIRY_MS = 2 * 60_000;
/** How long after a refusal the platform is not called again. */
const RETRY_AFTER_REFUSAL_MS = 60_000;

/** Creates the grants of all stores for a container. */
export function createStoreGrantReader({
  stores,
  readVersion,
  renewGrant,
  now,
}: StoreGrantsDeps): StoreGrants {
  const readGrant = ({ shopId }: StoreRecord, versionId: string) =>
    readVersion(shopId, 'platform', versionId) as Promise<PlatformGrant>;

  const renewOnce = async (
    store: StoreRecord,
    refusedVersionId: string,
    how: { readonly waits: boolean },
  ): Promise<StoreToken> => {
    const currentStore = await stores.find(store.shopId);
    if (currentStore === undefined || currentStore.status !== 'installed')
      throw storeDisconnectedError('the store is gone');
    const versionId = requireGrantVersion(currentStore);
    const grant = await readGrant(currentStore, versionId);
    if (versionId !== refusedVersionId) return { accessToken: grant.accessToken, versionId };
    if (findGrantRenewalKind(grant) === undefined)
      throw storeDisconnectedError('the platform refuses the grant');
    const refusal = currentGrantRefusal(currentStore);
    if (refusal !== undefined && (refusal.isFinal || now() < refusal.atMs + RETRY_AFTER_REFUSAL_MS))
      throw new GrantRefused(refusal);
    return renewGrant(currentStore, versionId, how);
  };

  return {
    async read(store) {
      const versionId = requireGrantVersion(store);
      const grant = await readGrant(store, versionId);
      const storeToken = { accessToken: grant.accessToken, versionId };
      const expiresAtMs = grant.expiresAt === undefined ? Infinity : Date.parse(grant.expiresAt);
      if (now() < expiresAtMs - RENEW_BEFORE_EXPIRY_MS || findGrantRenewalKind(grant) === undefined)
        return storeToken;
      try {
        return await renewOnce(store, versionId, { waits: now() >= expiresAtMs });
      } catch (error) {
        // The renewal failed, but the token is still valid: a later request may retry.
        if (now() < expiresAtMs) return storeToken;
        throw error;
      }
    },
    async renewAhead(store) {
      const versionId = requireGrantVersion(store);
      const grant = await readGrant(store, versionId);
      if (now() < grantRenewalDueAtMs(grant)) return false;
      await renewOnce(store, versionId, { waits: false });
      return true;
    },
    renew: (store, refusedVersionId) => renewOnce(store, refusedVersionId, { waits: true }),
  };
}

function requireGrantVersion({ platformVersionId }: StoreRecord): string {
  if (platformVersionId === undefined) throw storeDisconnectedError('the store has no grant');
  return platformVersionId;
}

function storeDisconnectedError(internal: string): ServiceError {
  return new ServiceError('STORE_DISCONNECTED', { internal });
}
