/**
 * Renews an expiring grant of a store: one function at a time, under a lease on the store item, and the new
 * pair is stored before any part of it is used. A lost answer leaves the stored refresh token to be tried again.
 */
import { ServiceError } from '../errors/service-error.ts';
import { type StoreRecord, type Stores, storeKey } from '../storage/stores.ts';
import { type ChangeGrantDeps, changeGrant, type PlatformGrant } from '../stores/change-grant.ts';
import type { StoreToken } from './store-grant.ts';

/** Makes the token after `versionId`, or returns the one that another function has made of it meanwhile. */
export type RefreshGrant = (store: StoreRecord, versionId: string) => Promise<StoreToken>;

/** Posts a form; undefined: no whole answer. */
export type PostForm = (
  url: string,
  fields: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: string } | undefined>;

export type RefreshGrantDeps = ChangeGrantDeps & {
  readonly stores: Stores;
  readonly postForm: PostForm;
  readonly platformOrigin: string;
  readonly wait: (ms: number) => Promise<void>;
};

const LEASE_MS = 10_000;
const POLL_MS = 250;
const MAX_POLLS = 12;
const UNFINISHED = { retryAfterSeconds: 2, internal: 'the grant could not be renewed now' };

/** The renewal of a container. PLATFORM_UNAVAILABLE: try later. STORE_DISCONNECTED: `invalid_grant`. */
export function createRefreshGrant(deps: RefreshGrantDeps): RefreshGrant {
  return async (store, versionId) => {
    const lease = await takeLease(deps, store, versionId);
    if (lease !== undefined) {
      try {
        return await refresh(deps, store, versionId);
      } finally {
        await releaseLease(deps, store, lease);
      }
    }
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      await deps.wait(POLL_MS);
      const current = await deps.stores.find(store.shopId);
      const renewed = current?.platformVersionId;
      if (renewed !== undefined && renewed !== versionId) return readToken(deps, store, renewed);
    }
    throw new ServiceError('PLATFORM_UNAVAILABLE', UNFINISHED);
  };
}

/** The end of the lease, which names it; undefined: somebody else has it, or the grant has changed. */
async function takeLease(
  { table, now }: RefreshGrantDeps,
  store: StoreRecord,
  versionId: string,
): Promise<number | undefined> {
  const until = now() + LEASE_MS;
  const { outcome } = await table.update({
    key: storeKey(store.shopId),
    update: 'SET grantLeaseUntilMs = :until',
    condition:
      'platformVersionId = :version AND (attribute_not_exists(grantLeaseUntilMs) OR grantLeaseUntilMs < :now)',
    values: { ':until': until, ':now': now(), ':version': versionId },
  });
  return outcome === 'done' ? until : undefined;
}

/** At the latest it ends by itself. */
async function releaseLease({ table }: RefreshGrantDeps, store: StoreRecord, until: number): Promise<void> {
  const released = table.update({
    key: storeKey(store.shopId),
    update: 'REMOVE grantLeaseUntilMs',
    condition: 'grantLeaseUntilMs = :until',
    values: { ':until': until },
  });
  await released.catch(() => undefined);
}

async function refresh(deps: RefreshGrantDeps, store: StoreRecord, versionId: string): Promise<StoreToken> {
  const { shopId } = store;
  const current = (await deps.secrets.read(secretName(deps, store), versionId))?.json as PlatformGrant;
  const renewed = await askPlatform(deps, store, current);
  const changed = await changeGrant(deps, {
    shopId,
    // A grant that was installed anew meanwhile wins.
    change: (before, at) => (at.platformVersionId === versionId ? { ...before, ...renewed } : undefined),
  });
  return readToken(deps, store, changed.platformVersionId ?? versionId);
}

async function askPlatform(deps: RefreshGrantDeps, store: StoreRecord, grant: PlatformGrant | undefined) {
  if (!grant?.refreshToken || !grant.clientId || !grant.clientSecret) {
    throw new ServiceError('STORE_DISCONNECTED', { internal: 'the grant cannot be renewed: no client' });
  }
  const url = `${deps.platformOrigin.replaceAll('{shop}', store.domain)}/admin/oauth/access_token`;
  const answer = await deps.postForm(url, {
    client_id: grant.clientId,
    client_secret: grant.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: grant.refreshToken,
  });
  const body = parse(answer?.body);
  if (answer?.status === 400 && body.error === 'invalid_grant') {
    throw new ServiceError('STORE_DISCONNECTED', { internal: 'invalid_grant' });
  }
  if (answer?.status !== 200 || typeof body.access_token !== 'string') {
    throw new ServiceError('PLATFORM_UNAVAILABLE', UNFINISHED);
  }
  return toGrant(body, deps.now());
}

function toGrant(body: Readonly<Record<string, unknown>>, nowMs: number): PlatformGrant {
  const seconds = Number(body.expires_in);
  const isExpiring = Number.isFinite(seconds) && seconds > 0;
  return {
    accessToken: String(body.access_token),
    ...(typeof body.refresh_token === 'string' && { refreshToken: body.refresh_token }),
    ...(isExpiring && { expiresAt: new Date(nowMs + seconds * 1000).toISOString() }),
    ...(typeof body.scope === 'string' && { scopes: body.scope.split(/[\s,]+/).filter(Boolean) }),
  } as PlatformGrant;
}

async function readToken(deps: RefreshGrantDeps, store: StoreRecord, versionId: string): Promise<StoreToken> {
  const secret = await deps.secrets.read(secretName(deps, store), versionId);
  const grant = secret?.json as PlatformGrant | undefined;
  if (grant === undefined) throw new ServiceError('PLATFORM_UNAVAILABLE', UNFINISHED);
  return { accessToken: grant.accessToken, versionId };
}

function secretName({ secretsPrefix }: RefreshGrantDeps, store: StoreRecord): string {
  return `${secretsPrefix}/stores/${store.shopId}/platform`;
}

function parse(body: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
