/**
 * The grant that the store gave the service: read by the version that the store item names, and renewed when
 * the platform does not take it any more or it is about to end.
 */
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord, Stores } from '../storage/stores.ts';
import type { VersionReader } from '../storage/versioned-secret.ts';
import { type PlatformGrant, renewalTimeOf } from '../stores/change-grant.ts';
import type { RefreshGrant } from './refresh-grant.ts';

/** An access token, and the version of the secret that holds it. */
export type StoreToken = { readonly accessToken: string; readonly versionId: string };

export type StoreGrants = {
  /** The token that counts. Renews an expiring one in its last minutes. */
  read(store: StoreRecord): Promise<StoreToken>;
  /** Renews the one that counts if it ends soon: true. Errors as `renew`, and PLATFORM_UNAVAILABLE: try later. */
  renewAhead(store: StoreRecord): Promise<boolean>;
  /** Another token than the one that the platform refused. STORE_DISCONNECTED if there is none. */
  renew(store: StoreRecord, refusedVersionId: string): Promise<StoreToken>;
};

export type StoreGrantsDeps = {
  readonly stores: Stores;
  readonly readVersion: VersionReader;
  readonly refreshGrant: RefreshGrant;
  readonly now: () => number;
};

/** A grant this close to its end is renewed before it is used. */
const RENEW_BEFORE_MS = 2 * 60_000;

/** The grants of all stores, as a container sees them. */
export function createStoreGrants({ stores, readVersion, refreshGrant, now }: StoreGrantsDeps): StoreGrants {
  const readGrant = async (store: StoreRecord) => {
    const versionId = store.platformVersionId;
    if (versionId === undefined) throw disconnected('the store has no grant');
    const grant = (await readVersion(store.shopId, 'platform', versionId)) as PlatformGrant;
    return { grant, versionId };
  };

  const renew = async (store: StoreRecord, refusedVersionId: string): Promise<StoreToken> => {
    const current = await stores.find(store.shopId);
    if (current === undefined || current.status !== 'installed') throw disconnected('the store is gone');
    const { grant, versionId } = await readGrant(current);
    if (versionId !== refusedVersionId) return { accessToken: grant.accessToken, versionId };
    if (grant.refreshToken === undefined) throw disconnected('the platform refuses the grant');
    return refreshGrant(current, versionId);
  };

  return {
    async read(store) {
      const { grant, versionId } = await readGrant(store);
      const endsAtMs = grant.expiresAt === undefined ? Infinity : Date.parse(grant.expiresAt);
      if (grant.refreshToken === undefined || now() < endsAtMs - RENEW_BEFORE_MS) {
        return { accessToken: grant.accessToken, versionId };
      }
      try {
        return await renew(store, versionId);
      } catch (error) {
        const isFinal = error instanceof ServiceError && error.code === 'STORE_DISCONNECTED';
        // Not renewed in time, but still good: another request will try again.
        if (!isFinal && now() < endsAtMs) return { accessToken: grant.accessToken, versionId };
        throw error;
      }
    },
    async renewAhead(store) {
      const { grant, versionId } = await readGrant(store);
      if (now() < renewalTimeOf(grant)) return false;
      await renew(store, versionId);
      return true;
    },
    renew,
  };
}

function disconnected(internal: string): ServiceError {
  return new ServiceError('STORE_DISCONNECTED', { internal });
}
