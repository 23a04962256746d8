/** docs/mobile.md is a guide, and what it names is there. tests/clients/quickstarts runs its code. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { createEnvironment, type Environment } from '../../clients/typescript/src/device/environment.ts';
import { customerOperations } from '../../clients/typescript/src/operations/customer-operations.ts';
import type { Requester } from '../../clients/typescript/src/operations/operation.ts';
import { storeOperations } from '../../clients/typescript/src/operations/store-operations.ts';
import type { Request } from '../../clients/typescript/src/request/request.ts';
import { allowedMethodsOfRequest } from '../../functions/headless-auth/endpoints.ts';
import {
  exchangeRequestSchema,
  startRequestSchema,
  storefrontTokenRequestSchema,
  tokenRequestSchema,
} from '../../functions/headless-auth/request-schemas.ts';
import { getSchema } from '../../graphql/schema/schema.ts';
import type { Exchange } from '../../lib/http/exchange.ts';
import { createSeededState } from '../../sandbox/platform/state/seed/seed.ts';

const read = (name: string) => readFileSync(name, 'utf8');
const page = read('docs/mobile.md');
const DOCUMENTS = globSync('examples/apps/*.graphql').sort();
const APPS = globSync('examples/apps/*.ts').sort();

describe('docs/mobile.md', () => {
  test('begins with quickstarts, and one sitting is enough for the rest', () => {
    const sections = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(['Quickstarts', 'Concepts', 'Reference']);
    const rest = page.slice(page.indexOf('## Concepts'));
    expect(rest.split('\n').length).toBeLessThan(320);
    expect(rest).not.toContain('```');
  });

  test('links to files that are there', () => {
    const text = page.replace(/^```[\s\S]*?^```$/gm, '');
    const linked = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, name = '']) => join('docs', name));
    expect(linked.filter((name) => !existsSync(name))).toEqual([]);
    expect(linked).toEqual(expect.arrayContaining(APPS));
  });

  test('links to headings that are there', () => {
    const ids = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const linked = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id);
    expect(linked.filter((id = '') => !ids.includes(id))).toEqual([]);
    expect(linked.length).toBeGreaterThan(5);
  });

  test.each(DOCUMENTS)('%s fits what a customer may ask, and is linked', (name) => {
    expect(validate(getSchema('customer'), parse(read(name)))).toEqual([]);
    expect(page).toContain(`](../${name})`);
  });

  test('says what the demo customers have', () => {
    const [store] = createSeededState({ nowMs: Date.parse('2026-01-20T10:00:00Z') }).stores.values();
    const customers = [...(store?.customers.values() ?? [])].slice(0, 4);
    const descriptions = customers.map(({ id, email }) => {
      const own = [...(store?.contracts.values() ?? [])].filter(({ content }) => content.customerId === id);
      const declined = own.some(({ lastPaymentStatus }) => lastPaymentStatus === 'FAILED');
      const few = declined ? 'a declined order' : own.map(({ content }) => content.status).join();
      return `\`${email}\` (${own.length > 3 ? `${own.length} subscriptions` : few || 'none'})`;
    });
    const text = page
      .replaceAll('\n', ' ')
      .replace('two active subscriptions and a paused one', 'ACTIVE,ACTIVE,PAUSED');
    expect(descriptions).toHaveLength(4);
    for (const description of descriptions) expect(text).toContain(description);
  });

  test('the scheme of the manifest is the one that the page names', () => {
    const manifest = read('clients/kotlin/android/AndroidManifest.xml');
    expect(manifest).toMatch(/android:scheme="shop\.\d+\.app" android:host="callback"/);
  });

  test.each([
    ['start', startRequestSchema],
    ['exchange', exchangeRequestSchema],
    ['refresh', tokenRequestSchema],
    ['revoke', tokenRequestSchema],
    ['storefront-token', storefrontTokenRequestSchema],
  ] as const)('says what /%s takes', (step, { shape }) => {
    const path = `/headless-auth/${step}`;
    const [method = ''] = allowedMethodsOfRequest({ request: { path } } as Exchange);
    const row = page.split('\n').find((line) => line.startsWith(`| \`${method} ${path}\``)) ?? '';
    const [, , taken = ''] = row.split('|');
    const names = [...taken.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(names).toEqual(Object.keys(shape).filter((name) => name !== 'shop'));
  });
});

test('the package’s page lists every function of the clients, with what it takes', async () => {
  const [apps = '', merchants = ''] = read('clients/typescript/README.md').split(
    "Only a merchant's client has these functions:",
  );
  const customers = await takenBy(customerOperations);
  expect(listedIn(apps)).toEqual(customers);
  const store = Object.entries(await takenBy(storeOperations));
  expect(listedIn(merchants)).toEqual(
    Object.fromEntries(store.filter(([name, taken]) => customers[name] !== taken)),
  );
});

/** Returns the third column of the table by `group.name`. */
function listedIn(text: string): Record<string, string> {
  const rows = [...text.matchAll(/^\| `(\w+)` \| (`[^|]+`) \| ([^|]*)\|/gm)];
  return Object.fromEntries(
    rows.flatMap(([, group, names = '', taken = '']) =>
      names.split(', ').map((name) => [`${group}.${name.replaceAll('`', '')}`, taken.trim()]),
    ),
  );
}

const FILLED_IN = ['customerId', 'idempotencyKey', 'skip'];
/** Its search takes dates, which it works out. */
const TAKEN_BY_DUE = '`declined?`, `lookBackDays?`';

/** By `group.name`, the variables of the document that is sent. */
async function takenBy(operations: (requester: Requester, environment: Environment) => object) {
  let sent = '';
  const request = async (document: object) => {
    sent = String(document);
    throw new TypeError('It is only looked at.');
  };
  const requester = { request: request as unknown as Request, customerId: async () => 'c' };
  const taken: Record<string, string> = {};
  for (const [group, functions] of Object.entries(operations(requester, createEnvironment())))
    for (const [name, run] of Object.entries<(given: object) => Iterator<unknown>>(functions)) {
      await Promise.resolve(run({}))
        .then((all) => all.next())
        .catch(() => undefined);
      const [{ variableDefinitions = [] } = {}] = parse(sent).definitions as OperationDefinitionNode[];
      const names = variableDefinitions.map(({ variable, type, defaultValue }) =>
        type.kind === Kind.NON_NULL_TYPE && !defaultValue ? variable.name.value : `${variable.name.value}?`,
      );
      const given = names.filter((one) => !FILLED_IN.includes(one)).map((one) => `\`${one}\``);
      taken[`${group}.${name}`] = name === 'due' ? TAKEN_BY_DUE : given.join(', ');
    }
  return taken;
}

/** `npm run types` checks their types against the client, with stubs of the devices' packages. */
describe('the sign-in files', () => {
  test('are of a Capacitor app and a web app', () => {
    expect(APPS.map((file) => basename(file))).toEqual(['capacitor.ts', 'web.ts']);
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
