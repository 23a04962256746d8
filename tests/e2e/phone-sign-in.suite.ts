/** The phone's sign-in and sign-out when something is lost, refused, forged or called off. */
import { expect, test } from '@jest/globals';
import { expectAccessible } from './accessible.ts';
import { answerInstead, loseNextAnswer, passSignInPages, recordRequests, signIn } from './phone-app.ts';
import { ADA, card, phone, signedInPhone, stored, UNAVAILABLE } from './phone-trouble.ts';
import { stack } from './shared-phone.ts';

const START = { path: '/headless-auth/start' };
const EXCHANGE = { path: '/headless-auth/exchange' };

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
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await stored(page)).toBeNull();
  await page.unroute('**/headless-auth/revoke');
  const reported = page.waitForRequest((request) => request.url().endsWith('/headless-auth/revoke'));
  await page.reload();
  expect((await reported).postDataJSON()).toEqual({ shop, customerId, refreshToken });
});
