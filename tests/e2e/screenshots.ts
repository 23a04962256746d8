/** `npm run screenshots`: the pictures of the phone page in the README, taken from the running app. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openPhone, type PhoneStack, signIn, startStackAndBrowser } from './web-app.ts';

const FOLDER = join(import.meta.dirname, '../../docs/images');
const CUSTOMER = 'ada@example.com';

async function takeScreenshots(browser: Browser, stack: PhoneStack): Promise<void> {
  const page = await openPhone(browser, stack, { deviceScaleFactor: 2 });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await take(page, 'phone-welcome');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('input[name=email]').fill(CUSTOMER);
  await take(page, 'phone-sign-in');
  await page.goBack();
  await signIn(page, stack, CUSTOMER);
  await takeList(page, 'phone-list');
  await page.getByRole('list').getByRole('link').nth(1).click();
  await page
    .getByRole('button', { name: /^Skip / })
    .first()
    .click();
  await page.getByRole('button', { name: /^Undo skip/ }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await take(page, 'phone-subscription');
  await page.getByRole('button', { name: /^Undo skip/ }).click();
  await page.getByText('You restored').first().waitFor();
  await takeChanges(page);

  const dark = await openPhone(browser, stack, { deviceScaleFactor: 2, colorScheme: 'dark' });
  await signIn(dark, stack, CUSTOMER);
  await takeList(dark, 'phone-dark');
}

/** Takes the sheets that change a subscription, and the history of the changes. */
async function takeChanges(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog');
  await page
    .getByRole('button', { name: /^Change Harbor/ })
    .first()
    .click();
  await sheet.getByRole('radio').nth(2).check();
  await take(page, 'phone-swap');
  await sheet.getByLabel('Quantity').fill('3');
  await sheet.getByRole('radio').first().check();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.locator('.toast', { hasText: 'You changed' }).waitFor();
  await page.getByRole('button', { name: 'Change how often it comes' }).click();
  await sheet.getByRole('radio', { name: /Every 2 weeks/ }).check();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.locator('.toast', { hasText: 'how often' }).waitFor();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await sheet.getByRole('radio').first().waitFor();
  await take(page, 'phone-cancel');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(
    "window.scrollTo(0, document.querySelector('.timeline').getBoundingClientRect().top + scrollY - 200)",
  );
  await take(page, 'phone-history');
}

async function takeList(page: Page, name: string): Promise<void> {
  await page.getByRole('list').getByRole('link').nth(2).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await take(page, name);
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForFunction('[...document.images].every((image) => image.complete)');
  // The frame after a scroll draws the images that it made visible.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}

mkdirSync(FOLDER, { recursive: true });
const { browser, stack, stop } = await startStackAndBrowser();
try {
  await takeScreenshots(browser, stack);
} finally {
  await stop();
}
