/**
 * Verifies the URL to which the platform redirected the merchant's browser. A person pasted it, so it may be forged. It is
 * valid if the platform signed it for the app, its `state` is that of this command run, and its shop is the expected store.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

type ConsentCallback = {
  readonly callbackUrl: string;
  readonly redirectUri: string;
  readonly domain: string;
  /** The value of `state` in the consent request of this command run. */
  readonly state: string;
  /** The app's client secret. */
  readonly clientSecret: string;
};

type ConsentCallbackResult = { readonly code: string } | { readonly problem: string };

const MAX_CALLBACK_URL_LENGTH = 4_096;

/**
 * Returns the code, or a message about the problem that contains nothing of the URL. Secrets are compared in constant
 * time.
 */
export function verifyConsentCallback({
  callbackUrl,
  redirectUri,
  domain,
  state,
  clientSecret,
}: ConsentCallback): ConsentCallbackResult {
  const url = callbackUrl.length > MAX_CALLBACK_URL_LENGTH ? null : URL.parse(callbackUrl.trim());
  if (url === null || !isConsentRedirectUri(url, redirectUri))
    return { problem: `This is not the address that begins with ${redirectUri}` };
  const callbackParameters = [...url.searchParams];
  const valuesByName = new Map(callbackParameters);
  if (valuesByName.size < callbackParameters.length) return { problem: 'This address says something twice' };
  const { code, hmac, shop, state: returnedState } = Object.fromEntries(valuesByName);
  if (!code || !hmac || !shop || !returnedState)
    return { problem: 'There is no code in this address: the merchant did not agree, or it is not whole' };
  if (!isEqualInConstantTime(hmac, consentSignatureOf(callbackParameters, clientSecret)))
    return {
      problem:
        'The platform did not sign this address for the app: it was not copied whole, or was changed, or the client secret is not the one of the app',
    };
  if (!isEqualInConstantTime(returnedState, state))
    return { problem: 'This address answers another question: open the one that is shown here' };
  if (shop !== domain) return { problem: `This address is of another store, not of ${domain}` };
  return { code };
}

function isConsentRedirectUri(url: URL, redirectUri: string): boolean {
  const expectedUrl = URL.parse(redirectUri);
  if (expectedUrl === null || url.username !== '' || url.password !== '') return false;
  return url.origin === expectedUrl.origin && url.pathname === expectedUrl.pathname;
}

/** The platform's signature: HMAC-SHA256 in hex of all other parameters, sorted and form-encoded. */
function consentSignatureOf(parameters: [string, string][], clientSecret: string): string {
  const message = new URLSearchParams(parameters.filter(([name]) => name !== 'hmac'));
  message.sort();
  return createHmac('sha256', clientSecret).update(`${message}`).digest('hex');
}

function isEqualInConstantTime(actual: string, expected: string): boolean {
  const [actualBytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)];
  return actualBytes.length === expectedBytes.length && timingSafeEqual(actualBytes, expectedBytes);
}
