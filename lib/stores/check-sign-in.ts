/** The doctor's look at the customers' sign-in: the discovery, the client id, and the redirect address. */
import { redirectUriOf } from '../domain/redirect-uri.ts';
import { authorizationUrl } from '../platform/authorization-url.ts';
import type { SignInAddresses, StoreRecord } from '../storage/stores.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { wordsOf } from './failure-words.ts';
import type { StoreFinding } from './store-finding.ts';

/** Sign-in addresses against the pinned ones; client id and redirect URI as the platform takes them. */
export async function checkSignIn(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
  return [await checkDiscovery(deps, store), ...(await checkClient(deps, store))];
}

async function checkDiscovery({ discoverSignIn }: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding> {
  const name = 'Sign-in addresses';
  try {
    const found = await discoverSignIn(store.domain);
    const differing = Object.keys(found).filter(
      (key) => found[key as keyof SignInAddresses] !== store.signIn[key as keyof SignInAddresses],
    );
    if (differing.length === 0) return { name, state: 'ok', found: store.signIn.issuer };
    return {
      name,
      state: 'missing',
      found: `the platform's differ from the pinned ones: ${differing.join(', ')}`,
      mend: 'Make sure that the change is the platform’s own, then run store update --accept-sign-in-addresses.',
    };
  } catch (error) {
    return { name, state: 'unknown', found: wordsOf(error), mend: 'Try again.' };
  }
}

async function checkClient(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding[]> {
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
    return readAuthorization({ status, location: headers.location ?? '', redirectUri });
  } catch (error) {
    return [{ name, state: 'unknown', found: wordsOf(error), mend: 'Try again.' }];
  }
}

type Authorization = { status: number; location: string; redirectUri: string };

/** A client or redirect address that is unknown is shown on the platform's own page (RFC 6749, section 4.1.2.1). */
function readAuthorization({ status, location, redirectUri }: Authorization): StoreFinding[] {
  const isRefused = location.startsWith(redirectUri) && URL.parse(location)?.searchParams.has('error');
  if (status < 400 && !isRefused) {
    return [
      { name: 'Client id', state: 'ok', found: 'the platform knows it' },
      { name: 'Redirect URI', state: 'ok', found: redirectUri },
    ];
  }
  if (status >= 500)
    return [{ name: 'Client id', state: 'unknown', found: `status ${status}`, mend: 'Try again.' }];
  const found = 'the platform refuses the client id, or this redirect URI with it';
  const mend = `In the store's Customer Account API settings: a mobile client, with the callback ${redirectUri}.`;
  return [{ name: 'Client id and redirect URI', state: 'missing', found, mend }];
}
