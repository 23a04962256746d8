/**
 * Checks for how long the store's access token (grant) lasts: how it is renewed, and whether the platform has refused a
 * renewal.
 */

import {
  findGrantRenewalKind,
  type GrantRenewalKind,
  type PlatformGrant,
} from '../../platform/grants/platform-grant.ts';
import { requestAccessToken } from '../../platform/grants/request-access-token.ts';
import { currentGrantRefusal, type GrantRefusal, type StoreRecord } from '../../storage/stores.ts';
import { storeSecretName } from '../../storage/versioned-secret.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import { newGrantCommand, REMOVED_APP_WARNING } from './remediations.ts';
import type { StoreFinding } from './store-finding.ts';

const GRANT_FINDING_NAME = 'Grant renewal';

const RENEWAL_TEXTS: Readonly<Record<GrantRenewalKind, string>> = {
  client_credentials: 'the app requests the next token itself',
  refresh_token: 'by its refresh token',
};

/** Returns the finding about the store's grant. Empty when the store has no grant, which `checkSecrets` reports. */
export async function checkGrant(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  try {
    const grant = await readStoreGrant(deps, store);
    if (grant === undefined) return [];
    const renewalRefusal = currentGrantRefusal(store) ?? (await requestTokenAsTest(deps, store, grant));
    return [findingAboutRenewal(grant, store, renewalRefusal)];
  } catch (error) {
    return [
      { name: GRANT_FINDING_NAME, state: 'unknown', found: errorTextOfFinding(error), fix: 'Try again.' },
    ];
  }
}

/**
 * Returns how the store's grant is renewed.
 * @returns undefined when it is not renewed, or cannot be read now
 */
export async function readGrantRenewalKind(
  deps: CheckStoreDeps,
  store: StoreRecord,
): Promise<GrantRenewalKind | undefined> {
  const grant = await readStoreGrant(deps, store).catch(() => undefined);
  return grant && findGrantRenewalKind(grant);
}

/**
 * Reads the store's grant. Throws when the secret cannot be read.
 * @returns undefined when the store has no grant
 */
export async function readStoreGrant(
  { secrets, secretsPrefix }: CheckStoreDeps,
  { shopId, platformVersionId }: StoreRecord,
): Promise<PlatformGrant | undefined> {
  if (platformVersionId === undefined) return undefined;
  const name = storeSecretName(secretsPrefix, shopId, 'platform');
  return (await secrets.read(name, platformVersionId))?.json as PlatformGrant | undefined;
}

/**
 * Requests a token to test the renewal, but only for a grant by client credentials: a test of a refresh token would use
 * it up.
 * @returns undefined when the renewal works or was not tested
 */
async function requestTokenAsTest(
  deps: CheckStoreDeps,
  { domain }: StoreRecord,
  grant: PlatformGrant,
): Promise<RenewalRefusal | undefined> {
  if (findGrantRenewalKind(grant) !== 'client_credentials') return undefined;
  const { clientId = '', clientSecret = '' } = grant;
  const presentedCredential = { grant_type: 'client_credentials' } as const;
  const testedAtMs = deps.now();
  const tokenResult = await requestAccessToken(deps, {
    domain,
    app: { clientId, clientSecret },
    credential: presentedCredential,
  });
  return tokenResult.kind === 'refused'
    ? { reason: tokenResult.reason, atMs: testedAtMs, isFinal: false }
    : undefined;
}

type RenewalRefusal = Omit<GrantRefusal, 'versionId'>;

function findingAboutRenewal(
  grant: PlatformGrant,
  store: StoreRecord,
  refusal: RenewalRefusal | undefined,
): StoreFinding {
  const { expiresAt } = grant;
  const renewalKind = findGrantRenewalKind(grant);
  if (expiresAt === undefined && renewalKind === undefined)
    return {
      name: GRANT_FINDING_NAME,
      state: 'ok',
      found: 'none: as far as is known the token does not expire',
    };
  if (renewalKind === undefined)
    return {
      name: GRANT_FINDING_NAME,
      state: 'missing',
      found: `none: the token expires at ${expiresAt}`,
      fix: `Run ${newGrantCommand({ ...store, renewalKind })}.`,
    };
  if (refusal === undefined)
    return {
      name: GRANT_FINDING_NAME,
      state: 'ok',
      found: `${RENEWAL_TEXTS[renewalKind]}; now until ${expiresAt}`,
    };
  const { reason, isFinal, atMs } = refusal;
  const sinceText = new Date(atMs).toISOString();
  // The app may not request tokens of this store itself, because it belongs to another organization: the merchant has
  // to consent.
  const newGrantText = newGrantCommand({
    ...store,
    renewalKind: reason === 'shop_not_permitted' ? undefined : renewalKind,
  });
  const consequenceText = isFinal ? 'the service does not retry' : `the token is valid until ${expiresAt}`;
  return {
    name: GRANT_FINDING_NAME,
    state: 'missing',
    found: `refused by the platform at ${sinceText} (${reason}); ${consequenceText}`,
    fix: `${RENEWAL_REFUSAL_CAUSES[reason] ?? 'Check the app at the platform, then run'} ${newGrantText}.`,
  };
}

/** The cause of a refusal by the platform's code. The command to run follows the text. */
const RENEWAL_REFUSAL_CAUSES: Readonly<Record<string, string>> = {
  invalid_client: "The app's client secret was changed. Put the new one into FILE, and run",
  invalid_grant: 'The refresh token was used by another client, or not for 90 days. Run',
  invalid_subject_token: `The merchant has removed the app, or installed it again. ${REMOVED_APP_WARNING} Run`,
  app_not_installed: `The app is not installed on the store any more. ${REMOVED_APP_WARNING} Install it there first: Dev Dashboard → the app → Install app. Then run`,
  shop_not_permitted: 'The app may not request tokens of this store itself. Run',
};
