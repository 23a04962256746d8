/** Converts between the store's sign-in and the types of oauth4webapi. */
import type * as oauth from 'oauth4webapi';
import type { SignInAddresses } from '../../storage/stores.ts';
import type { RawPlatformResponse } from '../send-request.ts';

/** The asymmetric algorithms that may sign an id_token; the platform uses RS256. */
const ID_TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256'];
const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

/** Builds the metadata from the pinned addresses alone (RFC 8414). */
export function toAuthorizationServer(signIn: SignInAddresses): oauth.AuthorizationServer {
  return {
    issuer: signIn.issuer,
    token_endpoint: signIn.tokenEndpoint,
    jwks_uri: signIn.jwksUri,
    id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  };
}

/** Converts a response to the type `Response`, which oauth4webapi expects. */
export function toFetchResponse({ status, headers, body }: RawPlatformResponse): Response {
  const responseStatus = status >= 200 && status <= 599 ? status : 502;
  const headerEntries = Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]);
  return new Response(STATUSES_WITHOUT_BODY.has(responseStatus) ? null : body, {
    status: responseStatus,
    headers: headerEntries,
  });
}
