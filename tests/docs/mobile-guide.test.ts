/** docs/mobile.md is a guide, and what it names is there: three sign-in files can be written from it alone. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import {
  createCustomerClient,
  createMemoryStorage,
  createMerchantClient,
} from '../../clients/typescript/src/client.ts';
import { methodsAt } from '../../functions/headless-auth/endpoints.ts';
import {
  exchangeRequest,
  startRequest,
  storefrontTokenRequest,
  tokenRequest,
} from '../../functions/headless-auth/request-schemas.ts';
import { schemaOf } from '../../graphql/schema/schema.ts';
import type { Exchange } from '../../lib/http/exchange.ts';

const read = (name: string) => readFileSync(name, 'utf8');
const page = read('docs/mobile.md');
const APPS = globSync('docs/examples/apps/*.ts').sort();

describe('docs/mobile.md', () => {
  test('is a guide that one sitting is enough for, without code', () => {
    expect(page.split('\n').length).toBeLessThan(300);
    expect(page).not.toContain('```');
  });

  test('links to files that are there', () => {
    const linked = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, name]) => `docs/${name}`);
    expect(linked.filter((name) => !existsSync(name))).toEqual([]);
    expect(linked).toEqual(expect.arrayContaining(APPS));
  });

  test('its document fits what a customer may ask', () => {
    expect(validate(schemaOf('customer'), parse(read('docs/examples/apps/portal.graphql')))).toEqual([]);
  });

  test('the scheme of the manifest is the one that the page names', () => {
    const manifest = read('clients/kotlin/android/AndroidManifest.xml');
    expect(manifest).toMatch(/android:scheme="shop\.\d+\.app" android:host="callback"/);
  });

  test.each([
    ['start', startRequest],
    ['exchange', exchangeRequest],
    ['refresh', tokenRequest],
    ['revoke', tokenRequest],
    ['storefront-token', storefrontTokenRequest],
  ] as const)('says what /%s takes', (step, { shape }) => {
    const path = `/headless-auth/${step}`;
    const [method = ''] = methodsAt({ request: { path } } as Exchange);
    const row = page.split('\n').find((line) => line.startsWith(`| \`${method} ${path}\``)) ?? '';
    const [, , taken = ''] = row.split('|');
    const names = [...taken.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(names).toEqual(Object.keys(shape).filter((name) => name !== 'shop'));
  });
});

test('the package’s page lists every function of the clients', () => {
  const rows = read('clients/typescript/README.md').matchAll(/^\| `(\w+)` \| (`[^|]+`) \|/gm);
  const listed: Record<string, string[]> = {};
  for (const [, group = '', names = ''] of rows)
    listed[group] = [...(listed[group] ?? []), ...names.replaceAll('`', '').split(', ')].sort();
  const { subscriptions, orders, adminKeys } = createMerchantClient({
    serviceUrl: 'http://x',
    adminKey: 'x',
  });
  const { account } = createCustomerClient({
    ...{ serviceUrl: 'http://x', shop: 'x', storage: createMemoryStorage() },
    openBrowser: async () => null,
  });
  const groups = Object.entries({ subscriptions, account, orders, adminKeys });
  expect(listed).toEqual(
    Object.fromEntries(groups.map(([group, functions]) => [group, Object.keys(functions).sort()])),
  );
});

/** Their types are checked against the client by `npm run types`, with stand-ins for the devices' packages. */
describe('the sign-in files', () => {
  test('are of an Expo app, a Capacitor app and a web app', () => {
    expect(APPS.map((file) => basename(file))).toEqual(['capacitor.ts', 'expo.ts', 'web.ts']);
  });

  test.each(APPS)('%s is short, and uses nothing that the page does not name', (file) => {
    const text = read(file);
    expect(text.trimEnd().split('\n').length).toBeLessThan(40);
    const imported = [...text.matchAll(/import \{([^}]+)\} from 'subscription-management-client'/g)];
    const names = imported.flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim().replace(/^type /, '')),
    );
    const called = [...text.matchAll(/\bclient\.(\w+)/g)].map(([, name = '']) => name);
    const options = [...text.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
    const all = [...names.filter(Boolean), ...called, ...options];
    expect(all.length).toBeGreaterThan(8);
    expect(all.filter((name) => !page.includes(name))).toEqual([]);
    const packages = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
    expect(packages.filter((name) => !page.includes(name))).toEqual([]);
  });
});
