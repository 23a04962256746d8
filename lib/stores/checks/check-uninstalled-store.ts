/** Checks a store that is not installed. The fix explains how to install it again or to delete its data. */
import { findGrantRenewalKind } from '../../platform/grants/platform-grant.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { checkTokenAccepted } from './check-admin-api.ts';
import { readStoreGrant } from './check-grant.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { installCommand, REMOVED_APP_WARNING } from './remediations.ts';
import type { StoreFinding } from './store-finding.ts';

const INSTALLED_FINDING_NAME = 'Installed';

/** Returns the findings. The other checks apply only to installed stores. */
export async function checkUninstalledStore(
  deps: CheckStoreDeps,
  store: StoreRecord,
): Promise<StoreFinding[]> {
  const { domain, status, uninstalledAtMs } = store;
  if (status === 'purging') {
    const purgeAgainText = `Run store purge ${domain} again until it is done. Then the store can be installed again.`;
    return [
      {
        name: INSTALLED_FINDING_NAME,
        state: 'missing',
        found: 'a purge of its data has started but not finished',
        fix: purgeAgainText,
      },
    ];
  }
  const storedGrant = await readStoreGrant(deps, store).catch(() => undefined);
  const renewalKind = storedGrant && findGrantRenewalKind(storedGrant);
  const { fix: _update, ...grantFinding } = await checkTokenAccepted(deps, store, renewalKind);
  const uninstalledAtText =
    uninstalledAtMs === undefined ? '' : ` at ${new Date(uninstalledAtMs).toISOString()}`;
  const foundText = `uninstalled${uninstalledAtText}: all requests are refused, and its data is not deleted`;
  const reinstallText =
    ADVICE_BY_TOKEN_STATE[
      grantFinding.state === 'ok' || grantFinding.state === 'missing' ? grantFinding.state : 'unknown'
    ];
  const fix = `${reinstallText} ${installCommand({ domain, renewalKind })}. To delete its data, run store purge ${domain}.`;
  return [{ name: INSTALLED_FINDING_NAME, state: 'missing', found: foundText, fix }, grantFinding];
}

/** The operator's next step, by the state of the store's token. The command follows the text. */
const ADVICE_BY_TOKEN_STATE = {
  ok: 'The app is still on the store. To serve it again, run',
  missing:
    `The app was removed from the store, or its access was revoked. ${REMOVED_APP_WARNING} To serve the store again, ` +
    'install the app there first (Dev Dashboard → the app → Install app, or the link for the merchant), then run',
  unknown: 'Find out first whether the app is still on the store. To serve it again, run',
};
