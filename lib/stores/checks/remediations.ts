/**
 * Fixes for a grant that is refused or has insufficient access: complete commands for the kind of the store's app.
 * `store install` and the store check show them.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { isScope, type NeededAccess, neededAccess } from '../../platform/admin-api/needed-access.ts';
import { isGranted } from '../../platform/grants/granted-scopes.ts';
import type { Renewal } from '../../platform/grants/platform-grant.ts';
import type { Granted } from './closed-paths.ts';

/** The store of a grant. */
export type GrantedStore = {
  readonly domain: ShopDomain;
  /** How the grant is renewed; undefined when it is not renewed, or could not be read. */
  readonly renewal: Renewal | undefined;
  /** False before the installation, which fails without required access. */
  readonly isInstalled: boolean;
};

/** A warning: the platform's actions after a store has removed the app. */
export const AFTER_REMOVAL =
  '48 hours after a removal the platform deletes the selling plans of the app and cancels its subscriptions.';

/**
 * Returns the command that gives the store a new grant of the same kind; `also`: optional scopes to request from the
 * merchant.
 */
export function newGrantOf(
  { domain, renewal }: Pick<GrantedStore, 'domain' | 'renewal'>,
  also: readonly string[] = [],
): string {
  const result = also.length > 0 ? ` --also ${also.join(',')}` : '';
  const how = renewal === 'client_credentials' ? '--client-credentials' : `--oauth${result}`;
  return `store update ${domain} ${how} --credentials FILE with the app`;
}

/** Returns the command that installs the store again, with a grant of the same kind. */
export function installOf({ domain, renewal }: Pick<GrantedStore, 'domain' | 'renewal'>): string {
  const command = `store install ${domain} --credentials FILE`;
  if (renewal === undefined) return command;
  return `${command} ${renewal === 'client_credentials' ? '--client-credentials' : '--oauth'}`;
}

/** Returns the steps that give a store a missing access; `granted`: its present access. */
export function accessRemediation(row: NeededAccess, store: GrantedStore, granted: Granted): string {
  const { handle, need, isByRequest } = row;
  const isFirst = !store.isInstalled && need === 'required';
  const result = `Ask for ${handle} in the Dev Dashboard: the app → API access requests.`;
  if (!isScope(row))
    return `${result} Once it is approved, ${isFirst ? 'repeat the install' : `run store check ${store.domain}`}.`;
  const release =
    `Add ${handle} to a version of the app and release it` +
    (store.renewal === 'client_credentials' ? ", and accept it in the store's admin if that asks." : '.');
  const next = isFirst ? 'repeat the install' : `run ${newGrantOf(store, optionalWith(row, granted))}`;
  return `${isByRequest ? `${result} Once it is approved: ` : ''}${release} Then ${next}.`;
}

/** A new grant has only the requested scopes, so the store's present ones are requested again. */
function optionalWith(row: NeededAccess, granted: Granted): string[] {
  const isRequired = ({ handle }: NeededAccess) =>
    handle === row.handle || (granted !== undefined && isGranted(granted, handle));
  return neededAccess
    .filter((each) => isScope(each) && each.need === 'optional' && isRequired(each))
    .map(({ handle }) => handle);
}
