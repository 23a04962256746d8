/** The service, a browser and the sites of the clients' tests: started before the first, closed after the last. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signIn } from '../../contract/world/service-client.ts';
import { launchBrowser } from '../../e2e/browser.ts';
import { sessionKey, sessionText } from '../../e2e/web-app.ts';
import { startTestStack, type TestStack } from '../../stack.ts';
import { MANY_POINTS } from '../../stack-control.ts';
import { type Site, startSite } from './app-site.ts';

/** Long enough for a busy machine. */
const MAX_WAIT_MS = 60_000;

export const ADA = 'ada@example.com';
export const BEN = 'ben@example.com';
/** Of Ada: weekly, active. */
export const ADAS_CONTRACT = '9101001';

export let stack: TestStack;
export let browser: Browser;
/** The site of the app of this folder. */
export let site: Site;
/** The site of examples of documents, whose page `/account` is entered for the store. */
export let exampleSite: Site;

beforeAll(async () => {
  [site, exampleSite] = await Promise.all([startSite(), startSite()]);
  const allowOrigins = [site.origin, exampleSite.origin];
  stack = await startTestStack({ allowOrigins, pages: [`${exampleSite.origin}/account`] });
  browser = await launchBrowser();
  await stack.control.throttle(stack.shop, MANY_POINTS);
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await Promise.all([site?.close(), exampleSite?.close()]);
  await browser?.close();
  await stack?.stop();
});

/** A person's browser: no cookies, nothing stored. */
export async function openContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(MAX_WAIT_MS);
  return context;
}

/** Stores a new session of the customer in the browser, as the app does after a sign-in. */
export async function storeSession(context: BrowserContext, email: string): Promise<void> {
  const session = await signIn(stack, email);
  const page = await context.newPage();
  await page.goto(`${site.origin}/empty`);
  const [key, text] = [sessionKey(stack), sessionText({ ...session, state: 'none' })].map((one) =>
    JSON.stringify(one),
  );
  await page.evaluate(`localStorage.setItem(${key}, ${text})`);
  await page.close();
}

/** Opens the app at a contract, in a tab of the context. */
export async function openApp(context: BrowserContext, contract = ADAS_CONTRACT): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${site.origin}/#${contract}`);
  return page;
}
