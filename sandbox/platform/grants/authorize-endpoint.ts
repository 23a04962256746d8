/**
 * `GET /admin/oauth/authorize`: the page on which a merchant grants an app access to the store. It redirects the
 * browser to the app's address with a code, and with an HMAC of the other parameters under the app's secret.
 */
import { createHmac } from 'node:crypto';
import { createPageResponse, renderHtml } from '../http/page.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { createMethodNotAllowedResponse, type PlatformResponse } from '../http/response.ts';
import { appClientId, grantOfStore, issueAuthorizationCode, type StoreGrants } from './app-grants.ts';

/** GET shows the requested scopes; POST to the same address grants them. */
export function handleAuthorizeRequest(grantServer: StoreGrants, request: PlatformRequest): PlatformResponse {
  if (request.method !== 'GET' && request.method !== 'POST')
    return createMethodNotAllowedResponse('GET', 'POST');
  const { query } = request;
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== appClientId(grantServer.store.shop))
    return createAuthorizeErrorResponse('invalid_client');
  if (!isRegisteredRedirectUri(grantServer, redirectUri))
    return createAuthorizeErrorResponse('invalid_request: redirect_uri is not registered');
  if (request.method === 'GET') return renderConsentPage(grantServer, query.get('scope') ?? '');
  const redirectAddress = signRedirectAddress(grantServer, query);
  return { status: 302, headers: { location: redirectAddress, 'cache-control': 'no-store' }, body: '' };
}

/** A loopback address may have any port (RFC 8252, section 7.3). */
function isRegisteredRedirectUri({ grants, store }: StoreGrants, redirectUri: string): boolean {
  const isLoopback = URL.parse(redirectUri)?.hostname === '127.0.0.1';
  return isLoopback || grantOfStore(grants, store).redirectUris.includes(redirectUri);
}

function signRedirectAddress(grantServer: StoreGrants, query: URLSearchParams): string {
  const { shop } = grantServer.store;
  const oauthState = query.get('state');
  const code = issueAuthorizationCode(grantServer, (query.get('scope') ?? '').split(','));
  const callbackParameters = new URLSearchParams({
    code,
    host: Buffer.from(`admin.shopify.com/store/${shop.split('.')[0]}`).toString('base64url'),
    shop,
    ...(oauthState !== null && { state: oauthState }),
    timestamp: `${Math.floor(grantServer.nowMs / 1000)}`,
  });
  callbackParameters.sort();
  const { clientSecret } = grantOfStore(grantServer.grants, grantServer.store);
  callbackParameters.append(
    'hmac',
    createHmac('sha256', clientSecret).update(callbackParameters.toString()).digest('hex'),
  );
  return `${query.get('redirect_uri')}?${callbackParameters}`;
}

function renderConsentPage({ store }: StoreGrants, scope: string): PlatformResponse {
  return createPageResponse({
    title: 'Install an app',
    owner: store.name,
    // The browser is sent to the app's address afterwards.
    formTargets: ['https:', 'http:'],
    main: renderHtml`<h1>Install the app?</h1>
<p>It asks for:</p>
<ul>${scope.split(',').map((each) => renderHtml`<li><code>${each}</code></li>`)}</ul>
<form method="post"><button>Install</button></form>`,
  });
}

function createAuthorizeErrorResponse(reason: string): PlatformResponse {
  return createPageResponse({
    status: 400,
    title: 'OAuth error',
    main: renderHtml`<h1>OAuth error</h1><p role="alert">${reason}</p>`,
  });
}
