/**
 * Changes the grant that the platform gave for a store. One that ends is renewed before anybody needs it: the time for
 * that is noted as a due item of the scheduled work. It is a reminder: without it the next request renews the grant.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { createDueItems } from '../../storage/due-items.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import {
  changeVersionedSecret,
  type SecretChange,
  type VersionedSecretDeps,
} from '../../storage/versioned-secret.ts';

/** The platform's grant, as it stands in `{prefix}/stores/{shopId}/platform`. A secret. */
export type PlatformGrant = {
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** ISO 8601. Only grants that end have these. */
  readonly expiresAt?: string;
  readonly refreshToken?: string;
  /** The app is given another token for showing that it is the app, as often as it asks. */
  readonly renewedBy?: 'client_credentials';
  /** The app's own client, not that of the customers' sign-in. */
  readonly clientId?: string;
  readonly clientSecret?: string;
};

/** How a grant that ends is followed by the next. */
export type Renewal = 'refresh_token' | 'client_credentials';

export type ChangeGrantDeps = VersionedSecretDeps & { readonly now: () => number };

type GrantChange = Omit<SecretChange<PlatformGrant>, 'secret'>;

/**
 * The scheduled work comes every 15 minutes: of a token of an hour one try, or two, before a request has to; of a token
 * of a day as many as an operator needs to hear that it is refused, and to mend it.
 */
const RENEW_AHEAD_MS: Readonly<Record<Renewal, number>> = {
  refresh_token: 20 * 60_000,
  client_credentials: 4 * 3_600_000,
};

/** Undefined: it cannot be renewed. */
export function renewalOf({
  renewedBy,
  refreshToken,
  clientId,
  clientSecret,
}: PlatformGrant): Renewal | undefined {
  if (!clientId || !clientSecret) return undefined;
  return renewedBy ?? (refreshToken ? 'refresh_token' : undefined);
}

/** When a grant is renewed ahead of need, epoch milliseconds. Infinity: it does not end, or cannot be renewed. */
export function renewalTimeOf(grant: PlatformGrant): number {
  const renewal = renewalOf(grant);
  if (grant.expiresAt === undefined || renewal === undefined) return Infinity;
  return Date.parse(grant.expiresAt) - RENEW_AHEAD_MS[renewal];
}

/** The grant itself. StoreChangeRefused if it ends and nothing renews it: the store would be cut off at that time. */
export function refuseEndingGrant(grant: PlatformGrant): PlatformGrant {
  if (grant.expiresAt === undefined || renewalOf(grant) !== undefined) return grant;
  throw new StoreChangeRefused(
    `This access token ends at ${grant.expiresAt}, and there is nothing to renew it with: neither refresh token nor ` +
      'client credentials, each with client id and client secret of the app. Nothing was changed.',
  );
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
