/** The stack and the browser of the tests of examples/web: started before the first, closed after the last. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestStack } from '../stack.ts';
import { closePhone, openSignedInPhone, startStackAndBrowser } from './web-app.ts';

export let stack: TestStack;
export let browser: Browser;
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  ({ stack, browser, stop } = await startStackAndBrowser());
});

let shared: Page | undefined;

/** One phone for all tests that leave it as it was: Ada's, at the list of her subscriptions. */
export async function adasPhone(): Promise<Page> {
  shared ??= await openSignedInPhone(browser, stack, 'ada@example.com');
  await shared.unrouteAll();
  await shared.evaluate("location.hash = '#/subscriptions'");
  await shared.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
  return shared;
}

afterEach(async () => {
  const own = browser.contexts().filter((context) => context !== shared?.context());
  await Promise.all(own.map(closePhone));
});

afterAll(() => stop?.());
