/**
 * Tries new credentials of an installed store at the platform before they replace what works. Nothing is written here:
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

/** The client id of an install: `before` is the store as it was, `clientId` what the credentials name. */
type InstallClient = {
  readonly store: Omit<SignInStore, 'clientId'>;
  readonly before: StoreRecord | undefined;
  readonly clientId: string | undefined;
};

/**
 * The findings on what is wrong with the client id that an installed store will have. StoreChangeRefused as
 * `checkNewClient`; where nobody can sign in yet, only for a client id that the platform does not know: the callback may
 * be registered afterwards.
 */
export async function checkInstallClient(
  deps: CheckClientDeps,
  { store, before, clientId }: InstallClient,
): Promise<StoreFinding[]> {
  const kept = keptClient(before);
  const findings = await checkClient(deps, { ...store, clientId: clientId ?? kept });
  const bad = findings.filter(({ state }) => state !== 'ok');
  if (clientId === undefined || clientId === kept) return bad;
  const isFirst = before?.status !== 'installed';
  const refused = bad.find(({ name, state }) => !isFirst || (state === 'missing' && name !== 'Redirect URI'));
  if (refused !== undefined) throw refusedFor(refused);
  return bad;
}

/** The client id that an install keeps if its credentials name none. */
export function keptClient(before: StoreRecord | undefined): string | undefined {
  return before?.status === 'installed' ? before.clientId : undefined;
}

/** Before a merchant is asked: StoreChangeRefused for a client id that the platform says it does not know. */
export async function refuseUnknownClient(
  deps: CheckClientDeps,
  signIn: SignInAddresses,
  clientId: string,
): Promise<void> {
  const isKnown = await isClientKnown(deps, { signIn, clientId });
  if (isKnown === false) throw refusedFor({ name: 'Client id', state: 'missing', found: UNKNOWN_CLIENT });
}

function refusedFor({ name, found, mend }: StoreFinding): StoreChangeRefused {
  const remedy =
    found === UNKNOWN_CLIENT ? `Give ${RIGHT_CLIENT}, and repeat the command.` : (mend ?? 'Try again.');
  return new StoreChangeRefused(`${name}: ${found}. ${remedy} Nothing was changed.`);
}
