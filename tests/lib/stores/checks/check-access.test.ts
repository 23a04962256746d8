/**
 * The checks of a grant by the doctor and by an install: with the emulated platform, and with the responses that it
 * documents.
 */
import { describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { AdminResponse, PlatformError } from '../../../../lib/platform/admin-api/admin-response.ts';
import {
  isScopeHandle,
  NEEDED_ACCESS,
  type NeededAccess,
} from '../../../../lib/platform/admin-api/needed-access.ts';
import {
  PROTECTED_DATA_LEVEL_1,
  PROTECTED_DATA_LEVEL_2,
} from '../../../../lib/platform/admin-api/protected-data.ts';
import {
  buildAccessProbeQueries,
  canProveAccess,
} from '../../../../lib/stores/checks/access-probe-queries.ts';
import { checkAccess, type SendProbeQuery } from '../../../../lib/stores/checks/check-access.ts';
import type { StoreFinding } from '../../../../lib/stores/checks/store-finding.ts';
import { createAccessWithout, type WithheldAccess } from '../../../../sandbox/platform/state/store-access.ts';
import { dayMs, newPlatform, startMs } from '../../../sandbox/platform/admin/harness.ts';

const INSTALLED = {
  domain: 'harbor-coffee.myshopify.com' as ShopDomain,
  renewalKind: 'client_credentials',
  isInstalled: true,
} as const;

const everyScope = NEEDED_ACCESS.map(({ handle }) => handle).filter((handle) => !handle.includes(' '));

type Given = {
  /** Handles that the platform names, in place of those that it knows to be granted. */
  readonly scopes?: readonly string[];
  /** In place of the platform's own, by the question's name. */
  readonly answers?: Readonly<Record<string, Partial<AdminResponse>>>;
  readonly withheld?: WithheldAccess;
};

/** The findings of a grant that lacks what is withheld. */
function check({ scopes, answers = {}, withheld = {} }: Given = {}): Promise<StoreFinding[]> {
  const platform = newPlatform();
  platform.store().access = createAccessWithout(withheld);
  const named = scopes && { currentAppInstallation: { accessScopes: scopes.map((handle) => ({ handle })) } };
  const ask: SendProbeQuery = async (document, variables = {}) => {
    const name = /^query (\w+)/.exec(document)?.[1] ?? '';
    const given = name === 'StoreCheckScopes' && named ? { data: named } : answers[name];
    return {
      data: null,
      errors: [],
      cost: undefined,
      ...(given ?? (await platform.ask(document, variables))),
    };
  };
  return checkAccess(ask, INSTALLED, startMs);
}

const notWell = (findings: readonly StoreFinding[]) => findings.filter(({ state }) => state !== 'ok');

const denied = (message: string, ...path: (string | number)[]): PlatformError => ({
  message,
  path,
  extensions: { code: 'ACCESS_DENIED' },
});
const scope = (field: string, handle: string) =>
  `Access denied for ${field} field. Required access: \`${handle}\` access scope.`;

describe('access that is there', () => {
  test('every access and every question has its line', async () => {
    const findings = await check();
    expect(notWell(findings).map(({ name, state }) => [name, state])).toEqual([
      ['Delivery options', 'unseen'],
      ['Storefront tokens', 'unseen'],
    ]);
    expect(findings.map(({ name }) => name)).toEqual([
      ...NEEDED_ACCESS.map(nameOf),
      ...buildAccessProbeQueries(startMs).map(({ name }) => name),
    ]);
    for (const { document } of buildAccessProbeQueries(startMs))
      expect(parse(document).definitions).toMatchObject([{ operation: 'query' }]);
  });

  test('a scope that writes includes the one that reads', async () => {
    const scopes = everyScope.filter((handle) => handle !== 'read_products');
    expect(notWell(await check({ scopes })).map(({ name }) => name)).not.toContain('Scope read_products');
  });
});

const nameOf = ({ handle }: NeededAccess) =>
  isScopeHandle({ handle }) ? `Scope ${handle}` : handle.replace(/^p/, 'P');

/** A scope that writes comes with the one that reads. */
const without = ({ handle }: NeededAccess): WithheldAccess => {
  if (handle === PROTECTED_DATA_LEVEL_1) return { data: ['customer'] };
  return handle === PROTECTED_DATA_LEVEL_2
    ? { data: ['email'] }
    : { scopes: [handle, handle.replace(/^read_/, 'write_')] };
};

describe('access that is missing', () => {
  test.each(NEEDED_ACCESS)(
    'reports $handle: $need, with what does not work without it, once',
    async (row) => {
      const findings = await check({ withheld: without(row) });
      expect(findings.find(({ name }) => name === nameOf(row))).toEqual({
        name: nameOf(row),
        state: row.need === 'required' ? 'missing' : 'optional',
        found: `${isScopeHandle(row) ? 'not granted' : 'not granted, or only in part'}. Without it ${row.consequence}`,
        fix: expect.stringContaining(row.handle),
      });
      expect(findings.filter(({ found }) => found.includes(row.consequence))).toHaveLength(1);
      const fixes = findings.flatMap(({ fix }) => fix ?? []);
      expect(new Set(fixes).size).toBe(fixes.length);
    },
  );

  const isRequested = (row: NeededAccess) =>
    buildAccessProbeQueries(startMs).some((question) => canProveAccess(question, row));

  test.each(NEEDED_ACCESS.filter(isRequested))('$handle is seen at a question, too, by path', async (row) => {
    const findings = await check({ withheld: without(row) });
    const closed = findings.filter(({ name, found }) => name !== nameOf(row) && found.includes(row.handle));
    expect(new Set(closed.map(({ state }) => state))).toEqual(
      new Set([row.need === 'required' ? 'missing' : 'optional']),
    );
    const hidden = row.openedNames.length === 0;
    expect(closed.some(({ paths }) => paths !== undefined)).toBe(!hidden);
  });

  test.each(['name', 'address', 'email', 'phone'] as const)(
    'reports level 2 as optional when %s alone is missing',
    async (kind) => {
      const findings = notWell(await check({ withheld: { data: [kind] } }));
      expect(findings).toContainEqual(expect.objectContaining({ name: 'Protected customer data, level 2' }));
      expect(findings.some(({ state }) => state === 'missing')).toBe(false);
    },
  );

  test('reports a denied field whose scope is granted as missing that scope', async () => {
    const errors = [denied('Access denied for products field.', 'products')];
    const findings = await check({ answers: { StoreCheckProducts: { data: null, errors } } });
    expect(findings.find(({ name }) => name === 'Scope read_products')).toMatchObject({
      state: 'missing',
      found: expect.stringContaining('granted, but still closed'),
    });
  });

  test('reports denied names and addresses as level 2: optional, and each path once', async () => {
    const closed = ['firstName', 'lastName', 'defaultEmailAddress'];
    const errors = [0, 1].flatMap((index) =>
      closed.map((field) =>
        denied(`This app is not approved to use the ${field} field.`, 'customers', 'nodes', index, field),
      ),
    );
    const data = { customers: { nodes: [{ id: 'gid://shopify/Customer/1' }] } };
    const findings = await check({ answers: { StoreCheckCustomers: { data, errors } } });
    expect(findings.find(({ name }) => name === 'Customers')).toMatchObject({
      name: 'Customers',
      state: 'optional',
      paths: closed.map((field) => `customers.nodes.${field}`),
      found: expect.stringContaining(PROTECTED_DATA_LEVEL_2),
    });
    expect(findings.find(({ name }) => name === 'Protected customer data, level 2')).toMatchObject({
      fix: expect.stringContaining('API access requests'),
    });
  });

  test.each([
    [
      'not approved',
      'This app is not approved to access the Customer object. See the documentation.',
      everyScope,
    ],
    ['denied, and the scope is there', 'Access denied for customers field.', everyScope],
    [
      'denied, and the platform names no scopes',
      'This app is not approved to access the Customer object.',
      [],
    ],
  ])('customers at all are level 1, which is required: %s', async (_what, message, scopes) => {
    const answers = { StoreCheckCustomers: { data: null, errors: [denied(message, 'customers')] } };
    const findings = await check({ scopes, answers });
    expect(findings.find(({ name }) => name === 'Customers')).toMatchObject({
      state: 'missing',
      found: expect.stringContaining(PROTECTED_DATA_LEVEL_1),
    });
  });

  test.each([
    ['the platform names it', scope('customerPaymentMethod', 'read_customer_payment_methods'), everyScope],
    ['the field tells', 'customerPaymentMethod access denied', []],
  ])('reports a payment method without its scope: %s', async (_what, message, scopes) => {
    const errors = [denied(message, 'subscriptionContracts', 'nodes', 0, 'customerPaymentMethod')];
    const data = { subscriptionContracts: { nodes: [{ customerPaymentMethod: null }] } };
    const findings = await check({ scopes, answers: { StoreCheckContracts: { data, errors } } });
    expect(findings.find(({ name }) => name === 'Contracts')).toMatchObject({
      state: 'missing',
      paths: ['subscriptionContracts.nodes.customerPaymentMethod'],
      found: expect.stringContaining('read_customer_payment_methods'),
    });
  });

  test('an address that is closed as an object is of level 2', async () => {
    const message = 'This app is not approved to access the MailingAddress object.';
    const errors = [denied(message, 'customers', 'nodes', 0, 'defaultAddress')];
    const data = { customers: { nodes: [{ defaultAddress: null }] } };
    const findings = await check({ answers: { StoreCheckCustomers: { data, errors } } });
    expect(findings.find(({ name }) => name === 'Customers')).toMatchObject({
      state: 'optional',
      found: expect.stringContaining(PROTECTED_DATA_LEVEL_2),
    });
  });

  test('a document that is denied as a whole', async () => {
    const errors = [{ message: scope('customers', 'read_customers'), extensions: { code: 'ACCESS_DENIED' } }];
    const findings = await check({ scopes: [], answers: { StoreCheckCustomers: { data: null, errors } } });
    expect(findings.find(({ name }) => name === 'Customers')).toMatchObject({
      state: 'missing',
      found: 'closed: all of it (read_customers)',
    });
  });

  test('reports an unknown denial as it is', async () => {
    const errors = [denied('The shop must be on another plan.', 'somewhere')];
    const findings = await check({ answers: { StoreCheckProducts: { data: null, errors } } });
    expect(findings.find(({ name }) => name === 'Products')).toMatchObject({
      state: 'unknown',
      found: expect.stringContaining('another plan'),
    });
  });
});

test.each([
  ['nothing', null],
  ['no installation', { currentAppInstallation: null }],
  ['no scopes', { currentAppInstallation: { accessScopes: null } }],
])('reports no scopes when the platform returns %s, and sends the checks anyway', async (_what, data) => {
  const findings = await check({ answers: { StoreCheckScopes: { data } } });
  expect(findings[0]).toMatchObject({ name: 'Scopes', state: 'unknown' });
  expect(findings.filter(({ name }) => name.startsWith('Scope '))).toEqual([]);
  expect(findings.find(({ name }) => name === 'Customers')).toMatchObject({ state: 'ok' });
});

describe('a young store', () => {
  const empty = { nodes: [] };

  test.each([
    ['StoreCheckCustomers', 'Customers', { customers: empty }],
    ['StoreCheckContracts', 'Contracts', { subscriptionContracts: empty }],
    ['StoreCheckProducts', 'Products', { products: empty, sellingPlanGroups: empty }],
    ['StoreCheckOrders', 'Orders older than 60 days', { orders: empty }],
    ['StoreCheckLocations', 'Locations', { locations: empty }],
  ])('%s: nothing to check yet, which is not missing', async (question, name, data) => {
    const findings = await check({ answers: { [question]: { data } } });
    expect(findings.find((finding) => finding.name === name)).toMatchObject({
      state: 'unseen',
      found: expect.stringContaining('nothing to check yet'),
    });
  });

  test('old orders that the app may not see are optional access, not "nothing yet"', async () => {
    const scopes = everyScope.filter((each) => each !== 'read_all_orders');
    const findings = await check({ scopes, answers: { StoreCheckOrders: { data: { orders: empty } } } });
    expect(findings.find(({ name }) => name === 'Orders older than 60 days')).toMatchObject({
      state: 'optional',
      found: 'hidden without read_all_orders',
    });
  });

  test('starts the window 60 days before the check', () => {
    const [at, before] = [startMs, startMs - 60 * dayMs];
    const variables = buildAccessProbeQueries(at).map((question) => question.variables.query);
    expect(variables).toContain(`created_at:<${new Date(before).toISOString().slice(0, 10)}`);
  });

  test('without a customer nothing shows whether their data is protected', async () => {
    const answers = {
      StoreCheckCustomers: { data: { customers: empty } },
      StoreCheckContracts: { data: { subscriptionContracts: empty } },
      StoreCheckOrders: { data: { orders: empty } },
    };
    const levels = (await check({ answers })).filter(({ name }) => name.startsWith('Protected'));
    expect(levels.map(({ state }) => state)).toEqual(['unseen', 'unseen']);
  });
});
