/**
 * Client of the platform's sign-in, a public OAuth 2.0 client (RFC 6749, RFC 7636). It uses only the addresses pinned
 * in the store. It returns raw responses: classify-token-response.ts and verify-code-grant-response.ts interpret them.
 */
import * as oauth from 'oauth4webapi';
import type { SignInAddresses } from '../../storage/stores.ts';
import { type RawPlatformResponse, TransportError } from '../send-request.ts';
import { toAuthorizationServer, toFetchResponse } from './authorization-server.ts';
import type { SendSignInRequest } from './sign-in-request.ts';

type CodeGrantRequest = {
  readonly signIn: SignInAddresses;
  readonly clientId: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
};
type RefreshGrantRequest = {
  readonly signIn: SignInAddresses;
  readonly clientId: string;
  readonly refreshToken: string;
};
type CustomerQueryRequest = { readonly signIn: SignInAddresses; readonly accessToken: string };
/** The fields of every request. */
type SignInRequestOptions = {
  /** The Origin header, for a client of web pages. */
  readonly origin?: string | undefined;
  readonly timeoutMs: number;
};

export type SignInClient = {
  /** Sends the code grant (RFC 6749, section 4.1.3). Failures of the platform do not reject. */
  grantCode(grant: CodeGrantRequest & SignInRequestOptions): Promise<RawPlatformResponse | TransportError>;
  /** Sends the refresh grant (RFC 6749, section 6). Failures of the platform do not reject. */
  refresh(grant: RefreshGrantRequest & SignInRequestOptions): Promise<RawPlatformResponse | TransportError>;
  /** Queries the Customer Account API for the customer of `accessToken`: a number or a global id. */
  queryCustomerId(
    query: CustomerQueryRequest & SignInRequestOptions,
  ): Promise<RawPlatformResponse | TransportError>;
  /** OpenID Connect RP-Initiated Logout 1.0, called as an API. */
  logOut(
    signIn: SignInAddresses,
    idToken: string,
    timeoutMs: number,
  ): Promise<RawPlatformResponse | TransportError>;
};

/** Creates the client of the platform's sign-in endpoints, which sends its requests with `send`. */
export function createSignInClient({ send }: { readonly send: SendSignInRequest }): SignInClient {
  return {
    grantCode: ({ signIn, clientId, code, codeVerifier, redirectUri, ...requestOptions }) =>
      captureTokenResponse({ send, ...requestOptions }, (options) => {
        const server = toAuthorizationServer(signIn);
        const client = { client_id: clientId };
        // The app has verified `state`, which only the app knows. The service gets only the code.
        const callbackParameters = new URLSearchParams({ code });
        const checkedParameters = oauth.validateAuthResponse(
          server,
          client,
          callbackParameters,
          oauth.skipStateCheck,
        );
        return oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          checkedParameters,
          redirectUri,
          codeVerifier,
          options,
        );
      }),
    refresh: ({ signIn, clientId, refreshToken, ...requestOptions }) =>
      captureTokenResponse({ send, ...requestOptions }, (options) =>
        oauth.refreshTokenGrantRequest(
          toAuthorizationServer(signIn),
          { client_id: clientId },
          oauth.None(),
          refreshToken,
          options,
        ),
      ),
    queryCustomerId: ({ signIn, accessToken, origin, timeoutMs }) =>
      toResponseOrError(
        send({
          method: 'POST',
          url: signIn.customerApiUrl,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            authorization: accessToken,
            ...(origin !== undefined && { origin }),
          },
          body: JSON.stringify({ query: '{ customer { id } }' }),
          timeoutMs,
        }),
      ),
    logOut(signIn, idToken, timeoutMs) {
      const url = new URL(signIn.endSessionEndpoint);
      url.searchParams.set('id_token_hint', idToken);
      return toResponseOrError(send({ method: 'GET', url: url.href, headers: {}, timeoutMs }));
    },
  };
}

type TokenRequestCapture = SignInRequestOptions & { readonly send: SendSignInRequest };

/** Builds the request with oauth4webapi, sends it with `send`, and returns the raw response. */
async function captureTokenResponse(
  { send, origin, timeoutMs }: TokenRequestCapture,
  requestTokens: (options: oauth.TokenEndpointRequestOptions) => Promise<Response>,
): Promise<RawPlatformResponse | TransportError> {
  let tokenResponse: RawPlatformResponse | TransportError = new TransportError('sign-in', 'forbidden', false);
  await requestTokens({
    // The sender itself refuses plain http, except on loopback where PLATFORM_ORIGIN is loopback.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, { headers: requestHeaders, body }) => {
      const headers = { ...requestHeaders, ...(origin !== undefined && { origin }) };
      tokenResponse = await toResponseOrError(
        send({ method: 'POST', url, headers, body: body.toString(), timeoutMs }),
      );
      return tokenResponse instanceof TransportError
        ? new Response(null, { status: 503 })
        : toFetchResponse(tokenResponse);
    },
  });
  return tokenResponse;
}

async function toResponseOrError(
  responsePromise: Promise<RawPlatformResponse>,
): Promise<RawPlatformResponse | TransportError> {
  try {
    return await responsePromise;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}
