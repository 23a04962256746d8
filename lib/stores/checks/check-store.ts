/**
 * Checks everything that a store's customers and servers need, in the order in which a store is set up. Changes
 * nothing.
 */
import type { StoreRecord } from '../../storage/stores.ts';
import { checkAdminApi } from './check-admin-api.ts';
import { checkGrant, readGrantRenewalKind } from './check-grant.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSignIn } from './check-sign-in.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { checkStorefrontToken } from './check-storefront-token.ts';
import { checkTokenRequestWithoutOrigin } from './check-token-request-without-origin.ts';
import { checkUninstalledStore } from './check-uninstalled-store.ts';
import { checkWebSignIn } from './check-web-sign-in.ts';
import { checkWebhooks } from './check-webhooks.ts';
import type { StoreFinding } from './store-finding.ts';

/** Returns all findings. A check is `unknown` when what it depends on failed. */
export async function checkStore(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  if (store.status !== 'installed') return checkUninstalledStore(deps, store);
  const secretFindings = await checkSecrets(deps, store);
  const adminApiFindings = await checkAdminApi(deps, store, await readGrantRenewalKind(deps, store));
  const signInFindings = await checkSignIn(deps, store);
  // If the sign-in does not work for another reason, the check of the Origin header has no meaning.
  const originFindings = signInFindings.every(({ state }) => state === 'ok')
    ? [await checkTokenRequestWithoutOrigin(deps, store)]
    : [];
  const webSignInFindings = await checkWebSignIn(deps, store);
  const webhookFindings = await checkWebhooks(deps, store);
  // Read the store again: the requests above may have renewed the grant, or recorded that the platform refuses it.
  const grantFindings = await checkGrant(deps, (await deps.stores.find(store.shopId)) ?? store);
  const otherFindings = [await checkStorefrontToken(deps, store), findingAboutPortalPage(store)];
  return [
    { name: 'Installed', state: 'ok', found: store.domain },
    ...withoutRepeatedFix(adminApiFindings, grantFindings),
    ...grantFindings,
    ...signInFindings,
    ...originFindings,
    ...webSignInFindings,
    ...otherFindings,
    ...webhookFindings,
    ...secretFindings,
  ];
}

/**
 * Removes the fix from the finding about the token when the finding about its renewal has one: two fixes would confuse.
 */
function withoutRepeatedFix(
  adminApiFindings: readonly StoreFinding[],
  grantFindings: readonly StoreFinding[],
): StoreFinding[] {
  const isCauseReported = grantFindings.some(({ state }) => state === 'missing');
  return adminApiFindings.map((finding) => {
    const { name, state, found } = finding;
    const isTokenRefused = name === 'Grant' && state === 'missing';
    return isTokenRefused && isCauseReported
      ? { name, state, found: `${found}: see Grant renewal` }
      : finding;
  });
}

function findingAboutPortalPage({ portalPageId }: StoreRecord): StoreFinding {
  const name = 'Portal page';
  const fix = "Run store update --portal-page-id with the id of the page in the store's customer accounts.";
  if (portalPageId && !/^[\w-]+$/.test(portalPageId))
    return { name, state: 'missing', found: 'the id cannot be part of an address', fix };
  if (portalPageId) return { name, state: 'ok', found: portalPageId };
  return { name, state: 'optional', found: 'none: portalUrl is null', fix };
}
