/** The sign-in and sign-out of examples/web when something is lost, refused, forged or called off. */
import { expect, test } from '@jest/globals';
import { expectAccessible } from './accessible.ts';
import { stack } from './shared-web-app.ts';
import {
  answerInstead,
  loseNextAnswer,
  passSignInPages,
  patternOf,
  recordRequests,
  signIn,
} from './web-app.ts';
import { ADA, card, phone, signedInPhone, stored, UNAVAILABLE } from './web-app-trouble.ts';

const START = { path: '/headless-auth/start' };
const EXCHANGE = { path: '/headless-auth/exchange' };
const REVOKE = { path: '/headless-auth/revoke' };

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
  await page.unroute(patternOf(EXCHANGE));
  await page.reload();
  await card(page).waitFor();
});

test('after a code that the platform refuses, the next sign-in needs no form', async () => {
  const page = await phone();
  const starts = recordRequests(page, START);
  const body = { error: { code: 'SIGN_IN_REJECTED', message: 'Start again.' } };
  await answerInstead(page, { ...EXCHANGE, status: 400, body, times: 1 });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await passSignInPages(page, stack, ADA);
  await page.getByRole('alert').getByText('The sign-in took too long.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await card(page).waitFor();
  expect(starts).toHaveLength(2);
});

test('a redirect of a sign-in that this tab did not start is not taken', async () => {
  const page = await phone();
  const exchanges = recordRequests(page, EXCHANGE);
  await page.goto(`${stack.phoneUrl}/?code=c&state=s`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(await page.getByRole('alert').count()).toBe(0);
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
  expect(await stored(page)).toBeFalsy();
});

test('a sign-in can be called off: the way back leads to the sign-in button', async () => {
  const page = await phone();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('input[name=email]:focus').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a sign-out that the service did not hear is told again', async () => {
  const page = await signedInPhone();
  const { shop, customerId, refreshToken } = await stored(page);
  await page.route(patternOf(REVOKE), (route) => route.abort());
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await stored(page)).toBeFalsy();
  await page.unroute(patternOf(REVOKE));
  const reported = page.waitForRequest((request) => request.url().includes(REVOKE.path));
  await page.reload();
  expect((await reported).postDataJSON()).toEqual({ shop, customerId, refreshToken });
});
