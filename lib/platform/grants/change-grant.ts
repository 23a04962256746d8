/**
 * Changes the platform's grant of a store, and adds a scheduled task for its renewal. When the scheduled task is missing, the
 * next request renews the grant.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { createScheduledTaskRepository } from '../../storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import {
  changeVersionedSecret,
  type SecretChange,
  type VersionedSecretDeps,
} from '../../storage/versioned-secret.ts';
import { grantRenewalDueAtMs, type PlatformGrant } from './platform-grant.ts';

export type ChangeGrantDeps = VersionedSecretDeps & { readonly now: () => number };

type GrantChange = Omit<SecretChange<PlatformGrant>, 'secret'>;

/**
 * Changes the stored grant as `changeVersionedSecret` does, schedules its next renewal, and returns the changed store.
 * Sends nothing to the platform.
 */
export async function updateStoredGrant(
  deps: ChangeGrantDeps,
  { shopId, change }: GrantChange,
): Promise<StoreRecord> {
  let changedGrant: PlatformGrant | undefined;
  const store = await changeVersionedSecret<PlatformGrant>(deps, {
    shopId,
    secret: 'platform',
    change: (currentGrant, currentStore) => {
      changedGrant = change(currentGrant, currentStore);
      return changedGrant;
    },
  });
  if (changedGrant !== undefined) await scheduleGrantRenewal(deps, shopId, grantRenewalDueAtMs(changedGrant));
  return store;
}

async function scheduleGrantRenewal(deps: ChangeGrantDeps, shopId: ShopId, dueAtMs: number): Promise<void> {
  if (!Number.isFinite(dueAtMs)) return;
  const item = { kind: 'grant-renewal', shopId, dueAtMs, name: 'platform', payload: {} } as const;
  await createScheduledTaskRepository(deps)
    .put(item)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
}
