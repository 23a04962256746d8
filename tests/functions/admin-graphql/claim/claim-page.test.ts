import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../../../e2e/accessible.ts';
import { launchBrowser } from '../../../e2e/browser.ts';
import { tryKey } from '../../../lib/stores/world/merchant.ts';
import { type ClaimWorld, createClaimWorld } from './claim-world.ts';

let world: ClaimWorld;
let browser: Browser;
let page: Page;
const troubles: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([createClaimWorld(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});
beforeEach(async () => {
  page = await browser.newPage();
  troubles.length = 0;
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (403|4\d\d|5\d\d)/.test(message.text()))
      troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
});
afterEach(() => page.close());

describe('a merchant', () => {
  test('types the domain, sees the key once, and it works', async () => {
    const link = await world.link();
    await page.goto(link.address);
    await expectAccessible(page);
    await page.getByLabel('Your store’s domain').fill(link.domain.replace('.myshopify.com', ''));
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByRole('heading', { name: 'Your admin key for Harbor Coffee' }).waitFor();
    await expectAccessible(page);
    const key = (await page.getByLabel('Admin key').textContent()) ?? '';
    expect(await tryKey(world.deps, key)).toBe('ok');
    expect(page.url()).not.toContain('#');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: /^(Copied|Selected)/ }).waitFor();
    expect(JSON.stringify(world.requests)).not.toContain(link.issued.fragment);
    world.advance(121_000);
    await page.goto(link.address);
    await page.reload();
    await page.getByRole('heading', { name: 'This link can no longer be opened' }).waitFor();
    await expectAccessible(page);
    expect(troubles).toEqual([]);
  });

  test('shows an error for a wrong domain, and lets the merchant try again', async () => {
    const link = await world.link();
    await page.goto(link.address);
    await page.getByLabel('Your store’s domain').fill('other.myshopify.com');
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByRole('alert').getByText('not for a store with that domain').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Your store’s domain').fill(link.domain);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByRole('heading', { name: /^Your admin key/ }).waitFor();
  });

  test('shows the key when the first response is lost', async () => {
    const link = await world.link();
    let lost = 0;
    await page.route('**/admin-keys/claim/*', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.goto(link.address);
    await page.getByLabel('Your store’s domain').fill(link.domain);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByRole('heading', { name: /^Your admin key/ }).waitFor();
    expect(lost).toBe(2);
  });

  test('shows the key a moment later when the gateway throttles the first request', async () => {
    const link = await world.link();
    let turnedAway = 0;
    await page.route('**/admin-keys/claim/*', (route) =>
      route.request().method() !== 'POST' || turnedAway++ > 0
        ? route.continue()
        : route.fulfill({ status: 429, json: { message: 'Too Many Requests' } }),
    );
    await page.goto(link.address);
    await page.getByLabel('Your store’s domain').fill(link.domain);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByRole('heading', { name: /^Your admin key/ }).waitFor();
    expect(turnedAway).toBe(2);
  });

  test('shows what is missing in half a link', async () => {
    const link = await world.link();
    await page.goto(`${world.url}${link.path}`);
    await page.getByRole('alert').getByText('This link is incomplete').waitFor();
    expect(await page.getByRole('button', { name: 'Show the key' }).isDisabled()).toBe(true);
  });
});

describe('a mail scanner', () => {
  test('a mail scanner that opens the whole link, runs its scripts and submits everything opens no key', async () => {
    const link = await world.link();
    await page.goto(link.address);
    for (const button of await page.locator('button, a, input, summary').all())
      await button.click({ force: true, timeout: 500 }).catch(() => undefined);
    await page.evaluate(`
      for (const form of document.forms) form.requestSubmit();
      fetch(location.pathname, { method: 'POST', body: new URLSearchParams({ domain: 'test' }) });
      fetch(location.pathname, { method: 'POST', body: '{"domain":"test"}', headers: { 'content-type': 'application/json' } });
    `);
    for (const junk of ['test', 'scanner@example.com', 'https://example.com/']) {
      await page.locator('input').first().fill(junk);
      await page.keyboard.press('Enter');
    }
    await page.reload();
    const found = await world.find(link.issued.linkId);
    expect(found?.claimId).toBeUndefined();
    await page.getByLabel('Your store’s domain').fill(link.domain);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByRole('heading', { name: /^Your admin key/ }).waitFor();
  });
});
