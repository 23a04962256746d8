/**
 * Changes the grant that the platform gave for a store. The time to renew it is noted as a due item of the scheduled
 * work. The item is a reminder: without it the next request renews the grant.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { createDueItems } from '../../storage/due-items.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import {
  changeVersionedSecret,
  type SecretChange,
  type VersionedSecretDeps,
} from '../../storage/versioned-secret.ts';
import { type PlatformGrant, renewalTimeOf } from './platform-grant.ts';

export type ChangeGrantDeps = VersionedSecretDeps & { readonly now: () => number };

type GrantChange = Omit<SecretChange<PlatformGrant>, 'secret'>;

/** The change is made as `changeVersionedSecret` makes it; returns the store as it then is. */
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
  if (changed !== undefined) await scheduleRenewal(deps, shopId, renewalTimeOf(changed));
  return store;
}

async function scheduleRenewal(deps: ChangeGrantDeps, shopId: ShopId, dueAtMs: number): Promise<void> {
  if (!Number.isFinite(dueAtMs)) return;
  const item = { kind: 'grant-renewal', shopId, dueAtMs, name: 'platform', payload: {} } as const;
  await createDueItems(deps)
    .put(item)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
}
