/**
 * `GET /admin/oauth/authorize`: the page on which a merchant lets an app into the store, and what it sends the browser
 * to: the app's address with a code, and an HMAC of everything else in it under the app's secret.
 */
import { createHmac } from 'node:crypto';
import { type Answer, methodNotAllowed } from '../http/answer.ts';
import { html, pageAnswer } from '../http/page.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { appClientId, appGrantOf, type GrantServer, giveCode } from './app-grants.ts';

/** GET shows what the app wants; POST to the same address agrees. */
export function answerAuthorize(grantServer: GrantServer, request: PlatformRequest): Answer {
  if (request.method !== 'GET' && request.method !== 'POST') return methodNotAllowed('GET', 'POST');
  const { query } = request;
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== appClientId(grantServer.store.shop)) return refusedAnswer('invalid_client');
  if (!isRegistered(grantServer, redirectUri))
    return refusedAnswer('invalid_request: redirect_uri is not registered');
  if (request.method === 'GET') return consentPage(grantServer, query.get('scope') ?? '');
  const location = signRedirectAddress(grantServer, query);
  return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

/** A loopback address may have any port (RFC 8252, section 7.3). */
function isRegistered({ grants, store }: GrantServer, redirectUri: string): boolean {
  const isLoopback = URL.parse(redirectUri)?.hostname === '127.0.0.1';
  return isLoopback || appGrantOf(grants, store).redirectUris.includes(redirectUri);
}

function signRedirectAddress(grantServer: GrantServer, query: URLSearchParams): string {
  const { shop } = grantServer.store;
  const state = query.get('state');
  const code = giveCode(grantServer, (query.get('scope') ?? '').split(','));
  const facts = new URLSearchParams({
    code,
    host: Buffer.from(`admin.shopify.com/store/${shop.split('.')[0]}`).toString('base64url'),
    shop,
    ...(state !== null && { state }),
    timestamp: `${Math.floor(grantServer.nowMs / 1000)}`,
  });
  facts.sort();
  const { clientSecret } = appGrantOf(grantServer.grants, grantServer.store);
  facts.append('hmac', createHmac('sha256', clientSecret).update(facts.toString()).digest('hex'));
  return `${query.get('redirect_uri')}?${facts}`;
}

function consentPage({ store }: GrantServer, scope: string): Answer {
  return pageAnswer({
    title: 'Install an app',
    owner: store.name,
    // The browser is sent to the app's address afterwards.
    formTargets: ['https:', 'http:'],
    main: html`<h1>Install the app?</h1>
<p>It asks for:</p>
<ul>${scope.split(',').map((each) => html`<li><code>${each}</code></li>`)}</ul>
<form method="post"><button>Install</button></form>`,
  });
}

function refusedAnswer(reason: string): Answer {
  return pageAnswer({
    status: 400,
    title: 'OAuth error',
    main: html`<h1>OAuth error</h1><p role="alert">${reason}</p>`,
  });
}
