/** Changes properties, grant or sign-in addresses of an installed store. Sessions and admin keys stay valid. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { WebSignIn } from '../../domain/sign-in/web-sign-in.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type ChangeGrantDeps, updateStoredGrant } from '../../platform/grants/change-grant.ts';
import type { PlatformGrant } from '../../platform/grants/platform-grant.ts';
import {
  readStoreRecord,
  type SendNowSetting,
  type SignInAddresses,
  type StoreRecord,
  storeItemKey,
} from '../../storage/stores.ts';
import { rejectUnrenewableGrant } from '../reject-unrenewable-grant.ts';

export type UpdateStoreDeps = ChangeGrantDeps;
export type UpdatableStoreProperties = {
  readonly displayName: string;
  readonly storefrontUrl: string;
  /** Null removes the page id. */
  readonly portalPageId: string | null;
  readonly clientId: string | null;
  /** `trustsSubject`, `upcomingDays` and `sendNow` are described at `StoreRecord`. */
  readonly trustsSubject: boolean;
  readonly upcomingDays: number;
  readonly sendNow: SendNowSetting;
};
type UpdateStoreRequest = {
  readonly shopId: ShopId;
  readonly properties: Partial<UpdatableStoreProperties>;
  readonly grant?: PlatformGrant | undefined;
  /** The sign-in addresses to pin (`after`). The update is refused unless `before` is still pinned. */
  readonly signIn?: { readonly before: SignInAddresses; readonly after: SignInAddresses } | undefined;
  /** The pages that sign customers in. The update is refused unless it has the next revision. */
  readonly webSignIn?: WebSignIn | undefined;
};

/**
 * Updates the store and returns it.
 * @throws SHOP_NOT_INSTALLED when the store is not installed
 * @throws StoreChangeRefused when there is nothing to change, the grant expires and cannot be renewed, or a concurrent
 * change was first
 */
export async function updateStore(deps: UpdateStoreDeps, request: UpdateStoreRequest): Promise<StoreRecord> {
  const { shopId, grant, signIn, webSignIn } = request;
  if (grant !== undefined) rejectUnrenewableGrant(grant);
  await readInstalledStore(deps, shopId);
  const changedEntries = Object.entries({ ...request.properties, signIn: signIn?.after, webSignIn }).filter(
    ([, value]) => value !== undefined,
  );
  if (changedEntries.length === 0 && grant === undefined)
    throw new StoreChangeRefused('There is nothing to change: see store update --help.', 'INPUT');
  if (grant !== undefined) {
    await updateStoredGrant(deps, { shopId, change: () => grant });
  }
  if (changedEntries.length === 0) return readInstalledStore(deps, shopId);
  const pinnedAddressEntries = Object.entries(signIn?.before ?? {});
  const writeResult = await deps.table.update({
    key: storeItemKey(shopId),
    // Remove the operator's confirmation of unexpected addresses, because it applied to the previous ones.
    update: `SET ${changedEntries.map(([name]) => `#${name} = :${name}`).join(', ')}${signIn ? ' REMOVE trustsSubject' : ''}`,
    condition: [
      '#status = :installed',
      ...pinnedAddressEntries.map(([name]) => `#signIn.${name} = :before_${name}`),
      ...(webSignIn ? [webSignInRevisionCondition(webSignIn)] : []),
    ].join(' AND '),
    names: {
      '#status': 'status',
      ...Object.fromEntries(changedEntries.map(([name]) => [`#${name}`, name])),
    },
    values: {
      ':installed': 'installed',
      ...Object.fromEntries(changedEntries.map(([name, value]) => [`:${name}`, value])),
      ...Object.fromEntries(pinnedAddressEntries.map(([name, address]) => [`:before_${name}`, address])),
      ...(webSignIn && webSignIn.revision > 1 && { ':revision': webSignIn.revision - 1 }),
    },
  });
  const store = await readInstalledStore(deps, shopId);
  if (writeResult.outcome === 'done') return store;
  throw new StoreChangeRefused('Somebody else is changing this store. Look at it again, then repeat this.');
}

/** The condition that the setting has the revision before this one; the first one needs a store without the setting. */
function webSignInRevisionCondition({ revision }: WebSignIn): string {
  return revision > 1 ? '#webSignIn.revision = :revision' : 'attribute_not_exists(#webSignIn)';
}

async function readInstalledStore({ table }: UpdateStoreDeps, shopId: ShopId): Promise<StoreRecord> {
  const store = await readStoreRecord(table, shopId);
  if (store?.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}
