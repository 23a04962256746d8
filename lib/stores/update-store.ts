/** Changes what is known of an installed store; sessions and keys stay as they are. */
import type { ShopDomain } from '../domain/shop-domain.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type SignInAddresses, type StoreRecord, storeKey, toStoreRecord } from '../storage/stores.ts';
import { type ChangeGrantDeps, changeGrant, type PlatformGrant } from './change-grant.ts';
import { StoreChangeRefused } from './store-change-refused.ts';

export type UpdateStoreDeps = ChangeGrantDeps & {
  readonly discoverSignIn: (domain: ShopDomain) => Promise<SignInAddresses>;
};
export type StoreFacts = {
  readonly displayName: string;
  readonly storefrontUrl: string;
  /** null: none. */
  readonly portalPageId: string | null;
  readonly clientId: string | null;
};
export type UpdateStoreRequest = {
  readonly shopId: ShopId;
  readonly facts: Partial<StoreFacts>;
  readonly grant?: PlatformGrant | undefined;
  /** Pin the platform's sign-in addresses as they are now. */
  readonly acceptSignInAddresses?: boolean;
};

/** The store after the update. SHOP_NOT_INSTALLED; StoreChangeRefused if there is nothing to change. */
export async function updateStore(deps: UpdateStoreDeps, request: UpdateStoreRequest): Promise<StoreRecord> {
  const { shopId, grant, acceptSignInAddresses = false } = request;
  const store = await readInstalled(deps, shopId);
  const signIn = acceptSignInAddresses ? await deps.discoverSignIn(store.domain) : undefined;
  const facts = Object.entries({ ...request.facts, signIn }).filter(([, value]) => value !== undefined);
  if (facts.length === 0 && grant === undefined) throw new StoreChangeRefused('Say what to change.');
  if (grant !== undefined) {
    await changeGrant(deps, { shopId, change: () => grant });
  }
  if (facts.length === 0) return readInstalled(deps, shopId);
  const written = await deps.table.update({
    key: storeKey(shopId),
    update: `SET ${facts.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    condition: '#status = :installed',
    names: { '#status': 'status', ...Object.fromEntries(facts.map(([name]) => [`#${name}`, name])) },
    values: {
      ':installed': 'installed',
      ...Object.fromEntries(facts.map(([name, value]) => [`:${name}`, value])),
    },
  });
  if (written.outcome === 'refused') throw new ServiceError('SHOP_NOT_INSTALLED');
  return toStoreRecord(written.item);
}

async function readInstalled({ table }: UpdateStoreDeps, shopId: ShopId): Promise<StoreRecord> {
  const item = await table.get(storeKey(shopId));
  const store = item && toStoreRecord(item);
  if (store?.status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  return store;
}
