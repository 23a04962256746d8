import type { Locale } from '../../domain/locale.ts';
import type { SignInAddresses } from '../../storage/stores.ts';

type AuthorizationUrlRequest = {
  readonly signIn: SignInAddresses;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  /** S256 of the code verifier, base64url. */
  readonly codeChallenge: string;
  /** OpenID Connect's nonce. */
  readonly nonce: string;
  /** The platform's own parameter: the language of its pages. */
  readonly locale?: Locale | undefined;
};

const SIGN_IN_SCOPE = 'openid email customer-account-api:full';

/** Builds the address that the app opens in the system's browser (RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
export function buildAuthorizationUrl(request: AuthorizationUrlRequest): string {
  const url = new URL(request.signIn.authorizationEndpoint);
  const queryParameters = {
    client_id: request.clientId,
    response_type: 'code',
    redirect_uri: request.redirectUri,
    scope: SIGN_IN_SCOPE,
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    ...(request.locale && { locale: request.locale }),
  };
  for (const [name, value] of Object.entries(queryParameters)) url.searchParams.set(name, value);
  return url.href;
}
