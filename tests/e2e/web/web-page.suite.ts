/**
 * The web page of examples/plain-page in a real browser, in front of the service and the emulated platform: how it signs
 * in, and what an attacker can do with another page, an address, or the redirect.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { createHands } from '../../operator/operator-hands.ts';
import { browser, stack } from '../shared-web-app.ts';
import { startWebSite, type WebSite } from './web-site.ts';

const ADA = 'ada@example.com';
const BEN = 'ben@example.com';
const MAX_WAIT_MS = 20_000;

/** The site of the first store, the site of the second store, and a site of nobody. */
let site: WebSite;
let otherSite: WebSite;
let evilSite: WebSite;
let otherShop: string;

const operate = (...line: readonly string[]) => createHands(stack).command(line);
const addressOf = ({ origin }: WebSite, path = '/account') => origin + path;

/** Registers pages at the platform, as the merchant does. Returns the client id of web pages. */
async function register(shop: string, pages: readonly string[]): Promise<string> {
  // The first store has the phone page, too.
  const webRedirectUris = shop === stack.shop ? [`${stack.phoneUrl}/`, ...pages] : pages;
  const response = await fetch(`${stack.platformUrl}/_control/client`, {
    method: 'POST',
    body: JSON.stringify({ shop, webRedirectUris }),
  });
  return ((await response.json()) as { webClientId: string }).webClientId;
}

async function enter(shop: string, ...pages: readonly string[]): Promise<void> {
  const webClientId = await register(shop, pages);
  for (const page of pages)
    await operate('store', 'update', shop, '--add-redirect-uri', page, '--web-client-id', webClientId);
}

beforeAll(async () => {
  const [, second] = stack.stores;
  otherShop = second?.shop ?? '';
  const { baseUrl: serviceUrl, shop } = stack;
  site = await startWebSite({ serviceUrl, shop });
  otherSite = await startWebSite({ serviceUrl, shop: otherShop });
  evilSite = await startWebSite({ serviceUrl, shop });
  await enter(shop, addressOf(site), addressOf(site, '/second'));
  await enter(otherShop, addressOf(otherSite));
});

afterAll(() => Promise.all([site, otherSite, evilSite].map((each) => each?.close())));

/** A person's browser: no cookies, nothing stored. */
async function openBrowser(): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(MAX_WAIT_MS);
  return context;
}

async function open(address: string, context?: BrowserContext): Promise<Page> {
  const page = await (context ?? (await openBrowser())).newPage();
  await page.goto(address);
  return page;
}

/** Waits until the page has no request left, so that an exchange would have been sent. */
const settle = (page: Page) => page.waitForLoadState('networkidle');
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' });
const signOutButton = (page: Page) => page.getByRole('button', { name: 'Sign out' });

/** The platform's pages, until the browser returns to the site. */
async function passSignInPages(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=email]').press('Enter');
  await page.locator('input[name=code]').fill(await stack.control.oneTimeCode(email));
  await page.locator('input[name=code]').press('Enter');
}

async function signIn(page: Page, email: string): Promise<void> {
  await signInButton(page).click();
  await passSignInPages(page, email);
  await signOutButton(page).waitFor();
}

const stored = (page: Page, storage: 'localStorage' | 'sessionStorage') =>
  page.evaluate<Record<string, string>>(`Object.fromEntries(Object.entries(${storage}))`);

type Answered = { readonly status: number; readonly code?: string | undefined };

type Sent = {
  readonly body?: object;
  readonly bearer?: string;
  /** The store in the query; the first one by default. */
  readonly shop?: string;
};

/** Sends a request from the page. Returns undefined when the browser does not send it, or hides the response. */
function fetchFrom(
  page: Page,
  path: string,
  { body = QUERY, bearer, shop = stack.shop }: Sent,
): Promise<Answered | undefined> {
  const headers = {
    'content-type': 'application/json',
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  };
  const init = { method: path.endsWith('/revoke') ? 'DELETE' : 'POST', headers, body: JSON.stringify(body) };
  return page.evaluate<Answered | undefined>(`(async () => {
    try {
      const response = await fetch(${JSON.stringify(`${stack.baseUrl}${path}?shop=${shop}`)}, ${JSON.stringify(init)});
      const json = await response.json();
      return { status: response.status, code: (json.error ?? json.errors?.[0]?.extensions)?.code };
    } catch {
      return undefined;
    }
  })()`);
}

/** The error codes of the requests to this path that the function has logged. */
const loggedCodes = (path: string) =>
  stack
    .logs()
    .filter((line) => line.message === 'request' && line.path === path && line.method !== 'OPTIONS')
    .map(({ errorCode }) => errorCode);

/** Starts a sign-in for the page without a browser, as anyone can. */
async function startOverHttp(): Promise<{ readonly authUrl: string }> {
  const response = await fetch(`${stack.baseUrl}/headless-auth/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shop: stack.shop, redirectUri: addressOf(site) }),
  });
  return (await response.json()) as { authUrl: string };
}

const GRAPHQL = '/api/storefront/unstable/graphql.json';
const QUERY = { query: '{ serviceInfo { sendNow } }' };
const NOT_ALLOWED = { status: 403, code: 'ORIGIN_NOT_ALLOWED' };

describe('a page that the operator has entered', () => {
  test('signs a customer in, shows the subscriptions, and signs out', async () => {
    const page = await open(addressOf(site));
    await signIn(page, ADA);
    await page.getByRole('listitem').first().waitFor();
    expect(page.url()).toBe(addressOf(site));
    const session = JSON.parse(
      (await stored(page, 'localStorage'))[`subscriptions.${stack.shop}.session`] ?? '',
    );
    expect(session.refreshToken).toMatch(/^SVC_RT_/);
    expect(await stored(page, 'sessionStorage')).toEqual({});
    await signOutButton(page).click();
    await signInButton(page).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(0);
  });

  test('stays signed in after a reload, in another tab, and when its access token has expired', async () => {
    const page = await open(addressOf(site));
    await signIn(page, ADA);
    const tab = await open(addressOf(site), page.context());
    await signOutButton(tab).waitFor();
    const expired = loggedCodes(GRAPHQL).length;
    await stack.control.clock({ advance: 2 * 3600 });
    await page.reload();
    await page.getByRole('listitem').first().waitFor();
    // The page could read the 401 of its expired token, and then refreshed.
    expect(loggedCodes(GRAPHQL).slice(expired)).toContain('UNAUTHENTICATED');
  });

  test('signs in at a second page of the same store', async () => {
    const page = await open(addressOf(site, '/second'));
    await signIn(page, BEN);
    expect(page.url()).toBe(addressOf(site, '/second'));
  });

  test('says nothing when the customer closes the sign-in', async () => {
    const page = await open(addressOf(site));
    await signInButton(page).click();
    await page.getByRole('button', { name: /cancel/i }).click();
    await signInButton(page).waitFor();
    expect(page.url()).toBe(addressOf(site));
    expect(await page.getByRole('status').textContent()).toBe('');
  });
});

describe("an attacker's page", () => {
  test('reads nothing, and what it sends has no effect, even with stolen tokens', async () => {
    const victim = await open(addressOf(site));
    await signIn(victim, ADA);
    // The page still reads the list.
    await settle(victim);
    const { [`subscriptions.${stack.shop}.session`]: text = '' } = await stored(victim, 'localStorage');
    const { accessToken, refreshToken, customerId } = JSON.parse(text);
    const own = { shop: stack.shop, customerId, refreshToken };
    const evil = await open(evilSite.origin);
    const paths = ['start', 'exchange', 'refresh', 'revoke', 'storefront-token'].map(
      (step) => `/headless-auth/${step}`,
    );
    const received = () => [GRAPHQL, ...paths].map((path) => loggedCodes(path).length);
    const before = received();
    for (const shop of [stack.shop, otherShop, '']) {
      const body = { ...own, code: 'c', verifier: 'v', nonce: 'n', redirectUri: addressOf(site) };
      for (const path of paths) expect(await fetchFrom(evil, path, { body, shop })).toBeUndefined();
      expect(await fetchFrom(evil, GRAPHQL, { bearer: accessToken, shop })).toBeUndefined();
    }
    // The browser sent preflights only, which count for no limit of the visitor's address.
    expect(received()).toEqual(before);
    // Neither the session nor its refresh token was touched.
    expect(await fetchFrom(victim, GRAPHQL, { bearer: accessToken })).toEqual({ status: 200 });
    expect(await fetchFrom(victim, '/headless-auth/refresh', { body: own })).toEqual({ status: 200 });
  });

  test('cannot name itself as the page, from wherever it sends the request', async () => {
    const evil = addressOf(evilSite);
    const page = await open(addressOf(site));
    const named = { shop: stack.shop, redirectUri: evil };
    const refused = { status: 400, code: 'INVALID_REDIRECT_URI' };
    expect(await fetchFrom(page, '/headless-auth/start', { body: named })).toEqual(refused);
  });
});

describe('the page of another store', () => {
  test('may call for its own store, and for no other', async () => {
    const page = await open(addressOf(otherSite));
    const path = '/headless-auth/storefront-token';
    const ask = (shop: string, inQuery: string) => fetchFrom(page, path, { body: { shop }, shop: inQuery });
    expect(await ask(otherShop, otherShop)).toEqual({ status: 200 });
    expect(await ask(stack.shop, otherShop)).toEqual(NOT_ALLOWED);
    expect(await ask(stack.shop, stack.shop)).toBeUndefined();
    expect(await ask(otherShop, stack.shop)).toBeUndefined();
  });

  test('cannot use the token of a customer of this store', async () => {
    const victim = await open(addressOf(site));
    await signIn(victim, ADA);
    const { [`subscriptions.${stack.shop}.session`]: text = '' } = await stored(victim, 'localStorage');
    const { accessToken: bearer } = JSON.parse(text);
    const page = await open(addressOf(otherSite));
    expect(await fetchFrom(page, GRAPHQL, { bearer, shop: otherShop })).toEqual(NOT_ALLOWED);
    expect(await fetchFrom(page, GRAPHQL, { bearer })).toBeUndefined();
  });

  test('is no redirect URI of this store', async () => {
    const page = await open(addressOf(site));
    const named = { shop: stack.shop, redirectUri: addressOf(otherSite) };
    const refused = { status: 400, code: 'INVALID_REDIRECT_URI' };
    expect(await fetchFrom(page, '/headless-auth/start', { body: named })).toEqual(refused);
  });
});

describe('an open redirect of the site', () => {
  test('is reached by no sign-in: neither at the service nor at the platform', async () => {
    const redirecting = `${site.origin}/go?to=${evilSite.origin}/`;
    const page = await open(addressOf(site));
    const refused = { status: 400, code: 'INVALID_REDIRECT_URI' };
    for (const redirectUri of [
      redirecting,
      `${addressOf(site)}/../go?to=${evilSite.origin}`,
      `${site.origin}/go`,
    ])
      expect(
        await fetchFrom(page, '/headless-auth/start', { body: { shop: stack.shop, redirectUri } }),
      ).toEqual(refused);
    await signInButton(page).click();
    await page.locator('input[name=email]').waitFor();
    const altered = new URL((await startOverHttp()).authUrl);
    altered.searchParams.set('redirect_uri', redirecting);
    const response = await page.goto(altered.href);
    expect(response?.status()).toBe(400);
    expect(new URL(page.url()).origin).toBe(stack.platformUrl);
    expect(evilSite.visits.filter((visit) => visit.includes('code='))).toEqual([]);
  });
});

describe('an address with a code', () => {
  /** Signs in up to the redirect; the page does not receive the code. */
  async function catchCallback(email: string): Promise<{ readonly page: Page; readonly address: string }> {
    const page = await open(addressOf(site));
    site.catchNext();
    await signInButton(page).click();
    await passSignInPages(page, email);
    await page.waitForURL(/[?&]code=/);
    return { page, address: page.url() };
  }

  test('signs nobody in when it belongs to another person', async () => {
    const { address } = await catchCallback(BEN);
    const exchanges = loggedCodes('/headless-auth/exchange').length;
    const victim = await open(address);
    await settle(victim);
    await signInButton(victim).waitFor();
    expect(victim.url()).toBe(addressOf(site));
    expect(await stored(victim, 'localStorage')).toEqual({});
    // Also with an open sign-in of its own.
    await signInButton(victim).click();
    await victim.locator('input[name=email]').waitFor();
    await victim.goto(address);
    await settle(victim);
    await signInButton(victim).waitFor();
    expect(loggedCodes('/headless-auth/exchange')).toHaveLength(exchanges);
  });

  test('reaches only the page when an attacker has started the sign-in, and the page drops it', async () => {
    const victim = await open(addressOf(site));
    await signIn(victim, ADA);
    const before = await stored(victim, 'localStorage');
    const exchanges = loggedCodes('/headless-auth/exchange').length;
    const { authUrl } = await startOverHttp();
    // The customer is signed in at the platform, so that no form asks before the redirect.
    await victim.goto(authUrl);
    await settle(victim);
    await signOutButton(victim).waitFor();
    expect(site.visits.at(-1)).toMatch(/^\/account\?code=.*state=/);
    expect(victim.url()).toBe(addressOf(site));
    expect(await stored(victim, 'localStorage')).toEqual(before);
    expect(loggedCodes('/headless-auth/exchange')).toHaveLength(exchanges);
  });

  test('is not taken by another tab of the same browser, and the first tab can still use it', async () => {
    const { page, address } = await catchCallback(ADA);
    const exchanges = loggedCodes('/headless-auth/exchange').length;
    const tab = await open(address, page.context());
    await settle(tab);
    await signInButton(tab).waitFor();
    expect(loggedCodes('/headless-auth/exchange')).toHaveLength(exchanges);
    await page.goto(address);
    await signOutButton(page).waitFor();
  });
});

describe('a list that changes during a sign-in', () => {
  test('refuses the code of a page that was removed, and accepts the next sign-in once it is entered again', async () => {
    const page = await open(addressOf(site, '/second'));
    await signInButton(page).click();
    await page.locator('input[name=email]').waitFor();
    await operate('store', 'update', stack.shop, '--remove-redirect-uri', addressOf(site, '/second'));
    await passSignInPages(page, ADA);
    await page.getByText('That did not work. Please try again.').waitFor();
    expect(loggedCodes('/headless-auth/exchange').at(-1)).toBe('SIGN_IN_REJECTED');
    expect(await stored(page, 'localStorage')).toEqual({});
    await operate('store', 'update', stack.shop, '--add-redirect-uri', addressOf(site, '/second'));
    await signInButton(page).click();
    await signOutButton(page).waitFor();
  });

  test('closes the service to the pages of an origin that was removed, and ends no session', async () => {
    const page = await open(addressOf(otherSite));
    await signIn(page, 'erin@example.com');
    const { [`subscriptions.${otherShop}.session`]: text = '' } = await stored(page, 'localStorage');
    const { accessToken: bearer } = JSON.parse(text);
    await operate('store', 'update', otherShop, '--remove-redirect-uri', addressOf(otherSite));
    expect(await fetchFrom(page, GRAPHQL, { bearer, shop: otherShop })).toBeUndefined();
    await operate('store', 'update', otherShop, '--add-redirect-uri', addressOf(otherSite));
    expect(await fetchFrom(page, GRAPHQL, { bearer, shop: otherShop })).toEqual({ status: 200 });
  });
});
