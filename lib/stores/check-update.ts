/**
 * New credentials of an installed store are tried at the platform before they replace what works. It writes nothing:
 * `updateStore` and `installStore` do, afterwards.
 */
import { ServiceError } from '../errors/service-error.ts';
import type { StoreRecord } from '../storage/stores.ts';
import { type AskShopDeps, askShopId } from './ask-shop.ts';
import type { PlatformGrant } from './change-grant.ts';
import { type CheckClientDeps, checkClient } from './check-sign-in.ts';
import { StoreChangeRefused } from './store-change-refused.ts';

export type NewCredentials = {
  readonly grant: PlatformGrant | undefined;
  /** Of the customers' sign-in. */
  readonly clientId: string | undefined;
};

/**
 * SHOP_NOT_INSTALLED; StoreChangeRefused if the platform refuses the grant, takes it for another shop or does not
 * answer, and as `checkNewClient`.
 */
export async function checkUpdate(
  deps: AskShopDeps & CheckClientDeps,
  store: StoreRecord,
  { grant, clientId }: NewCredentials,
): Promise<void> {
  const { domain, shopId, status } = store;
  if (status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  if (grant !== undefined) {
    const found = await askShopId(deps, { domain, accessToken: grant.accessToken });
    if (found !== shopId)
      throw new StoreChangeRefused(
        `This grant is of another shop (${found}), not of ${domain} (${shopId}). Nothing was changed.`,
      );
  }
  await checkNewClient(deps, store, clientId);
}

/**
 * StoreChangeRefused if customers of an installed store could not sign in with the new client id, or nobody can tell.
 * The one that the store has is not asked about: a sign-in that is down must not keep a new grant away.
 */
export async function checkNewClient(
  deps: CheckClientDeps,
  store: StoreRecord,
  clientId: string | undefined,
): Promise<void> {
  if (store.status !== 'installed' || clientId === undefined || clientId === store.clientId) return;
  const findings = await checkClient(deps, { ...store, clientId });
  const bad = findings.find(({ state }) => state !== 'ok');
  if (bad !== undefined)
    throw new StoreChangeRefused(
      `${bad.name}: ${bad.found}. ${bad.mend ?? 'Try again.'} Nothing was changed.`,
    );
}
