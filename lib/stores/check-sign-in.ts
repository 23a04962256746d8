/** The doctor's look at the customers' sign-in: the discovery, the client id, and the redirect address. */
import { redirectUriOf } from '../domain/redirect-uri.ts';
import { authorizationUrl } from '../platform/authorization-url.ts';
import { SignInAddressRefused } from '../platform/sign-in-addresses.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { wordsOf } from './failure-words.ts';
import { type MovedAddress, movedAddresses } from './read-sign-in.ts';
import type { StoreFinding } from './store-finding.ts';

/** Sign-in addresses against the pinned ones; client id and redirect URI as the platform takes them. */
export async function checkSignIn(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  return [await checkDiscovery(deps, store), ...(await checkClient(deps, store)), whoSignsIn(store)];
}

function whoSignsIn({ trustsSubject }: StoreRecord): StoreFinding {
  const name = 'Who signs in';
  if (trustsSubject === true) return { name, state: 'ok', found: 'the customer of the sub, by your word' };
  return { name, state: 'ok', found: 'the customer whom the platform names; sub has to be the same' };
}

async function checkDiscovery({ discoverSignIn }: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding> {
  const name = 'Sign-in addresses';
  try {
    const moved = movedAddresses(store.signIn, await discoverSignIn(store.domain));
    if (moved.length === 0) return { name, state: 'ok', found: store.signIn.issuer };
    return {
      name,
      state: 'missing',
      found: `the platform's differ from the pinned ones: ${moved.map(wordsOfMove).join('; ')}`,
      mend: 'Make sure that the change is the platform’s own, then run store accept-sign-in.',
    };
  } catch (error) {
    if (error instanceof SignInAddressRefused)
      return {
        name,
        state: 'missing',
        found: error.message,
        mend: 'Ask the platform: we shall not follow it.',
      };
    return { name, state: 'unknown', found: wordsOf(error), mend: 'Try again.' };
  }
}

/** The old address beside the new one. */
export function wordsOfMove({ name, before, after }: MovedAddress): string {
  return `${name} ${before} → ${after}`;
}

export type CheckClientDeps = Pick<CheckStoreDeps, 'send'>;

/** Client id and redirect URI of a store, as the platform's sign-in takes them. */
export async function checkClient(deps: CheckClientDeps, store: StoreRecord): Promise<StoreFinding[]> {
  const name = 'Client id';
  const redirectUri = redirectUriOf(store.shopId);
  if (!store.clientId) {
    const mend =
      'Run store update --credentials with the client id of the Customer Account API (mobile client).';
    return [{ name, state: 'missing', found: 'none: customers cannot sign in', mend }];
  }
  const url = authorizationUrl({
    signIn: store.signIn,
    clientId: store.clientId,
    redirectUri,
    state: 'store-check',
    nonce: 'store-check',
    // Of no verifier: nobody can go on with this sign-in.
    challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
  try {
    const { status, headers } = await deps.send({ method: 'GET', url, headers: { accept: 'text/html' } });
    if (status >= 500) return [{ name, state: 'unknown', found: `status ${status}`, mend: 'Try again.' }];
    if (!isRefused({ status, location: headers.location ?? '', redirectUri }))
      return [CLIENT_OK, { name: 'Redirect URI', state: 'ok', found: redirectUri }];
    return refusalFindings(redirectUri, await askForClient(deps, store, store.clientId));
  } catch (error) {
    return [{ name, state: 'unknown', found: wordsOf(error), mend: 'Try again.' }];
  }
}

const CLIENT_OK: StoreFinding = { name: 'Client id', state: 'ok', found: 'the platform knows it' };

type Authorization = { status: number; location: string; redirectUri: string };

/** A client or redirect address that is unknown is shown on the platform's own page (RFC 6749, section 4.1.2.1). */
function isRefused({ status, location, redirectUri }: Authorization): boolean {
  const hasError = location.startsWith(redirectUri) && URL.parse(location)?.searchParams.has('error');
  return status >= 400 || hasError === true;
}

/**
 * Whether the platform knows the client, by a refresh token that is none: a known client is told invalid_grant, an
 * unknown one invalid_client (RFC 6749, section 5.2). Undefined: the answer is neither.
 */
async function askForClient(
  { send }: CheckClientDeps,
  { signIn }: StoreRecord,
  clientId: string,
): Promise<boolean | undefined> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'store-check' };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const body = new URLSearchParams(form).toString();
  const answer = await send({ method: 'POST', url: signIn.tokenEndpoint, headers, body }).catch(
    () => undefined,
  );
  if (answer?.body.includes('"invalid_grant"')) return true;
  return answer?.body.includes('"invalid_client"') ? false : undefined;
}

function refusalFindings(redirectUri: string, isClientKnown: boolean | undefined): StoreFinding[] {
  const mend = `In the store's Customer Account API settings: a mobile client, with the callback ${redirectUri}.`;
  const missing = { state: 'missing' as const, mend };
  if (isClientKnown === true)
    return [CLIENT_OK, { ...missing, name: 'Redirect URI', found: `${redirectUri} is not registered` }];
  if (isClientKnown === false) {
    const withId = 'Run store update --credentials with the client id of a mobile client.';
    return [{ ...missing, name: 'Client id', found: 'the platform does not know it', mend: withId }];
  }
  const found = 'the platform refuses the client id, or this redirect URI with it';
  return [{ ...missing, name: 'Client id and redirect URI', found }];
}
