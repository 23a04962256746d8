/**
 * Texts that explain how to fix a token that the platform refuses or that lacks access: complete commands, by how the
 * store's grant is renewed. The installation and `store check` show them.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { isScopeHandle, NEEDED_ACCESS, type NeededAccess } from '../../platform/admin-api/needed-access.ts';
import { isScopeGranted } from '../../platform/grants/granted-scopes.ts';
import type { GrantRenewalKind } from '../../platform/grants/platform-grant.ts';
import type { GrantedScopes } from './denied-fields.ts';

/** The properties of a store that the texts need. */
export type StoreToFix = {
  readonly domain: ShopDomain;
  /** How the grant is renewed. Undefined when it is not renewed, or could not be read. */
  readonly renewalKind: GrantRenewalKind | undefined;
  /** False during the installation, which fails without the required access. */
  readonly isInstalled: boolean;
};

/** A warning about what the platform does after a merchant has removed the app. */
export const REMOVED_APP_WARNING =
  '48 hours after a removal the platform deletes the selling plans of the app and cancels its subscriptions.';

/**
 * Returns the command that gets a new grant of the same kind. `optionalScopes` are requested from the merchant in
 * addition to the required ones.
 */
export function newGrantCommand(
  { domain, renewalKind }: Pick<StoreToFix, 'domain' | 'renewalKind'>,
  optionalScopes: readonly string[] = [],
): string {
  const optionalScopesOption = optionalScopes.length > 0 ? ` --also ${optionalScopes.join(',')}` : '';
  const grantOption =
    renewalKind === 'client_credentials' ? '--client-credentials' : `--oauth${optionalScopesOption}`;
  return `store update ${domain} ${grantOption} --credentials FILE with the app`;
}

/** Returns the command that installs the store again, with a grant of the same kind. */
export function installCommand({ domain, renewalKind }: Pick<StoreToFix, 'domain' | 'renewalKind'>): string {
  const installText = `store install ${domain} --credentials FILE`;
  if (renewalKind === undefined) return installText;
  return `${installText} ${renewalKind === 'client_credentials' ? '--client-credentials' : '--oauth'}`;
}

/** Returns the steps that give the store a missing access. */
export function missingAccessSteps(
  row: NeededAccess,
  store: StoreToFix,
  grantedScopes: GrantedScopes,
): string {
  const { handle, need, needsPlatformApproval: isByRequest } = row;
  const isNeededBeforeInstall = !store.isInstalled && need === 'required';
  const accessRequestText = `Ask for ${handle} in the Dev Dashboard: the app → API access requests.`;
  if (!isScopeHandle(row))
    return `${accessRequestText} Once it is approved, ${isNeededBeforeInstall ? 'repeat the install' : `run store check ${store.domain}`}.`;
  const releaseText =
    `Add ${handle} to a version of the app and release it` +
    (store.renewalKind === 'client_credentials' ? ", and accept it in the store's admin if that asks." : '.');
  const nextStepText = isNeededBeforeInstall
    ? 'repeat the install'
    : `run ${newGrantCommand(store, listOptionalScopesToRequest(row, grantedScopes))}`;
  return `${isByRequest ? `${accessRequestText} Once it is approved: ` : ''}${releaseText} Then ${nextStepText}.`;
}

/**
 * Returns the optional scopes to request: the missing one, and those that the store has, because a new grant has only
 * the scopes that are requested.
 */
function listOptionalScopesToRequest(row: NeededAccess, grantedScopes: GrantedScopes): string[] {
  const isToBeRequested = ({ handle }: NeededAccess) =>
    handle === row.handle || (grantedScopes !== undefined && isScopeGranted(grantedScopes, handle));
  return NEEDED_ACCESS.filter(
    (each) => isScopeHandle(each) && each.need === 'optional' && isToBeRequested(each),
  ).map(({ handle }) => handle);
}
