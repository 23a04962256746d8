/** A platform for tests, on a port of its own, and the calls an app and its server make to it. */
import { createHash, randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { type Platform, type PlatformOptions, startPlatform } from '../../../sandbox/platform/platform.ts';
import { type Browser, createBrowser, type Page } from './browser.ts';

export const harbor = 'harbor-coffee.myshopify.com';
export const redirectUri = 'shop.81234567001.app://callback';
const clientUserAgent = { 'user-agent': 'test client' };

export type TestPlatform = Platform & {
  readonly issuer: string;
  readonly clientId: string;
  readonly lines: readonly string[];
  readonly control: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: Json }>;
};

// biome-ignore lint/suspicious/noExplicitAny: assertions read any field of responses.
export type Json = any;

const realNow = Date.now.bind(Date);
let offsetMs = 0;
jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offsetMs);

/** Moving it moves `Date.now()` of the whole test file, as the runner does for the whole process. */
const clock = {
  now: () => Date.now(),
  async set(ms: number) {
    offsetMs = ms - realNow();
  },
  async advance(seconds: number) {
    offsetMs += seconds * 1000;
  },
};

export async function startTestPlatform(options: Partial<PlatformOptions> = {}): Promise<TestPlatform> {
  const lines: string[] = [];
  const platform = await startPlatform({ port: 0, clock, announce: (line) => lines.push(line), ...options });
  const store = platform.stores.find(({ shop }) => shop === harbor);
  if (store === undefined) throw new Error('no harbor');
  return {
    ...platform,
    lines,
    issuer: `${platform.url}/authentication/${store.shopId}`,
    clientId: store.clientId,
    async control(method, path, body) {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const response = await fetch(`${platform.url}/_control/${path}`, init);
      return { status: response.status, json: await response.json() };
    },
  };
}

export type Start = { readonly url: string; readonly verifier: string; readonly nonce: string };

/** The address an app opens. `changes` replace parameters; undefined leaves one out. */
export function authorizationUrl(
  platform: TestPlatform,
  changes: Record<string, string | undefined> = {},
): Start {
  const verifier = randomBytes(32).toString('base64url');
  const nonce = randomBytes(16).toString('base64url');
  const parameters = {
    client_id: platform.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email customer-account-api:full',
    state: 'the-state',
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { url: `${platform.issuer}/oauth/authorize?${new URLSearchParams(given)}`, verifier, nonce };
}

/** The code in the app's redirect address. */
export function codeOf(page: Page): string {
  const code = new URL(page.url).searchParams.get('code');
  if (!page.url.startsWith(redirectUri) || code === null)
    throw new Error(`No code at ${page.url}: ${page.text}`);
  return code;
}

export async function currentCode(platform: TestPlatform, email: string): Promise<string> {
  return (await platform.control('GET', `one-time-code?email=${encodeURIComponent(email)}`)).json.code;
}

/** Through the pages, as far as the redirect to the app. */
export async function signIn(
  platform: TestPlatform,
  { browser = createBrowser(), email = 'ada@example.com' }: { browser?: Browser; email?: string } = {},
): Promise<Start & { code: string }> {
  const start = authorizationUrl(platform);
  const requested = await browser.submit(await browser.open(start.url), 'email', { email });
  const done = await browser.submit(requested, 'code', { code: await currentCode(platform, email) });
  return { ...start, code: codeOf(done) };
}

export type TokenAnswer = { readonly status: number; readonly json: Json };

export async function postToken(
  platform: TestPlatform,
  fields: Record<string, string>,
): Promise<TokenAnswer> {
  const body = new URLSearchParams({ client_id: platform.clientId, ...fields });
  const response = await fetch(`${platform.issuer}/oauth/token`, {
    method: 'POST',
    body,
    headers: clientUserAgent,
  });
  return { status: response.status, json: await response.json() };
}

export function exchange(
  platform: TestPlatform,
  signedIn: { readonly code: string; readonly verifier: string },
): Promise<TokenAnswer> {
  return postToken(platform, {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code: signedIn.code,
    code_verifier: signedIn.verifier,
  });
}

export function refresh(platform: TestPlatform, refreshToken: string): Promise<TokenAnswer> {
  return postToken(platform, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Calls the Admin API like the service. */
export async function askAdmin(
  platform: TestPlatform,
  query: string,
  token = platform.stores[0]?.accessToken ?? '',
): Promise<TokenAnswer> {
  const response = await fetch(`${platform.url}/${harbor}/admin/api/2026-07/graphql.json`, {
    method: 'POST',
    headers: { ...clientUserAgent, 'content-type': 'application/json', 'x-shopify-access-token': token },
    body: JSON.stringify({ query, variables: {} }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? '' : JSON.parse(text) };
}
