/** Checks the sign-in of customers: the platform's discovery document, the client id, and the redirect URI. */
import { appRedirectUriOf } from '../../domain/sign-in/redirect-uri.ts';
import { buildAuthorizationUrl } from '../../platform/sign-in/build-authorization-url.ts';
import { DiscoveryFailed } from '../../platform/sign-in/discover-sign-in.ts';
import { ForbiddenSignInAddress } from '../../platform/sign-in/sign-in-addresses.ts';
import type { SignInAddresses, StoreRecord } from '../../storage/stores.ts';
import { listMovedAddresses, type MovedAddress } from '../read-sign-in-addresses.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import type { StoreFinding } from './store-finding.ts';

/** Returns the findings. The discovered addresses are compared with those that the store's item pins. */
export async function checkSignIn(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  return [
    await checkDiscovery(deps, store),
    ...(await checkSignInClient(deps, store)),
    findingAboutTrustedSubject(store),
  ];
}

function findingAboutTrustedSubject({ trustsSubject }: StoreRecord): StoreFinding {
  const name = 'Who signs in';
  if (trustsSubject === true) return { name, state: 'ok', found: 'the customer of the sub, as configured' };
  return { name, state: 'ok', found: 'the customer that the platform returns; sub has to be the same' };
}

async function checkDiscovery({ discoverSignIn }: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding> {
  const name = 'Sign-in addresses';
  try {
    const movedAddresses = listMovedAddresses(store.signIn, await discoverSignIn(store.domain));
    if (movedAddresses.length === 0) return { name, state: 'ok', found: store.signIn.issuer };
    return {
      name,
      state: 'missing',
      found: `the platform's differ from the pinned ones: ${movedAddresses.map(describeMovedAddress).join('; ')}`,
      fix: 'Make sure that the change is the platform’s own, then run store accept-sign-in.',
    };
  } catch (error) {
    if (error instanceof ForbiddenSignInAddress)
      return {
        name,
        state: 'missing',
        found: error.message,
        fix: 'Contact the platform: the service does not accept such an address.',
      };
    if (error instanceof DiscoveryFailed) {
      const { message: found, fix, isPermanent } = error;
      return { name, state: isPermanent ? 'missing' : 'unknown', found, fix };
    }
    return { name, state: 'unknown', found: errorTextOfFinding(error), fix: 'Try again.' };
  }
}

/** Returns the text about an address that has changed, for example `tokenEndpoint https://a → https://b`. */
export function describeMovedAddress({ name, before, after }: MovedAddress): string {
  return `${name} ${before} → ${after}`;
}

export type CheckSignInClientDeps = Pick<CheckStoreDeps, 'send'>;
/** The fields of a store that the checks of the customers' sign-in need. */
export type SignInStore = Pick<StoreRecord, 'domain' | 'shopId' | 'signIn' | 'clientId'>;

/** Explains which client id is required, for messages: it is easily confused with the app's. */
export const REQUIRED_CLIENT_ADVICE =
  "that of a mobile client in the store's Customer Account API settings, not the app's";

/** Returns the findings about client id and redirect URI. Starts a sign-in at the platform to check them. */
export async function checkSignInClient(
  deps: CheckSignInClientDeps,
  store: SignInStore,
): Promise<StoreFinding[]> {
  const name = 'Client id';
  const redirectUri = appRedirectUriOf(store.shopId);
  if (!store.clientId) {
    return [{ name, state: 'missing', found: 'none: customers cannot sign in', fix: clientIdFix(store) }];
  }
  const { signIn, clientId } = store;
  try {
    if (await isRedirectUriAccepted(deps, { signIn, clientId, redirectUri }))
      return [CLIENT_OK_FINDING, { name: 'Redirect URI', state: 'ok', found: redirectUri }];
    return findingsAboutRefusedClient(store, await isClientIdKnown(deps, { signIn, clientId }));
  } catch (error) {
    return [{ name, state: 'unknown', found: errorTextOfFinding(error), fix: 'Try again.' }];
  }
}

export const UNKNOWN_CLIENT_TEXT = 'the platform does not know it';
const CLIENT_OK_FINDING: StoreFinding = { name: 'Client id', state: 'ok', found: 'the platform knows it' };

type AuthorizationAttempt = {
  readonly signIn: SignInAddresses;
  readonly clientId: string;
  readonly redirectUri: string;
};

/**
 * Starts a sign-in at the platform. Returns whether the platform accepts the redirect URI with the client id.
 * @throws Error when the platform fails or does not respond
 */
export async function isRedirectUriAccepted(
  { send }: CheckSignInClientDeps,
  authorizationAttempt: AuthorizationAttempt,
): Promise<boolean> {
  const url = buildAuthorizationUrl({
    ...authorizationAttempt,
    state: 'store-check',
    nonce: 'store-check',
    // A constant code challenge whose verifier is not used, so this sign-in cannot be completed.
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  const { status, headers } = await send({ method: 'GET', url, headers: { accept: 'text/html' } });
  if (status >= 500) throw new Error(`status ${status}`);
  const { redirectUri } = authorizationAttempt;
  return !isAuthorizationRefused({ status, location: headers.location ?? '', redirectUri });
}

type AuthorizationResponse = { status: number; location: string; redirectUri: string };

/**
 * Whether the response to the authorization request is an error. For an unknown client or redirect URI, the platform
 * shows an error page and does not redirect (RFC 6749, section 4.1.2.1).
 */
function isAuthorizationRefused({ status, location, redirectUri }: AuthorizationResponse): boolean {
  const hasError = location.startsWith(redirectUri) && URL.parse(location)?.searchParams.has('error');
  return status >= 400 || hasError === true;
}

type ClientIdProbe = {
  readonly signIn: SignInAddresses;
  readonly clientId: string;
  /** The Origin header to send. The service sends none at sign-in. */
  readonly origin?: string;
};

/**
 * Whether the platform knows the client. Sends an invalid refresh token: the error is invalid_grant for a known client,
 * and invalid_client for an unknown one (RFC 6749, section 5.2).
 * @returns undefined when the response is neither
 */
export async function isClientIdKnown(
  { send }: CheckSignInClientDeps,
  { signIn, clientId, origin }: ClientIdProbe,
): Promise<boolean | undefined> {
  const tokenRequestForm = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'store-check' };
  const headers = {
    ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    ...(origin !== undefined && { origin }),
  };
  const body = new URLSearchParams(tokenRequestForm).toString();
  const tokenResponse = await send({ method: 'POST', url: signIn.tokenEndpoint, headers, body }).catch(
    () => undefined,
  );
  if (tokenResponse?.body.includes('"invalid_grant"')) return true;
  return tokenResponse?.body.includes('"invalid_client"') ? false : undefined;
}

function clientIdFix({ domain }: SignInStore): string {
  return `Run store update ${domain} --credentials FILE with {"clientId": "…"}, ${REQUIRED_CLIENT_ADVICE}.`;
}

function findingsAboutRefusedClient(store: SignInStore, isKnown: boolean | undefined): StoreFinding[] {
  const redirectUri = appRedirectUriOf(store.shopId);
  const fix = `In the store's Customer Account API settings: a mobile client, with the callback ${redirectUri}.`;
  const missingFields = { state: 'missing' as const, fix };
  if (isKnown === true)
    return [
      CLIENT_OK_FINDING,
      { ...missingFields, name: 'Redirect URI', found: `${redirectUri} is not registered` },
    ];
  if (isKnown === false)
    return [{ ...missingFields, name: 'Client id', found: UNKNOWN_CLIENT_TEXT, fix: clientIdFix(store) }];
  const foundText = 'the platform refuses the client id, or this redirect URI with it';
  return [{ ...missingFields, name: 'Client id and redirect URI', found: foundText }];
}
