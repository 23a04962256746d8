/**
 * Remedies for a grant that is refused or lacks access: whole commands, for the form that the store's app has.
 * `store install` and the doctor tell them.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { isScope, type NeededAccess, neededAccess } from '../../platform/admin-api/needed-access.ts';
import { isGranted } from '../../platform/grants/granted-scopes.ts';
import type { Renewal } from '../../platform/grants/platform-grant.ts';
import type { Granted } from './closed-paths.ts';

/** The store that a grant is of. */
export type GrantedStore = {
  readonly domain: ShopDomain;
  /** How the grant is renewed; undefined: nothing renews it, or it could not be read. */
  readonly renewal: Renewal | undefined;
  /** False: what is required is missing before anything is installed. */
  readonly isInstalled: boolean;
};

/** A warning: what the platform does to a store that has removed the app. */
export const AFTER_REMOVAL =
  '48 hours after a removal the platform deletes the selling plans of the app and cancels its subscriptions.';

/**
 * The command that gives the store a new grant of the same form; `also`: optional scopes that a merchant is asked for.
 */
export function newGrantOf(
  { domain, renewal }: Pick<GrantedStore, 'domain' | 'renewal'>,
  also: readonly string[] = [],
): string {
  const asked = also.length > 0 ? ` --also ${also.join(',')}` : '';
  const how = renewal === 'client_credentials' ? '--client-credentials' : `--oauth${asked}`;
  return `store update ${domain} ${how} --credentials FILE with the app`;
}

/** The command that installs the store again, with a grant of the form that it had. */
export function installOf({ domain, renewal }: Pick<GrantedStore, 'domain' | 'renewal'>): string {
  const command = `store install ${domain} --credentials FILE`;
  if (renewal === undefined) return command;
  return `${command} ${renewal === 'client_credentials' ? '--client-credentials' : '--oauth'}`;
}

/** The way to give a store an access that it lacks; `granted` is what it has. */
export function accessRemedy(row: NeededAccess, store: GrantedStore, granted: Granted): string {
  const { handle, need, isByRequest } = row;
  const isFirst = !store.isInstalled && need === 'required';
  const asked = `Ask for ${handle} in the Dev Dashboard: the app → API access requests.`;
  if (!isScope(row))
    return `${asked} Once it is approved, ${isFirst ? 'repeat the install' : `run store check ${store.domain}`}.`;
  const release =
    `Add ${handle} to a version of the app and release it` +
    (store.renewal === 'client_credentials' ? ", and accept it in the store's admin if that asks." : '.');
  const next = isFirst ? 'repeat the install' : `run ${newGrantOf(store, optionalWith(row, granted))}`;
  return `${isByRequest ? `${asked} Once it is approved: ` : ''}${release} Then ${next}.`;
}

/** A new grant may do what it was asked for and no more: what the store has granted is asked for again. */
function optionalWith(row: NeededAccess, granted: Granted): string[] {
  const isWanted = ({ handle }: NeededAccess) =>
    handle === row.handle || (granted !== undefined && isGranted(granted, handle));
  return neededAccess
    .filter((each) => isScope(each) && each.need === 'optional' && isWanted(each))
    .map(({ handle }) => handle);
}
