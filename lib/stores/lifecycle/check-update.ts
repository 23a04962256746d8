/**
 * Tests new credentials of an installed store at the platform before they replace the present ones. Writes nothing:
 * `updateStore` and `installStore` do that afterwards.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { PlatformGrant } from '../../platform/grants/platform-grant.ts';
import type { SignInAddresses, StoreRecord } from '../../storage/stores.ts';
import {
  type CheckClientDeps,
  checkClient,
  isClientKnown,
  RIGHT_CLIENT,
  type SignInStore,
  UNKNOWN_CLIENT,
} from '../checks/check-sign-in.ts';
import type { StoreFinding } from '../checks/store-finding.ts';
import { type AskShopDeps, askShopId } from './ask-shop.ts';

export type NewCredentials = {
  readonly grant: PlatformGrant | undefined;
  /** The client id of the customers' sign-in. */
  readonly clientId: string | undefined;
};

/**
 * @throws SHOP_NOT_INSTALLED
 * @throws StoreChangeRefused when the platform refuses the grant, the grant belongs to another shop, or the platform
 * does not respond; and as `checkNewClient`
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
 * Checks the new client id, but not the store's present one: a failing sign-in must not prevent a new grant.
 * @throws StoreChangeRefused when customers of an installed store could not sign in with it, or that is unknown
 */
async function checkNewClient(
  deps: CheckClientDeps,
  store: StoreRecord,
  clientId: string | undefined,
): Promise<void> {
  if (store.status !== 'installed' || clientId === undefined || clientId === store.clientId) return;
  const findings = await checkClient(deps, { ...store, clientId });
  const bad = findings.find(({ state }) => state !== 'ok');
  if (bad !== undefined) throw refusedFor(bad);
}

/** The client id of an install: `before` is the store before it, `clientId` the one in the credentials. */
type InstallClient = {
  readonly store: Omit<SignInStore, 'clientId'>;
  readonly before: StoreRecord | undefined;
  readonly clientId: string | undefined;
};

/**
 * Returns the findings on problems of the store's future client id.
 * @throws StoreChangeRefused as `checkNewClient`; for a store that is not installed yet only when the platform does
 * not know the client id, because the callback may be registered later
 */
export async function checkInstallClient(
  deps: CheckClientDeps,
  { store, before, clientId }: InstallClient,
): Promise<StoreFinding[]> {
  const currentClientId = currentClientIdOf(before);
  const findings = await checkClient(deps, { ...store, clientId: clientId ?? currentClientId });
  const bad = findings.filter(({ state }) => state !== 'ok');
  if (clientId === undefined || clientId === currentClientId) return bad;
  const isFirst = before?.status !== 'installed';
  const refused = bad.find(({ name, state }) => !isFirst || (state === 'missing' && name !== 'Redirect URI'));
  if (refused !== undefined) throw refusedFor(refused);
  return bad;
}

/** Returns the client id that an install retains if its credentials have none. */
export function currentClientIdOf(before: StoreRecord | undefined): string | undefined {
  return before?.status === 'installed' ? before.clientId : undefined;
}

/**
 * Checks the client id before the merchant's consent is requested.
 * @throws StoreChangeRefused when the platform does not know it
 */
export async function refuseUnknownClient(
  deps: CheckClientDeps,
  signIn: SignInAddresses,
  clientId: string,
): Promise<void> {
  const isKnown = await isClientKnown(deps, { signIn, clientId });
  if (isKnown === false) throw refusedFor({ name: 'Client id', state: 'missing', found: UNKNOWN_CLIENT });
}

function refusedFor({ name, found, fix }: StoreFinding): StoreChangeRefused {
  const advice =
    found === UNKNOWN_CLIENT ? `Give ${RIGHT_CLIENT}, and repeat the command.` : (fix ?? 'Try again.');
  return new StoreChangeRefused(`${name}: ${found}. ${advice} Nothing was changed.`);
}
