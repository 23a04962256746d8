/**
 * Gets the first access token (grant) of a store for the app: by client credentials, if app and store belong to the
 * same organization, or by an authorization code after the merchant's consent. Stores nothing.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { buildConsentUrl } from '../../platform/grants/build-consent-url.ts';
import { toNextGrant } from '../../platform/grants/next-grant.ts';
import type { PlatformGrant } from '../../platform/grants/platform-grant.ts';
import {
  type AccessTokenDeps,
  type AppClient,
  type IssuedToken,
  type PresentedCredential,
  requestAccessToken,
} from '../../platform/grants/request-access-token.ts';
import { verifyConsentCallback } from '../../platform/grants/verify-consent-callback.ts';
import { rejectUnrenewableGrant } from '../reject-unrenewable-grant.ts';

type StoreConnection = { readonly domain: ShopDomain; readonly app: AppClient };

/**
 * Gets the grant by client credentials.
 * @throws StoreChangeRefused when the platform refuses the app for this store or does not respond
 */
export async function requestGrantByClientCredentials(
  deps: AccessTokenDeps,
  connection: StoreConnection,
): Promise<PlatformGrant> {
  const requestedAtMs = deps.now();
  const token = await requestTokenOrThrow(deps, connection, { grant_type: 'client_credentials' });
  const { app } = connection;
  const emptyGrant = { ...app, accessToken: '', scopes: [], renewedBy: 'client_credentials' } as const;
  return toNextGrant(emptyGrant, token, requestedAtMs).nextGrant;
}

/** A consent request to a merchant. `state` is valid only for this request and is kept in memory. */
type ConsentRequest = StoreConnection & {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
};

const CONSENT_STATE_BYTES = 32;

/** Creates the consent request, and the address that the merchant opens in a browser. */
export function createConsentRequest(
  {
    platformOrigin,
    random,
  }: { readonly platformOrigin: string; readonly random: (bytes: number) => Uint8Array },
  consent: Omit<ConsentRequest, 'state'>,
): { readonly consent: ConsentRequest; readonly address: string } {
  const consentState = Buffer.from(random(CONSENT_STATE_BYTES)).toString('base64url');
  const { app, ...consentParameters } = consent;
  const { clientId } = app;
  return {
    consent: { ...consent, state: consentState },
    address: buildConsentUrl({ ...consentParameters, platformOrigin, clientId, state: consentState }),
  };
}

/**
 * Gets the grant from the address that the browser was redirected to (`redirectedAddress`). With `isExpiring` the token expires
 * and is renewed, else it does not expire.
 * @throws StoreChangeRefused when the address is not the platform's response to this request, the platform refuses the
 * app or does not respond
 */
export async function requestGrantByAuthorizationCode(
  deps: AccessTokenDeps,
  consent: ConsentRequest,
  { redirectedAddress, isExpiring }: { readonly redirectedAddress: string; readonly isExpiring: boolean },
): Promise<PlatformGrant> {
  const { clientSecret } = consent.app;
  const callbackResult = verifyConsentCallback({ ...consent, clientSecret, callbackUrl: redirectedAddress });
  if ('problem' in callbackResult)
    throw new StoreChangeRefused(`${callbackResult.problem}. Nothing was changed.`);
  const requestedAtMs = deps.now();
  const presentedCredential: PresentedCredential = {
    code: callbackResult.code,
    ...(isExpiring && { expiring: '1' }),
  };
  const token = await requestTokenOrThrow(deps, consent, presentedCredential);
  const { accessToken, scopes } = token;
  const grantWithoutRenewal: PlatformGrant = {
    accessToken,
    scopes,
    ...(token.expiresAt && { expiresAt: token.expiresAt }),
  };
  if (token.refreshToken === undefined) return rejectUnrenewableGrant(grantWithoutRenewal);
  const renewedApp = { ...consent.app, refreshToken: token.refreshToken };
  return toNextGrant({ ...grantWithoutRenewal, ...renewedApp }, token, requestedAtMs).nextGrant;
}

async function requestTokenOrThrow(
  deps: AccessTokenDeps,
  { domain, app }: StoreConnection,
  presentedCredential: PresentedCredential,
): Promise<IssuedToken> {
  const tokenResult = await requestAccessToken(deps, { domain, app, credential: presentedCredential });
  if (tokenResult.kind === 'given') return tokenResult.token;
  if (tokenResult.kind === 'unanswered')
    throw new StoreChangeRefused(
      `The platform gives no token for ${domain} now. Try again. Nothing was changed.`,
    );
  const fix =
    CONNECTION_FIX_BY_ERROR_CODE[tokenResult.reason] ??
    'Check that the app is installed on this store, and of the right form.';
  throw new StoreChangeRefused(
    `The platform gives the app no token for ${domain} (${tokenResult.reason}). ${fix} Nothing was changed.`,
  );
}

/** The operator's next step, by the platform's error code. */
const CONNECTION_FIX_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  invalid_client: 'Check the client id and the client secret of the app.',
  shop_not_permitted:
    'Only an app of the Dev Dashboard on a store of the same organization has it: use --oauth.',
  app_not_installed: 'Install the app on the store first.',
  invalid_request: 'The code was used, or is too old: begin again.',
};
