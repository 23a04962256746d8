/** Starts the service, a browser and the app's site, and opens the app for a signed-in customer. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signIn } from '../../contract/world/service-client.ts';
import { launchBrowser } from '../../e2e/browser.ts';
import { sessionKey, sessionText } from '../../e2e/web-app.ts';
import { startTestStack, type TestStack } from '../../stack.ts';
import { MANY_POINTS } from '../../stack-control.ts';
import { bundleScreen, type ReactVersion, type Site, startSite } from './app-site.ts';

/** Long enough for a busy machine. */
const MAX_WAIT_MS = 60_000;

export const ADA = 'ada@example.com';
export const BEN = 'ben@example.com';
/** Of Ada: weekly, active. */
export const ADAS_CONTRACT = '9101001';

export type AppWorld = {
  readonly stack: TestStack;
  readonly browser: Browser;
  readonly site: Site;
  stop(): Promise<void>;
};

export async function startAppWorld(react: ReactVersion): Promise<AppWorld> {
  const site = await startSite();
  const started = await Promise.allSettled([
    startTestStack({ allowOrigins: [site.origin] }),
    launchBrowser(),
    bundleScreen(react),
  ]);
  const [stack, browser, script] = started;
  const stop = async () => {
    await site.close();
    if (browser.status === 'fulfilled') await browser.value.close();
    if (stack.status === 'fulfilled') await stack.value.stop();
  };
  if (stack.status === 'rejected' || browser.status === 'rejected' || script.status === 'rejected') {
    await stop();
    throw started.find((one) => one.status === 'rejected')?.reason;
  }
  const { baseUrl: serviceUrl, shop, control } = stack.value;
  await control.throttle(shop, MANY_POINTS);
  site.show(script.value, { serviceUrl, shop });
  return { stack: stack.value, browser: browser.value, site, stop };
}

/** A person's browser: no cookies, nothing stored. */
export async function openContext({ browser }: AppWorld): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(MAX_WAIT_MS);
  return context;
}

/** Stores a new session of the customer in the browser, as the app does after a sign-in. */
export async function storeSession(
  { stack, site }: AppWorld,
  context: BrowserContext,
  email: string,
): Promise<void> {
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
export async function openApp(
  { site }: AppWorld,
  context: BrowserContext,
  contract = ADAS_CONTRACT,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${site.origin}/#${contract}`);
  return page;
}
