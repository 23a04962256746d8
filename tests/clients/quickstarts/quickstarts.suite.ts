/**
 * The quickstarts of docs/mobile.md, each in at most 20 lines: the web page, the Expo app and the Capacitor app run in a
 * browser against the service. tests/clients/react/package.test.ts checks their types, `npm run kotlin` compiles the
 * Kotlin app, and tests/clients/native.test.ts compares the Swift app with the Swift client.
 */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { completeSignInPages } from '../../../sandbox/sign-in-pages.ts';
import { quickstartNames, readQuickstart } from '../quickstart.ts';
import { bundleExample } from '../react/app-site.ts';
import { browser, exampleSite as site, stack } from '../react/shared-app.ts';

const EMAIL = 'ada@example.com';
const NAMES = ['web', 'expo', 'capacitor', 'kotlin', 'swift'] as const;
const MAX_LINES = 20;

test('there is a quickstart for the web, Expo, Capacitor, Kotlin and Swift, and no other code', () => {
  expect(quickstartNames).toEqual(NAMES);
});

test.each(NAMES)('the quickstart for %s has at most 20 lines', (name) => {
  expect(readQuickstart(name).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
});

describe('in a browser', () => {
  /** What the example has written to the console. */
  let logged: string[];
  /** Of one of the customer's subscriptions. */
  const TITLE = 'Harbor House Blend';

  /** Opens the example in a browser of its own. */
  async function open(files: Readonly<Record<string, string>>, device?: 'expo' | 'capacitor'): Promise<Page> {
    const { baseUrl: serviceUrl, shop } = stack;
    const packages = {
      expo: ['expo-linking', 'expo-secure-store', 'expo-web-browser', 'react-native'],
      capacitor: ['@capacitor/app', '@capacitor/browser', '@capacitor/preferences'],
    };
    const standIn = join(import.meta.dirname, `devices/${device}.ts`);
    const script = await bundleExample('react-19', {
      files,
      actual: { serviceUrl, shop, page: `${site.origin}/account` },
      standIns: Object.fromEntries((device ? packages[device] : []).map((name) => [name, standIn])),
    });
    site.show(script, { serviceUrl, shop });
    const page = await (await browser.newContext()).newPage();
    logged = [];
    page.on('console', (line) => logged.push(line.text()));
    await page.exposeFunction('signInPages', (authUrl: string) =>
      completeSignInPages({
        ...{ authUrl, email: EMAIL, onPage: () => undefined },
        readCode: () => stack.control.oneTimeCode(EMAIL),
      }),
    );
    await page.goto(`${site.origin}/account?code=old&state=old`);
    return page;
  }

  /** Every example is opened with the address of another sign-in (FOREIGN_REDIRECT), which is no error. */
  afterEach(() => expect(logged.filter((line) => line.includes('sign-in'))).toEqual([]));

  test('the web page signs a customer in, and shows the subscriptions', async () => {
    const page = await open({ 'app.tsx': readQuickstart('web') });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[name=email]').fill(EMAIL);
    await page.locator('input[name=email]').press('Enter');
    await page.locator('input[name=code]').fill(await stack.control.oneTimeCode(EMAIL));
    await page.locator('input[name=code]').press('Enter');
    await page.getByText(TITLE).first().waitFor();
    expect(page.url()).toBe(`${site.origin}/account`);
  });

  test('the Expo app signs a customer in, and shows the subscriptions', async () => {
    const page = await open({ 'app.tsx': readQuickstart('expo') }, 'expo');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(TITLE).first().waitFor();
  });

  test('the Capacitor app signs a customer in, and shows the subscriptions', async () => {
    const app = "document.body.innerHTML = '<button>Sign in</button><ul></ul>'; require('./capacitor');";
    const page = await open({ 'main.ts': app, 'capacitor.ts': readQuickstart('capacitor') }, 'capacitor');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(TITLE).first().waitFor();
  });
});
