/**
 * Tests new credentials of a store at the platform before they replace the present ones. Writes nothing; `updateStore`
 * and `installStore` do that.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { PlatformGrant } from '../../platform/grants/platform-grant.ts';
import type { SignInAddresses, StoreRecord } from '../../storage/stores.ts';
import {
  type CheckSignInClientDeps,
  checkSignInClient,
  isClientIdKnown,
  REQUIRED_CLIENT_ADVICE,
  type SignInStore,
  UNKNOWN_CLIENT_TEXT,
} from '../checks/check-sign-in.ts';
import type { StoreFinding } from '../checks/store-finding.ts';
import { type ReadShopDeps, readShopId } from './read-shop-facts.ts';

export type NewStoreCredentials = {
  readonly grant: PlatformGrant | undefined;
  /** The client id of the customers' sign-in. */
  readonly clientId: string | undefined;
};

/**
 * Checks the new credentials of an installed store.
 * @throws SHOP_NOT_INSTALLED when the store is not installed
 * @throws StoreChangeRefused when the platform refuses the token or does not respond, when the token belongs to another
 * store, or when the new client id does not work
 */
export async function checkNewCredentials(
  deps: ReadShopDeps & CheckSignInClientDeps,
  store: StoreRecord,
  { grant, clientId }: NewStoreCredentials,
): Promise<void> {
  const { domain, shopId, status } = store;
  if (status !== 'installed') throw new ServiceError('SHOP_NOT_INSTALLED');
  if (grant !== undefined) {
    const shopResult = await readShopId(deps, { domain, accessToken: grant.accessToken });
    if (shopResult !== shopId)
      throw new StoreChangeRefused(
        `This grant is of another shop (${shopResult}), not of ${domain} (${shopId}). Nothing was changed.`,
      );
  }
  await checkNewClient(deps, store, clientId);
}

/**
 * Checks a new client id. Does not check an unchanged one: a sign-in that already fails must not prevent a new grant.
 * @throws StoreChangeRefused when customers could not sign in with the new client id, or that could not be checked
 */
async function checkNewClient(
  deps: CheckSignInClientDeps,
  store: StoreRecord,
  clientId: string | undefined,
): Promise<void> {
  if (store.status !== 'installed' || clientId === undefined || clientId === store.clientId) return;
  const findings = await checkSignInClient(deps, { ...store, clientId });
  const failedFinding = findings.find(({ state }) => state !== 'ok');
  if (failedFinding !== undefined) throw toStoreChangeRefusal(failedFinding);
}

/**
 * The client id of an installation. `storeBefore` is the store before the installation, `clientId` the one in the
 * credentials.
 */
type InstallationClientId = {
  readonly store: Omit<SignInStore, 'clientId'>;
  readonly storeBefore: StoreRecord | undefined;
  readonly clientId: string | undefined;
};

/**
 * Checks the client id that the store will have, and returns the findings about problems.
 * @throws StoreChangeRefused when a new client id does not work. At the first installation, only when the platform does
 * not know the client id, because the callback URI may be registered later
 */
export async function checkInstallClient(
  deps: CheckSignInClientDeps,
  { store, storeBefore, clientId }: InstallationClientId,
): Promise<StoreFinding[]> {
  const currentClientId = installedClientId(storeBefore);
  const signInFindings = await checkSignInClient(deps, { ...store, clientId: clientId ?? currentClientId });
  const failedFindings = signInFindings.filter(({ state }) => state !== 'ok');
  if (clientId === undefined || clientId === currentClientId) return failedFindings;
  const isFirstInstall = storeBefore?.status !== 'installed';
  const refusedFinding = failedFindings.find(
    ({ name, state }) => !isFirstInstall || (state === 'missing' && name !== 'Redirect URI'),
  );
  if (refusedFinding !== undefined) throw toStoreChangeRefusal(refusedFinding);
  return failedFindings;
}

/** Returns the client id that the installation keeps when its credentials have none. */
export function installedClientId(storeBefore: StoreRecord | undefined): string | undefined {
  return storeBefore?.status === 'installed' ? storeBefore.clientId : undefined;
}

/**
 * Checks the client id before the merchant's consent is requested.
 * @throws StoreChangeRefused when the platform does not know it
 */
export async function rejectUnknownClient(
  deps: CheckSignInClientDeps,
  signIn: SignInAddresses,
  clientId: string,
): Promise<void> {
  const isKnown = await isClientIdKnown(deps, { signIn, clientId });
  if (isKnown === false)
    throw toStoreChangeRefusal({ name: 'Client id', state: 'missing', found: UNKNOWN_CLIENT_TEXT });
}

function toStoreChangeRefusal({ name, found, fix }: StoreFinding): StoreChangeRefused {
  const advice =
    found === UNKNOWN_CLIENT_TEXT
      ? `Give ${REQUIRED_CLIENT_ADVICE}, and repeat the command.`
      : (fix ?? 'Try again.');
  return new StoreChangeRefused(`${name}: ${found}. ${advice} Nothing was changed.`);
}
