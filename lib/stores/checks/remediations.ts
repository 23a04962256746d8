/**
 * Texts that explain how to fix a token that the platform refuses or that lacks access: complete commands, by how the
 * store's grant is renewed. The installation and `store check` show them.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { isScopeHandle, NEEDED_ACCESS, type NeededAccess } from '../../platform/admin-api/needed-access.ts';
import { isScopeGranted } from '../../platform/grants/granted-scopes.ts';
import type { GrantRenewalKind } from '../../platform/grants/platform-grant.ts';
import type { GrantedScopes } from './denied-fields.ts';

/** The facts of a store that the fixes need. */
export type StoreToFix = {
  readonly domain: ShopDomain;
  /** How the grant is renewed. Undefined when it is not renewed, or could not be read. */
  readonly renewal: GrantRenewalKind | undefined;
  /** False during the installation, which fails without the required access. */
  readonly isInstalled: boolean;
};

/** A warning about what the platform does after a merchant has removed the app. */
export const REMOVED_APP_WARNING =
  '48 hours after a removal the platform deletes the selling plans of the app and cancels its subscriptions.';

/**
 * Returns the command that gets a new grant of the same kind. `also`: optional scopes to request from the
 * merchant as well.
 */
export function newGrantCommand(
  { domain, renewal }: Pick<StoreToFix, 'domain' | 'renewal'>,
  also: readonly string[] = [],
): string {
  const alsoOption = also.length > 0 ? ` --also ${also.join(',')}` : '';
  const how = renewal === 'client_credentials' ? '--client-credentials' : `--oauth${alsoOption}`;
  return `store update ${domain} ${how} --credentials FILE with the app`;
}

/** Returns the command that installs the store again, with a grant of the same kind. */
export function installCommand({ domain, renewal }: Pick<StoreToFix, 'domain' | 'renewal'>): string {
  const installText = `store install ${domain} --credentials FILE`;
  if (renewal === undefined) return installText;
  return `${installText} ${renewal === 'client_credentials' ? '--client-credentials' : '--oauth'}`;
}

/** Returns the steps that give the store a missing access. `granted` lists its present scopes. */
export function missingAccessSteps(row: NeededAccess, store: StoreToFix, granted: GrantedScopes): string {
  const { handle, need, isByRequest } = row;
  const isNeededBeforeInstall = !store.isInstalled && need === 'required';
  const accessRequestText = `Ask for ${handle} in the Dev Dashboard: the app → API access requests.`;
  if (!isScopeHandle(row))
    return `${accessRequestText} Once it is approved, ${isNeededBeforeInstall ? 'repeat the install' : `run store check ${store.domain}`}.`;
  const releaseText =
    `Add ${handle} to a version of the app and release it` +
    (store.renewal === 'client_credentials' ? ", and accept it in the store's admin if that asks." : '.');
  const next = isNeededBeforeInstall
    ? 'repeat the install'
    : `run ${newGrantCommand(store, listOptionalScopesToRequest(row, granted))}`;
  return `${isByRequest ? `${accessRequestText} Once it is approved: ` : ''}${releaseText} Then ${next}.`;
}

/**
 * Returns the optional scopes to request: the missing one, and those that the store has, because a new grant has only
 * the scopes that are requested.
 */
function listOptionalScopesToRequest(row: NeededAccess, granted: GrantedScopes): string[] {
  const isRequired = ({ handle }: NeededAccess) =>
    handle === row.handle || (granted !== undefined && isScopeGranted(granted, handle));
  return NEEDED_ACCESS.filter(
    (each) => isScopeHandle(each) && each.need === 'optional' && isRequired(each),
  ).map(({ handle }) => handle);
}
