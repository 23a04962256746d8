/** The stack and the browser of the phone's tests: started before the first, closed after the last. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestStack } from '../stack.ts';
import { startStackAndBrowser } from './phone-app.ts';

export let stack: TestStack;
export let browser: Browser;
let stop: (() => Promise<void>) | undefined;

beforeAll(async () => {
  ({ stack, browser, stop } = await startStackAndBrowser());
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(() => stop?.());
