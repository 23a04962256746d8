/** The phone when answers are lost, tokens run out and the service is away: nobody is signed out without need. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from './accessible.ts';
import {
  answerInstead,
  GRAPHQL,
  loseNextAnswer,
  openPhone,
  openSignedInPhone,
  passSignInPages,
  recordRequests,
  signIn,
} from './phone-app.ts';
import { browser, stack } from './shared-phone.ts';

const UNAVAILABLE = {
  status: 503,
  body: { error: { code: 'TEMPORARILY_UNAVAILABLE', message: 'Try again.' } },
};
const START = { path: '/headless-auth/start' };
const EXCHANGE = { path: '/headless-auth/exchange' };
const REFRESH = { path: '/headless-auth/refresh' };
const SKIP = { path: GRAPHQL, operation: 'mutation Skip' };
const LIST = { path: GRAPHQL, operation: 'query Subscriptions' };
const ADA = 'ada@example.com';

async function phone(): Promise<Page> {
  return await openPhone(browser, stack);
}

async function signedInPhone(): Promise<Page> {
  const page = await openSignedInPhone(browser, stack, ADA);
  await page.clock.install();
  await card(page).waitFor();
  return page;
}

function card(page: Page) {
  return page.getByRole('list').getByRole('link').first();
}

/** What the phone has stored. */
async function stored(page: Page): Promise<{ shop: string; customerId: number; refreshToken: string }> {
  return JSON.parse(await page.evaluate<string>('localStorage.getItem("session") ?? "null"'));
}

test('a lost answer of exchange is asked for again with the same inputs', async () => {
  const page = await phone();
  const { bodies } = await loseNextAnswer(page, EXCHANGE);
  await signIn(page, stack, ADA);
  await card(page).waitFor();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual(bodies[0]);
});

test('a sign-in goes on after a reload that came before the answer of exchange', async () => {
  const page = await phone();
  await answerInstead(page, { ...EXCHANGE, ...UNAVAILABLE });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await passSignInPages(page, stack, ADA);
  await page.getByText('The service is not responding right now.').first().waitFor();
  await page.unroute(`**${EXCHANGE.path}`);
  await page.reload();
  await card(page).waitFor();
});

test('a lost answer of refresh gives the same tokens again, and nobody is signed out', async () => {
  const page = await signedInPhone();
  const { bodies } = await loseNextAnswer(page, REFRESH);
  await page.clock.fastForward('59:00');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(ADA).waitFor();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual(bodies[0]);
});

test('a lost answer of skip is asked for again, and the order is skipped once', async () => {
  const page = await signedInPhone();
  await card(page).click();
  const skip = page.getByRole('button', { name: /^Skip / }).last();
  const name = (await skip.getAttribute('aria-label')) ?? '';
  const { bodies } = await loseNextAnswer(page, SKIP);
  await skip.click();
  const undo = page.getByRole('button', { name: name.replace('Skip', 'Undo skip') });
  await undo.waitFor();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual(bodies[0]);
  expect(await page.getByText('Skipped', { exact: true }).count()).toBe(1);
  await undo.click();
  await page.getByRole('button', { name, exact: true }).waitFor();
});

test('tokens are refreshed before they run out, and only then', async () => {
  const page = await signedInPhone();
  const refreshes = recordRequests(page, REFRESH);
  await page.clock.fastForward('30:00');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(ADA).waitFor();
  expect(refreshes).toHaveLength(0);
  await page.clock.fastForward('29:00');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await card(page).click();
  await page.getByRole('heading', { name: 'Next orders' }).waitFor();
  expect(refreshes).toHaveLength(1);
});

test('two tabs whose token runs out refresh it once', async () => {
  const page = await signedInPhone();
  const other = await page.context().newPage();
  await other.clock.install();
  await other.goto(stack.phoneUrl);
  await card(other).waitFor();
  const refreshes = [recordRequests(page, REFRESH), recordRequests(other, REFRESH)];
  await Promise.all([page, other].map((tab) => tab.clock.fastForward('59:00')));
  await Promise.all([page, other].map((tab) => tab.getByRole('link', { name: 'Account' }).click()));
  await Promise.all([page, other].map((tab) => tab.getByText(ADA).waitFor()));
  expect(refreshes.flat()).toHaveLength(1);
});

test('two tabs that both lost the answer of a refresh repeat it, and both go on', async () => {
  const page = await signedInPhone();
  const other = await page.context().newPage();
  await other.goto(stack.phoneUrl);
  await card(other).waitFor();
  const lost = [await loseNextAnswer(page, REFRESH), await loseNextAnswer(other, REFRESH)];
  const before = await stored(page);
  await page.clock.fastForward('59:00');
  await Promise.all([page, other].map((tab) => tab.getByRole('link', { name: 'Account' }).click()));
  await Promise.all([page, other].map((tab) => tab.getByText(ADA).waitFor()));
  const sent = lost.flatMap(({ bodies }) => bodies as { refreshToken: string }[]);
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ refreshToken }) => refreshToken))).toEqual(new Set([before.refreshToken]));
  expect((await stored(page)).refreshToken).not.toBe(before.refreshToken);
});

test.each(['reloaded', 'killed and opened again'])(
  'a page that is %s with a refresh in flight goes on with the next pair',
  async (how) => {
    const page = await signedInPhone();
    const before = await stored(page);
    const answered = Promise.withResolvers<void>();
    await page.route(`**${REFRESH.path}`, async (route) => {
      await route.fetch();
      // The service has rotated; the page that asked does not hear of it.
      answered.resolve();
    });
    await page.clock.fastForward('59:00');
    await page.getByRole('link', { name: 'Account' }).click();
    await answered.promise;
    expect((await stored(page)).refreshToken).toBe(before.refreshToken);
    await page.unroute(`**${REFRESH.path}`);
    const next = how === 'reloaded' ? page : await page.context().newPage();
    if (next === page) await page.reload();
    else await Promise.all([page.close(), next.goto(`${stack.phoneUrl}/#/account`)]);
    await next.getByText(ADA).waitFor();
    expect((await stored(next)).refreshToken).not.toBe(before.refreshToken);
  },
);

test('in aeroplane mode the phone says so and keeps the session; back online it goes on by itself', async () => {
  const page = await signedInPhone();
  const before = await stored(page);
  await page.clock.fastForward('59:00');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText('No connection. Trying again…').waitFor();
  const heading = page.getByRole('heading', { name: 'No connection.' });
  while (!(await heading.isVisible())) await page.clock.fastForward(10_000);
  expect(await stored(page)).toEqual(before);
  await page.context().setOffline(false);
  await page.getByText(ADA).waitFor();
  expect((await stored(page)).refreshToken).not.toBe(before.refreshToken);
});

test('while the service is away the phone says so, keeps the session and goes on by itself', async () => {
  const page = await signedInPhone();
  await answerInstead(page, { ...LIST, ...UNAVAILABLE, times: 2 });
  await page.reload();
  await page.getByText('The service is not responding right now. Trying again…').waitFor();
  await card(page).waitFor();
});

test('after some tries it says what to do; the customer stays signed in', async () => {
  const page = await signedInPhone();
  await answerInstead(page, { ...LIST, ...UNAVAILABLE });
  await page.reload();
  const heading = page.getByRole('heading', { name: 'The service is not responding right now.' });
  await page.getByText('Trying again…').waitFor();
  while (!(await heading.isVisible())) await page.clock.fastForward(10_000);
  expect(
    await page
      .getByText('Nothing has been lost, and you are still signed in. Try again in a moment.')
      .isVisible(),
  ).toBe(true);
  await expectAccessible(page);
  await page.unroute(`**${GRAPHQL}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await card(page).waitFor();
});

test('a refresh that is put off does not sign anybody out', async () => {
  const page = await signedInPhone();
  await answerInstead(page, { ...REFRESH, ...UNAVAILABLE, times: 2 });
  await page.clock.fastForward('59:00');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(ADA).waitFor();
});

test('a code that the platform refuses starts the sign-in again by itself, without a form', async () => {
  const page = await phone();
  const starts = recordRequests(page, START);
  const body = { error: { code: 'SIGN_IN_REJECTED', message: 'Start again.' } };
  await answerInstead(page, { ...EXCHANGE, status: 400, body, times: 1 });
  await signIn(page, stack, ADA);
  await card(page).waitFor();
  expect(starts).toHaveLength(2);
});

test.each([
  ['another scheme', 'shop.1.evil://callback?code=c&state=s'],
  ['another state', 'REGISTERED?code=c&state=s'],
])('a redirect with %s is not taken', async (_what, callback) => {
  const page = await phone();
  const exchanges = recordRequests(page, EXCHANGE);
  const started = page.waitForResponse(`**${START.path}`);
  await page.route('**/authentication/**', async (route) => {
    const { redirectUri } = await (await started).json();
    const content = callback.replace('REGISTERED', redirectUri).replace('&', '&amp;');
    await route.fulfill({
      contentType: 'text/html',
      body: `<meta name="callback-url" content="${content}">`,
    });
  });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This sign-in could not be verified.').waitFor();
  expect(exchanges).toHaveLength(0);
});

test('a session ended elsewhere leads back to the sign-in, with a word on why', async () => {
  const page = await signedInPhone();
  const { shop, customerId, refreshToken } = await stored(page);
  await fetch(`${stack.baseUrl}/headless-auth/revoke`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shop, customerId, refreshToken }),
  });
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText('You have been signed out.').waitFor();
  expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
  await expectAccessible(page);
  expect(await stored(page)).toBeNull();
});

test('a sign-in can be called off, by button and by Escape', async () => {
  const page = await phone();
  const enter = page.getByRole('button', { name: 'Sign in' });
  await enter.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await enter.and(page.locator(':focus')).waitFor();
  await enter.click();
  await page.frameLocator('dialog iframe').locator('input[name=email]:focus').waitFor();
  await page.keyboard.press('Escape');
  await enter.and(page.locator(':focus')).waitFor();
});

test('a sign-out that the service did not hear is told again', async () => {
  const page = await signedInPhone();
  const { shop, customerId, refreshToken } = await stored(page);
  await page.route('**/headless-auth/revoke', (route) => route.abort());
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await stored(page)).toBeNull();
  await page.unroute('**/headless-auth/revoke');
  const told = page.waitForRequest((request) => request.url().endsWith('/headless-auth/revoke'));
  await page.reload();
  expect((await told).postDataJSON()).toEqual({ shop, customerId, refreshToken });
});

// The last one: it moves the clock of the whole stack.
test('a token that the service refuses before its time is refreshed once, and the screen goes on', async () => {
  const page = await signedInPhone();
  const refreshes = recordRequests(page, REFRESH);
  await stack.control.clock({ advance: 3700 });
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(ADA).waitFor();
  expect(refreshes).toHaveLength(1);
});
