/**
 * Changes the grant that the platform gave for a store. One that ends is renewed before anybody needs it: the time for
 * that is noted as a due item of the scheduled work. It is a reminder: without it the next request renews the grant.
 */
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createDueItems } from '../storage/due-items.ts';
import type { StoreRecord } from '../storage/stores.ts';
import {
  changeVersionedSecret,
  type SecretChange,
  type VersionedSecretDeps,
} from '../storage/versioned-secret.ts';

/** The platform's grant, as it stands in `{prefix}/stores/{shopId}/platform`. A secret. */
export type PlatformGrant = {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** ISO 8601. Only expiring grants have these. */
  readonly expiresAt?: string;
  readonly refreshToken?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
};

export type ChangeGrantDeps = VersionedSecretDeps & { readonly now: () => number };

type GrantChange = Omit<SecretChange<PlatformGrant>, 'secret'>;

/** The scheduled work comes every 15 minutes: one try, or two, before a request has to. */
const RENEW_AHEAD_MS = 20 * 60_000;

/** When a grant is renewed ahead of need, epoch milliseconds. Infinity: it does not end, or cannot be renewed. */
export function renewalTimeOf({ expiresAt, refreshToken }: PlatformGrant): number {
  if (expiresAt === undefined || refreshToken === undefined) return Infinity;
  return Date.parse(expiresAt) - RENEW_AHEAD_MS;
}

/** As `changeVersionedSecret`; the store as it then is. */
export async function changeGrant(
  deps: ChangeGrantDeps,
  { shopId, change }: GrantChange,
): Promise<StoreRecord> {
  let changed: PlatformGrant | undefined;
  const store = await changeVersionedSecret<PlatformGrant>(deps, {
    shopId,
    secret: 'platform',
    change: (current, at) => {
      changed = change(current, at);
      return changed;
    },
  });
  if (changed !== undefined) await noteRenewal(deps, shopId, renewalTimeOf(changed));
  return store;
}

async function noteRenewal(deps: ChangeGrantDeps, shopId: ShopId, dueAtMs: number): Promise<void> {
  if (!Number.isFinite(dueAtMs)) return;
  const item = { kind: 'grant-renewal', shopId, dueAtMs, name: 'platform', payload: {} } as const;
  await createDueItems(deps)
    .put(item)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
}
