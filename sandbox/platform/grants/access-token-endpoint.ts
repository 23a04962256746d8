/** `POST /admin/oauth/access_token`: issues the app's tokens for a store (RFC 6749, sections 4.1.3, 4.4 and 6). */

import type { PlatformRequest } from '../http/platform-request.ts';
import {
  createJsonResponse,
  createMethodNotAllowedResponse,
  type PlatformResponse,
} from '../http/response.ts';
import {
  appClientId,
  exchangeCode,
  grantOfStore,
  issueClientCredentialsToken,
  refreshGrant,
  type StoreGrants,
} from './app-grants.ts';

type TokenRequestFields = Readonly<Record<string, string | undefined>>;

/** Checks the app first, as the platform does: a changed secret is reported before any other error. */
export function handleAccessTokenRequest(
  grantServer: StoreGrants,
  request: PlatformRequest,
): PlatformResponse {
  if (request.method !== 'POST') return createMethodNotAllowedResponse('POST');
  const tokenRequest = parseTokenRequest(request);
  const { clientSecret } = grantOfStore(grantServer.grants, grantServer.store);
  if (
    tokenRequest.client_id !== appClientId(grantServer.store.shop) ||
    tokenRequest.client_secret !== clientSecret
  ) {
    return createJsonResponse(401, { error: 'invalid_client' });
  }
  switch (tokenRequest.grant_type) {
    case undefined:
      return exchangeAuthorizationCode(grantServer, tokenRequest);
    case 'client_credentials':
      return grantClientCredentials(grantServer);
    case 'refresh_token':
      return exchangeRefreshToken(grantServer, tokenRequest);
    default:
      return createJsonResponse(400, { error: 'unsupported_grant_type' });
  }
}

/** The platform's exchange of a code has no grant type. */
function exchangeAuthorizationCode(
  grantServer: StoreGrants,
  { code = '', expiring }: TokenRequestFields,
): PlatformResponse {
  const grantResult = exchangeCode(grantServer, { code, isExpiring: expiring === '1' });
  if (grantResult === 'must expire') return createJsonResponse(400, { error: 'invalid_request' });
  return grantResult === undefined
    ? createJsonResponse(400, { error: 'invalid_request' })
    : createJsonResponse(200, grantResult);
}

function grantClientCredentials(grantServer: StoreGrants): PlatformResponse {
  const { form, isInstalled } = grantOfStore(grantServer.grants, grantServer.store);
  if (form !== 'own-store') return createJsonResponse(400, { error: 'shop_not_permitted' });
  if (!isInstalled) return createJsonResponse(400, { error: 'app_not_installed' });
  return createJsonResponse(200, issueClientCredentialsToken(grantServer));
}

function exchangeRefreshToken(
  grantServer: StoreGrants,
  { refresh_token: refreshToken = '' }: TokenRequestFields,
): PlatformResponse {
  if (!grantOfStore(grantServer.grants, grantServer.store).isInstalled)
    return createJsonResponse(400, { error: 'invalid_subject_token' });
  const renewalResult = refreshGrant(grantServer, refreshToken);
  return renewalResult === undefined
    ? createJsonResponse(400, { error: 'invalid_grant' })
    : createJsonResponse(200, renewalResult);
}

/** The platform accepts both a form and JSON here. */
function parseTokenRequest({ headers, body }: PlatformRequest): TokenRequestFields {
  if (!headers['content-type']?.includes('application/json')) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  try {
    const bodyFields: unknown = JSON.parse(body);
    return typeof bodyFields === 'object' && bodyFields !== null ? (bodyFields as TokenRequestFields) : {};
  } catch {
    return {};
  }
}
