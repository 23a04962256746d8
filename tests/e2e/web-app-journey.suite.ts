/** A customer's journey in the app of examples/web without faults: sign in, read, skip, undo, sign out. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ask, signIn as signInOverHttp } from '../contract/world/service-client.ts';
import { expectAccessible } from './accessible.ts';
import { adasPhone, browser, stack } from './shared-web-app.ts';
import { GRAPHQL, openPhone, openSignedInPhone, recordRequests, signIn } from './web-app.ts';

let page: Page;

/** A phone of its own for each test. */
async function phone(options?: Parameters<typeof openPhone>[2]): Promise<Page> {
  page = await openPhone(browser, stack, options);
  return page;
}

/** Opens a phone with a signed-in customer, for tests of the steps after the sign-in. */
async function signedInPhone(email: string): Promise<Page> {
  page = await openSignedInPhone(browser, stack, email);
  return page;
}

test('a customer signs in, sees the subscriptions, skips an order and takes it back', async () => {
  await phone();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 568 });
  const enter = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
  expect((enter?.y ?? 568) + (enter?.height ?? 0)).toBeLessThanOrEqual(568);
  await signIn(page, stack, 'ada@example.com');
  const cards = page.getByRole('list').getByRole('link');
  await cards.first().waitFor();
  await expectAccessible(page);
  expect(await cards.count()).toBe(3);
  expect(await page.getByText('Hello, Ada').isVisible()).toBe(true);
  expect(await page.getByText('Paused', { exact: true }).count()).toBe(1);
  expect(await cards.first().textContent()).toMatch(
    /\$\d+\.\d\d every week.*Active.*Next order: \w{3}, \w+ \d+/,
  );

  await cards.first().click();
  const skips = page.getByRole('button', { name: /^Skip / });
  await skips.first().waitFor();
  const before = await nextOrder();
  await skips.first().click();
  await page.getByRole('button', { name: `Undo skip ${before}` }).waitFor();
  const toast = await page.locator('.toast span span').textContent();
  expect(toast).toMatch(/^You skipped /);
  await page.getByRole('region', { name: 'History' }).getByText(`${toast}`).waitFor();
  await expectAccessible(page);
  const after = await nextOrder();
  expect(after).not.toBe(before);

  // The list follows the billing cycles, so it shows the order after the skipped one.
  await page.getByRole('link', { name: 'Subscriptions' }).first().click();
  await page.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
  await cards.first().getByText(after).waitFor();

  await cards.first().click();
  await page.getByRole('button', { name: `Undo skip ${before}` }).click();
  await page.getByRole('button', { name: `Skip ${before}`, exact: true }).waitFor();
  expect(await nextOrder()).toBe(before);
  await restored();
});

/** The page shows a change at once: waits until the service has made it. */
const restored = () => page.locator('.toast', { hasText: /^You restored / }).waitFor();

/** The date of the order that is marked as the next one. */
async function nextOrder(): Promise<string> {
  return (
    (await page.getByRole('listitem').filter({ hasText: 'Next order' }).locator('time').textContent()) ?? ''
  );
}

test('shows the first screen after one request', async () => {
  await signedInPhone('ada@example.com');
  await page.getByRole('list').getByRole('link').first().waitFor();
  const requests = recordRequests(page, { path: GRAPHQL });
  await page.reload();
  await page.getByText('Hello, Ada').waitFor();
  await page.getByRole('list').getByRole('link').nth(2).waitFor();
  await page.waitForLoadState('networkidle');
  expect(requests).toHaveLength(1);
});

test('an order skipped by mistake comes back with Undo', async () => {
  page = await adasPhone();
  await page.getByRole('list').getByRole('link').nth(1).click();
  const skip = page.getByRole('button', { name: /^Skip / }).last();
  const name = (await skip.getAttribute('aria-label')) ?? '';
  await skip.click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).waitFor();
  await restored();
});

test('the whole way goes by keyboard, and the focus stays with what was done', async () => {
  await phone();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await tabTo('Sign in');
  await page.keyboard.press('Enter');
  // The first field of each page has the focus already.
  await page.locator('input[name=email]:focus').waitFor();
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Enter');
  await page.locator('input[name=code]:focus').waitFor();
  await page.keyboard.type(await stack.control.oneTimeCode('ada@example.com'));
  await page.keyboard.press('Enter');
  await page.getByRole('list').getByRole('link').first().waitFor();
  await page.locator('h1:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /^Skip / })
    .first()
    .waitFor();
  await page.locator('h1:focus').waitFor();
  await page.keyboard.press('Tab');
  const name = (await page.locator(':focus').getAttribute('aria-label')) ?? '';
  expect(name).toMatch(/^Skip /);
  await page.keyboard.press('Enter');
  await page.locator('button:focus', { hasText: 'Undo skip' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
  await restored();
});

async function tabTo(label: string): Promise<void> {
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(':focus').textContent()) === label) return;
  }
  throw new Error(`Tab does not reach "${label}".`);
}

test('a screen reader finds landmarks, headings, and a name for every control', async () => {
  page = await adasPhone();
  await page.getByRole('list').getByRole('link').first().click();
  await page
    .getByRole('button', { name: /^Skip / })
    .first()
    .waitFor();
  const snapshot = await page.locator('body').ariaSnapshot();
  expect(snapshot).toMatch(/- main:[\s\S]*- heading "[^"]+" \[level=1\]/);
  expect(snapshot).toMatch(/- region "Next orders":[\s\S]*- button "Skip \w{3}, \w+ \d+"/);
  expect(snapshot).toContain('- navigation "App":');
  expect(snapshot).not.toMatch(/- (button|link|img)(:|$)/m);
});

test('a customer with 250 subscriptions pages through them', async () => {
  await signedInPhone('carla@example.com');
  const cards = page.getByRole('list').getByRole('link');
  await cards.nth(19).waitFor();
  expect(await cards.count()).toBe(20);
  await page.getByRole('button', { name: 'Show more' }).click();
  await cards.nth(39).waitFor();
  expect(await cards.count()).toBe(40);
});

test('shows a customer without subscriptions that there are none', async () => {
  await signedInPhone('dan@example.com');
  await page.getByRole('heading', { name: 'No subscriptions yet' }).waitFor();
  await expectAccessible(page);
});

test('it is dark where the system is dark, and light where it is light', async () => {
  for (const [colorScheme, isDark] of [
    ['dark', true],
    ['light', false],
  ] as const) {
    await phone({ colorScheme });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const brightness = Math.max(...(colour.match(/\d+/g) ?? []).map(Number));
    expect(brightness < 64).toBe(isDark);
  }
});

test('the account says who is signed in; signing out clears the phone and ends the session', async () => {
  await signedInPhone('ben@example.com');
  await page.getByRole('list').getByRole('link').filter({ hasText: 'Payment failed' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText('ben@example.com').waitFor();
  await expectAccessible(page);
  const revoked = page.waitForResponse((response) => response.url().includes('/headless-auth/revoke'));
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await (await revoked).json()).toEqual({ revoked: true });
  // The page forgets the sign-out when it has read the answer.
  while (await page.evaluate('localStorage.length + sessionStorage.length > 0'));
});

test('the account shows where a customer is signed in, and signs other devices out', async () => {
  const others = [];
  for (const _ of [1, 2, 3]) others.push(await signInOverHttp(stack, 'ben@example.com'));
  await signedInPhone('ben@example.com');
  await page.getByRole('link', { name: 'Account' }).click();
  const section = page.getByRole('region', { name: 'Where you are signed in' });
  await section.getByText('This browser').waitFor();
  expect(await section.getByRole('listitem').count()).toBe(4);
  await expectAccessible(page);
  const [newest] = await section.getByRole('button', { name: /^Sign out .*signed in / }).all();
  await newest?.focus();
  await page.keyboard.press('Enter');
  await page.locator('.toast', { hasText: 'is signed out.' }).waitFor();
  await section.getByRole('listitem').nth(3).waitFor({ state: 'detached' });
  expect(await section.getByRole('listitem').count()).toBe(3);

  await section.getByRole('button', { name: 'Sign out all other devices' }).click();
  await page.locator('.toast', { hasText: 'All other devices are signed out.' }).waitFor();
  await section.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
  for (const { accessToken } of others) {
    const query = { query: '{ serviceInfo { storeName } }', bearer: accessToken };
    expect((await ask(stack, 'customer', query)).status).toBe(401);
  }
});

test('the page sends requests to the service and the store only', async () => {
  await phone();
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.reload();
  await signIn(page, stack, 'ada@example.com');
  await page.getByRole('list').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Next orders' }).waitFor();
  // The platform has the sign-in and the pictures.
  const known = [stack.baseUrl, stack.phoneUrl, stack.platformUrl].map((url) => new URL(url).origin);
  expect([...hosts].sort()).toEqual(known.sort());
  expect(complaints.filter((text) => !text.includes('Blocked autofocusing'))).toEqual([]);
});

test('the platform’s own pages are good to read, too', async () => {
  page = await phone();
  const started = await fetch(`${stack.baseUrl}/headless-auth/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shop: stack.shop }),
  });
  const { authUrl } = (await started.json()) as { authUrl: string };
  await page.goto(authUrl);
  await expectAccessible(page);
  await page.getByLabel('Email').fill('dan@example.com');
  await page.keyboard.press('Enter');
  await page.getByLabel('Code', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  // An invalid sign-in request, the mailbox, and the list of pages.
  for (const path of [new URL(authUrl).pathname, '/_mailbox', '/']) {
    await page.goto(`${stack.platformUrl}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page);
  }
});
