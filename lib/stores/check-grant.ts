/** The doctor's look at how long a store's grant lasts: what renews it, and what the platform has refused of it. */
import { askAccessToken } from '../platform/grants/ask-access-token.ts';
import { type GrantRefusal, grantRefusalOf, type StoreRecord } from '../storage/stores.ts';
import { storeSecretName } from '../storage/versioned-secret.ts';
import { type PlatformGrant, type Renewal, renewalOf } from './change-grant.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { wordsOf } from './failure-words.ts';
import type { StoreFinding } from './store-finding.ts';

const NAME = 'Grant renewal';

const WAYS: Readonly<Record<Renewal, string>> = {
  client_credentials: 'the app asks for the next token itself',
  refresh_token: 'by its refresh token',
};

/** Of the grant as the store item names it. Nothing if there is none: `checkSecrets` tells that. */
export async function checkGrant(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  const { secrets, secretsPrefix } = deps;
  if (store.platformVersionId === undefined) return [];
  try {
    const name = storeSecretName(secretsPrefix, store.shopId, 'platform');
    const grant = (await secrets.read(name, store.platformVersionId))?.json as PlatformGrant | undefined;
    if (grant === undefined) return [];
    const refusal = grantRefusalOf(store) ?? (await tryToRenew(deps, store, grant));
    return [findingOf(grant, store, refusal)];
  } catch (error) {
    return [{ name: NAME, state: 'unknown', found: wordsOf(error), mend: 'Try again.' }];
  }
}

/** An app that shows itself may ask as often as it likes; trying a refresh token would spend it. */
async function tryToRenew(
  deps: CheckStoreDeps,
  { domain }: StoreRecord,
  grant: PlatformGrant,
): Promise<Refusal | undefined> {
  if (renewalOf(grant) !== 'client_credentials') return undefined;
  const { clientId = '', clientSecret = '' } = grant;
  const presented = { grant_type: 'client_credentials' } as const;
  const atMs = deps.now();
  const answer = await askAccessToken(deps, { domain, app: { clientId, clientSecret }, presented });
  return answer.kind === 'refused' ? { reason: answer.reason, atMs, isFinal: false } : undefined;
}

type Refusal = Omit<GrantRefusal, 'versionId'>;

function findingOf(grant: PlatformGrant, store: StoreRecord, refusal: Refusal | undefined): StoreFinding {
  const { expiresAt } = grant;
  const renewal = renewalOf(grant);
  if (expiresAt === undefined && renewal === undefined)
    return {
      name: NAME,
      state: 'ok',
      found: 'none: as far as was told the token does not end',
    };
  if (renewal === undefined)
    return {
      name: NAME,
      state: 'missing',
      found: `none: the token ends at ${expiresAt}`,
      mend: remedyOf(undefined, store),
    };
  if (refusal === undefined)
    return { name: NAME, state: 'ok', found: `${WAYS[renewal]}; now until ${expiresAt}` };
  const { reason, isFinal, atMs } = refusal;
  const since = new Date(atMs).toISOString();
  const meanwhile = isFinal ? 'it is not asked again' : `the token is good until ${expiresAt}`;
  return {
    name: NAME,
    state: 'missing',
    found: `refused by the platform at ${since} (${reason}); ${meanwhile}`,
    mend: `${CAUSES[reason] ?? 'Look at the app at the platform.'} ${remedyOf(renewal, store)}`,
  };
}

/** By the platform's code. */
const CAUSES: Readonly<Record<string, string>> = {
  invalid_client: "The app's client secret was changed.",
  invalid_grant: 'The refresh token was used elsewhere, or for 90 days not at all.',
  invalid_subject_token: 'The merchant has removed the app, or installed it again.',
  app_not_installed: 'The app is not installed on the store any more.',
  shop_not_permitted: 'The app may not ask for tokens of this store itself.',
};

/** What gives the store a new grant of the same form. */
export function remedyOf(renewal: Renewal | undefined, { domain }: Pick<StoreRecord, 'domain'>): string {
  const how = renewal === 'client_credentials' ? '--client-credentials' : '--oauth';
  return `Run store update ${domain} ${how} --credentials FILE with the app.`;
}
