/**
 * Renews a store's grant that expires. One function at a time does so, under a lease on the grant's item, and stores
 * the new grant before it uses it. After a lost response the stored grant remains, for a retry; a refusal of the
 * platform is recorded in the item and logged.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import {
  currentGrantRefusal,
  type GrantRefusal,
  type StoreRecord,
  type Stores,
  storedPartItemKey,
} from '../../storage/stores.ts';
import { storeSecretName } from '../../storage/versioned-secret.ts';
import { type ChangeGrantDeps, updateStoredGrant } from './change-grant.ts';
import { GrantRefused } from './grant-refused.ts';
import { toNextGrant } from './next-grant.ts';
import type { StoreToken } from './platform-grant.ts';
import { findGrantRenewalKind, type PlatformGrant } from './platform-grant.ts';
import {
  type AccessTokenDeps,
  type PresentedCredential,
  requestAccessToken,
} from './request-access-token.ts';

/**
 * Renews the version `versionId` of the grant and returns the new token, or returns the token that another function has
 * obtained in the meantime. `waits`: waits for the other function; otherwise throws PLATFORM_UNAVAILABLE immediately.
 */
export type RenewGrant = (
  store: StoreRecord,
  versionId: string,
  how: { readonly waits: boolean },
) => Promise<StoreToken>;

type RenewGrantDeps = ChangeGrantDeps &
  AccessTokenDeps & {
    readonly stores: Stores;
    readonly logger: Pick<Logger, 'error'>;
    /** Returns a new unique id, for the lease of the renewal. */
    readonly newId: () => string;
    readonly wait: (ms: number) => Promise<void>;
  };

const RENEWAL_LEASE_MS = 10_000;
const RENEWAL_POLL_INTERVAL_MS = 250;
const MAX_RENEWAL_POLLS = 12;
const RENEWAL_UNFINISHED_OPTIONS = { retryAfterSeconds: 2, internal: 'the grant could not be renewed now' };

/**
 * Creates the function that renews grants in one container.
 * @throws PLATFORM_UNAVAILABLE when a retry may succeed
 * @throws GrantRefused when the platform refuses
 */
export function createRenewGrant(deps: RenewGrantDeps): RenewGrant {
  return async (store, versionId, { waits }) => {
    const lease = await acquireRenewalLease(deps, store, versionId);
    if (lease !== undefined) {
      try {
        return await requestAndStoreGrant(deps, store, versionId);
      } finally {
        await releaseRenewalLease(deps, store, lease);
      }
    }
    for (let pollsMade = 0; waits && pollsMade < MAX_RENEWAL_POLLS; pollsMade++) {
      await deps.wait(RENEWAL_POLL_INTERVAL_MS);
      const currentStore = await deps.stores.find(store.shopId);
      const currentVersionId = currentStore?.platformVersionId;
      if (currentVersionId !== undefined && currentVersionId !== versionId)
        return readStoreToken(deps, store, currentVersionId);
      const refusal = currentStore && currentGrantRefusal(currentStore);
      if (refusal !== undefined && refusal.atMs !== store.grantRefusal?.atMs) throw new GrantRefused(refusal);
    }
    throw new ServiceError('PLATFORM_UNAVAILABLE', RENEWAL_UNFINISHED_OPTIONS);
  };
}

type RenewalLease = { readonly leaseId: string; readonly untilMs: number };

/** @returns undefined when another function has the lease, or the grant has changed */
async function acquireRenewalLease(
  { table, now, newId }: RenewGrantDeps,
  store: StoreRecord,
  versionId: string,
): Promise<RenewalLease | undefined> {
  const lease = { leaseId: newId(), untilMs: now() + RENEWAL_LEASE_MS };
  const { outcome } = await table.update({
    key: storedPartItemKey(store, 'grant'),
    update: 'SET grantLeaseUntilMs = :until, grantLeaseId = :leaseId',
    condition:
      'platformVersionId = :version AND (attribute_not_exists(grantLeaseUntilMs) OR grantLeaseUntilMs < :now)',
    writtenValues: { grantLeaseId: lease.leaseId },
    values: { ':until': lease.untilMs, ':leaseId': lease.leaseId, ':now': now(), ':version': versionId },
  });
  return outcome === 'done' ? lease : undefined;
}

/** Ends the lease early; if that fails, it expires. */
async function releaseRenewalLease(
  { table }: RenewGrantDeps,
  store: StoreRecord,
  { leaseId, untilMs }: RenewalLease,
): Promise<void> {
  const pendingRelease = table.update({
    key: storedPartItemKey(store, 'grant'),
    update: 'REMOVE grantLeaseUntilMs, grantLeaseId',
    // Compare the end of the lease, too, because containers of the previous version write no lease id.
    condition: 'grantLeaseId = :leaseId AND grantLeaseUntilMs = :until',
    values: { ':leaseId': leaseId, ':until': untilMs },
  });
  await pendingRelease.catch(() => undefined);
}

async function requestAndStoreGrant(
  deps: RenewGrantDeps,
  store: StoreRecord,
  versionId: string,
): Promise<StoreToken> {
  const { shopId, domain } = store;
  const grant = await readGrantVersion(deps, store, versionId);
  const requestedAtMs = deps.now();
  const { app, credential } = renewalCredentialOf(grant);
  const tokenResult = await requestAccessToken(deps, { domain, app, credential });
  if (tokenResult.kind === 'unanswered')
    throw new ServiceError('PLATFORM_UNAVAILABLE', RENEWAL_UNFINISHED_OPTIONS);
  if (tokenResult.kind === 'refused') {
    const hasGrantExpired = grant.expiresAt === undefined || requestedAtMs >= Date.parse(grant.expiresAt);
    // invalid_grant applies to exactly this refresh token. Other refusals have occurred in transient failures, so a
    // valid token remains in use.
    const isFinalRefusal = hasGrantExpired || tokenResult.reason === 'invalid_grant';
    return recordRenewalRefusal(deps, store, {
      versionId,
      reason: tokenResult.reason,
      atMs: requestedAtMs,
      isFinal: isFinalRefusal,
    });
  }
  const { nextGrant, lostScopes } = toNextGrant(grant, tokenResult.token, requestedAtMs);
  const changeResult = await updateStoredGrant(deps, {
    shopId,
    // A grant that was installed in the meantime takes precedence.
    change: (_before, currentStore) => (currentStore.platformVersionId === versionId ? nextGrant : undefined),
  });
  if (lostScopes.length > 0)
    deps.logger.error('grant.access_reduced', {
      ...{ shopId, lost: lostScopes, alarm: 'store-disconnected' },
    });
  return readStoreToken(deps, store, changeResult.platformVersionId ?? versionId);
}

function renewalCredentialOf(grant: PlatformGrant) {
  const { clientId = '', clientSecret = '', refreshToken = '' } = grant;
  const renewalKind = findGrantRenewalKind(grant);
  if (renewalKind === undefined)
    throw new ServiceError('STORE_DISCONNECTED', { internal: 'the grant cannot be renewed' });
  const presentedCredential: PresentedCredential =
    renewalKind === 'client_credentials'
      ? { grant_type: renewalKind }
      : { grant_type: renewalKind, refresh_token: refreshToken };
  return { app: { clientId, clientSecret }, credential: presentedCredential };
}

/**
 * Records and logs a refusal, so that a revoked grant is not retried forever; unless another grant is current by now.
 */
async function recordRenewalRefusal(
  deps: RenewGrantDeps,
  store: StoreRecord,
  refusal: GrantRefusal,
): Promise<StoreToken> {
  const { shopId } = store;
  const { reason, isFinal, versionId } = refusal;
  const pendingUpdate = deps.table.update({
    key: storedPartItemKey(store, 'grant'),
    update: 'SET grantRefusal = :refusal',
    condition: 'platformVersionId = :version',
    values: { ':refusal': refusal, ':version': versionId },
  });
  const recordingResult = await pendingUpdate.catch(() => undefined);
  const storeNow = recordingResult?.outcome === 'refused' ? await deps.stores.find(shopId) : undefined;
  const newerVersionId = storeNow?.platformVersionId;
  if (newerVersionId !== undefined && newerVersionId !== versionId)
    return readStoreToken(deps, store, newerVersionId);
  const message = isFinal ? 'grant.expired' : 'grant.renewal_refused';
  deps.logger.error(message, { shopId, reason, alarm: 'store-disconnected' });
  throw new GrantRefused(refusal);
}

async function readGrantVersion(
  deps: RenewGrantDeps,
  store: StoreRecord,
  versionId: string,
): Promise<PlatformGrant> {
  const name = storeSecretName(deps.secretsPrefix, store.shopId, 'platform');
  const grant = (await deps.secrets.read(name, versionId))?.json as PlatformGrant | undefined;
  if (grant === undefined) throw new ServiceError('PLATFORM_UNAVAILABLE', RENEWAL_UNFINISHED_OPTIONS);
  return grant;
}

async function readStoreToken(
  deps: RenewGrantDeps,
  store: StoreRecord,
  versionId: string,
): Promise<StoreToken> {
  const { accessToken } = await readGrantVersion(deps, store, versionId);
  return { accessToken, versionId };
}
