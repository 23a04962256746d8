import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import { copyTable } from './copy-table.ts';
import { createOperatorWorld, type OperatorWorld } from './operator-world.ts';
import { storeFormsSuite } from './store-forms.suite.ts';

const HARBOR = 'harbor-coffee.myshopify.com';
type Finding = { name: string; state: string; found: string; fix?: string };

let world: OperatorWorld;
beforeAll(async () => {
  world = await createOperatorWorld();
});
afterAll(() => world.close());

/** Restores the table after the install; undefined when the store's secret has changed since. */
let putBack: (() => Promise<void>) | undefined;
/** Everything right again. */
beforeEach(async () => {
  await world.control('reset', {});
  if (putBack !== undefined) {
    await makeTokenAtPlatform();
    return putBack();
  }
  const credentials = world.file('grant.json', world.credentials());
  await world.json([
    ...['store', 'install', HARBOR, '--credentials', credentials],
    ...['--portal-page-id', '8f0c', '--yes'],
  ]);
  putBack = await copyTable(world.state);
});

/** The platform forgets the storefront token of the install at a reset; the next one is the same. */
async function makeTokenAtPlatform(): Promise<void> {
  const query =
    'mutation { storefrontAccessTokenCreate(input: { title: "T" }) { storefrontAccessToken { id } } }';
  const response = await fetch(`${world.state.platformUrl}/${HARBOR}/admin/api/2026-07/graphql.json`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-shopify-access-token': world.credentials().grant.accessToken,
    },
    body: JSON.stringify({ query }),
  });
  expect(await response.json()).toMatchObject({ data: { storefrontAccessTokenCreate: expect.any(Object) } });
}

async function check(): Promise<{ exitCode: number; findings: Finding[]; bad: Finding[] }> {
  const { exitCode, out } = await world.run(['store', 'check', HARBOR, '--json']);
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return {
    exitCode,
    findings,
    bad: findings.filter(({ state }) => state === 'missing' || state === 'unknown'),
  };
}

const fault = (operation: string, data: unknown) =>
  world.control('faults', { target: 'admin', operation, count: 1, body: { data } });

describe('store check', () => {
  test('lists every finding of a store in order, with exit code 0', async () => {
    const { exitCode, findings, bad } = await check();
    expect(bad).toEqual([]);
    expect(exitCode).toBe(0);
    expect(findings.map(({ name }) => name).filter((name) => !name.startsWith('Scope '))).toEqual([
      'Installed',
      'Grant',
      'Protected customer data, level 1',
      'Protected customer data, level 2',
      'Customers',
      'Contracts',
      'Products',
      'Orders older than 60 days',
      'Locations',
      'Delivery options',
      'Storefront tokens',
      'API version',
      'Customer accounts',
      'Subscriptions',
      'Time zone',
      'Test query',
      'Large query',
      'Grant renewal',
      'Sign-in addresses',
      'Client id',
      'Redirect URI',
      'Who signs in',
      'Origin',
      'Storefront token',
      'Portal page',
      'Token keys',
      'Secret platform',
      'Secret admin-keys',
      'Secret webhooks',
    ]);
    const ran = await world.run(['store', 'check', HARBOR]);
    // Delivery options are those of a draft, and a check opens none.
    expect(ran.out).toMatch(
      /Nothing is missing, as far as it can be checked. 1 not seen yet[^\n]*: see above.$/,
    );
    expect(ran.out).not.toContain('All is well');
  });

  test('a grant that the platform refuses', async () => {
    await world.control('grant', { shop: HARBOR, expiring: true });
    const { exitCode, bad } = await check();
    expect(exitCode).toBe(1);
    expect(bad).toEqual([
      expect.objectContaining({ name: 'Grant', fix: expect.stringContaining('--credentials') }),
    ]);
  });

  test('a scope that was not granted', async () => {
    await fault('StoreCheckScopes', {
      currentAppInstallation: { accessScopes: [{ handle: 'write_customers' }] },
    });
    const { bad } = await check();
    const names = bad.map(({ name }) => name);
    expect(names).toContain('Scope write_own_subscription_contracts');
    expect(names).not.toContain('Scope read_customers');
    expect(bad[0]?.fix).toMatch(/add read_own_subscription_contracts/i);
  });

  const withhold = (...withheld: string[]) => world.control('scopes', { shop: HARBOR, withheld });

  test('reports missing optional access by path with what does not work, and exits with 0', async () => {
    await withhold('read_locations', 'write_products');
    const { exitCode, findings } = await check();
    expect(exitCode).toBe(0);
    const optional = findings.filter(({ state }) => state === 'optional');
    expect(optional).toContainEqual(
      expect.objectContaining({
        name: 'Scope write_products',
        found: expect.stringContaining('no selling plan can be made'),
      }),
    );
    expect(optional).toContainEqual(
      expect.objectContaining({
        name: 'Locations',
        found: 'closed: locations (read_locations)',
      }),
    );
    const ran = await world.run(['store', 'check', HARBOR]);
    expect(ran.out).toMatch(
      /^optional {2}Scope read_locations: not granted. Without it customers cannot choose a pickup/m,
    );
    expect(ran.out).toContain(`All is well. ${optional.length} optional: see above.`);
  });

  test('reports missing required access as a failure, with what is optional', async () => {
    await withhold('read_locations', 'read_orders', 'write_orders');
    const { exitCode, bad } = await check();
    expect(exitCode).toBe(1);
    expect(bad).toContainEqual(
      expect.objectContaining({
        name: 'Scope read_orders',
        state: 'missing',
        found: expect.stringContaining('Without it no order is shown'),
      }),
    );
    expect(bad.map(({ name }) => name)).not.toContain('Locations');
  });

  test('a question that the platform denies as a whole is access that is missing', async () => {
    const message = 'Access denied. Required access: `read_products` access scope.';
    const errors = [{ message, extensions: { code: 'ACCESS_DENIED' } }];
    const body = { errors };
    await world.control('faults', { target: 'admin', operation: 'StoreCheckProducts', count: 1, body });
    expect((await check()).bad).toEqual([
      expect.objectContaining({ name: 'Scope read_products', state: 'missing' }),
      expect.objectContaining({ name: 'Products', found: 'closed: all of it (read_products)' }),
    ]);
  });

  test('sends only queries to the store', async () => {
    await fetch(`${world.state.platformUrl}/_control/requests`, { method: 'DELETE' });
    await check();
    const sent = await fetch(`${world.state.platformUrl}/_control/requests`);
    const documents = ((await sent.json()) as { query?: string }[]).flatMap(({ query }) => query ?? []);
    expect(documents.length).toBeGreaterThan(10);
    expect(documents.filter((document) => !document.startsWith('query '))).toEqual([]);
  });

  test('an API version that is supported no more', async () => {
    await fault('StoreCheckVersions', { publicApiVersions: [{ handle: '2027-04', supported: true }] });
    expect((await check()).bad).toEqual([
      expect.objectContaining({ name: 'API version', fix: expect.stringContaining('2027-04') }),
    ]);
  });

  test('reports customer accounts of the old kind', async () => {
    await fault('StoreCheckShop', {
      shop: {
        myshopifyDomain: HARBOR,
        ianaTimezone: 'America/New_York',
        customerAccountsV2: { customerAccountsVersion: 'CLASSIC' },
        features: { eligibleForSubscriptions: true },
      },
    });
    expect((await check()).bad.map(({ name }) => name)).toEqual(['Customer accounts']);
  });

  test('a time zone that is not known here', async () => {
    await fault('StoreCheckShop', {
      shop: {
        myshopifyDomain: HARBOR,
        ianaTimezone: 'Mars/Olympus_Mons',
        customerAccountsV2: { customerAccountsVersion: 'NEW_CUSTOMER_ACCOUNTS' },
        features: { eligibleForSubscriptions: true },
      },
    });
    const fix = expect.stringContaining('"Mars/Olympus_Mons"');
    expect((await check()).bad).toEqual([expect.objectContaining({ name: 'Time zone', fix })]);
  });

  test('a store that may not sell subscriptions', async () => {
    await fault('StoreCheckShop', {
      shop: {
        myshopifyDomain: HARBOR,
        ianaTimezone: 'America/New_York',
        customerAccountsV2: { customerAccountsVersion: 'NEW_CUSTOMER_ACCOUNTS' },
        features: { eligibleForSubscriptions: false },
      },
    });
    const { exitCode, bad } = await check();
    expect([exitCode, bad.map(({ name }) => name)]).toEqual([1, ['Subscriptions']]);
  });

  describe('a large query', () => {
    const large = async () => (await check()).findings.find(({ name }) => name === 'Large query');
    const charged = (requestedQueryCost: number) => {
      const throttleStatus = { maximumAvailable: 2000, currentlyAvailable: 1900, restoreRate: 100 };
      return { cost: { requestedQueryCost, actualQueryCost: 1, throttleStatus } };
    };
    const answers = (body: object) =>
      world.control('faults', { target: 'admin', operation: 'StoreCheckLargeQuery', count: 1, body });

    test.each([
      ['each', '743 points; the service counts 745'],
      ['once', '259 points; the service counts 745, because ids count once here'],
    ])('is reported as the platform counts it: ids %s', async (nodesCost, found) => {
      await world.control('settings', { shop: HARBOR, nodesCost });
      expect(await large()).toEqual({ name: 'Large query', state: 'ok', found });
      await world.control('settings', { shop: HARBOR, nodesCost: 'each' });
    });

    test('is reported when it costs more than the service counts, and missing when it is refused', async () => {
      const fix = expect.stringContaining('too low');
      await answers({ data: { _svcContract: null }, extensions: charged(900) });
      expect(await large()).toMatchObject({
        state: 'optional',
        found: expect.stringContaining('900'),
        fix,
      });
      const message = 'Query cost is 1345, which exceeds the single query max cost limit (1000).';
      await answers({ errors: [{ message, extensions: { code: 'MAX_COST_EXCEEDED' } }] });
      expect(await large()).toMatchObject({
        state: 'missing',
        found: expect.stringContaining('1345'),
        fix,
      });
    });
  });

  test('checks who signs in until the operator trusts the sub of id_tokens', async () => {
    const whoSignsIn = async () => (await check()).findings.find(({ name }) => name === 'Who signs in');
    for (const [option, found] of [
      ['--trust-sub', 'as configured'],
      ['--no-trust-sub', 'sub has to be the same'],
    ] as const) {
      await world.json(['store', 'update', HARBOR, option]);
      expect(await whoSignsIn()).toMatchObject({ state: 'ok', found: expect.stringContaining(found) });
    }
  });

  test('a store without a portal page works: said, with how to set it, and no failure', async () => {
    await world.json(['store', 'update', HARBOR, '--no-portal-page']);
    const { exitCode, findings } = await check();
    expect(exitCode).toBe(0);
    expect(findings.find(({ name }) => name === 'Portal page')).toMatchObject({
      state: 'optional',
      fix: expect.stringContaining('--portal-page-id'),
    });
  });

  test('a portal page that cannot be part of an address', async () => {
    await change('portalPageId', '../pages?x=1');
    const { exitCode, bad } = await check();
    expect([exitCode, bad]).toEqual([1, [expect.objectContaining({ name: 'Portal page' })]]);
  });

  test.each([
    ['are not there', async () => world.secret('token-keys', undefined), 'Deploy the stack'],
    ['cannot be used', async () => world.secret('token-keys', '{"keys": "gone"}'), 'last good version'],
  ])('reports token keys that %s', async (_what, breakThem, fix) => {
    const fixThem = await breakThem();
    const { exitCode, bad } = await check();
    await fixThem();
    expect([exitCode, bad]).toEqual([
      1,
      [expect.objectContaining({ name: 'Token keys', fix: expect.stringContaining(fix) })],
    ]);
  });

  test('reports a platform that does not respond as unknown, not missing', async () => {
    await world.control('faults', { target: 'admin', operation: 'StoreCheckTest', count: 1, status: 500 });
    const { exitCode, bad } = await check();
    expect(exitCode).toBe(1);
    expect(bad).toEqual([expect.objectContaining({ name: 'Test query', state: 'unknown' })]);
  });

  test.each([
    ['none', null, 'Client id'],
    ['one that the platform does not know', 'unknown-client', 'Client id'],
  ])('reports a client id: %s', async (_what, clientId, name) => {
    await change('clientId', clientId);
    expect((await check()).bad.map((finding) => finding.name)).toEqual([name]);
  });

  test('a client that the platform knows, without this redirect URI', async () => {
    await world.control('client', { shop: HARBOR, redirectUris: ['shop.81234567001.other://callback'] });
    const { exitCode, findings, bad } = await check();
    expect(exitCode).toBe(1);
    expect(findings.find(({ name }) => name === 'Client id')).toMatchObject({ state: 'ok' });
    expect(bad).toEqual([
      expect.objectContaining({
        name: 'Redirect URI',
        fix: expect.stringContaining('shop.81234567001.app://callback'),
      }),
    ]);
  });

  test('names both causes of a refusal that cannot be distinguished', async () => {
    await change('clientId', 'unknown-client');
    await world.control('faults', { target: 'sign-in', operation: 'token', count: 1, status: 503 });
    expect((await check()).bad).toEqual([
      expect.objectContaining({ name: 'Client id and redirect URI', state: 'missing' }),
    ]);
  });

  test('pinned sign-in addresses that are not the platform’s', async () => {
    const { issuer } = await world.json(['store', 'show', HARBOR]);
    await change('signIn.tokenEndpoint', 'https://elsewhere.example/token');
    expect((await check()).bad).toEqual([
      expect.objectContaining({ name: 'Sign-in addresses', found: expect.stringContaining('tokenEndpoint') }),
    ]);
    const { stores } = await world.json(['store', 'accept-sign-in', HARBOR, '--yes']);
    expect(stores).toMatchObject([
      { outcome: 'moved', moved: [{ name: 'tokenEndpoint', before: 'https://elsewhere.example/token' }] },
    ]);
    expect(await world.json(['store', 'show', HARBOR])).toMatchObject({ issuer });
    expect((await check()).bad).toEqual([]);
  });

  test('a secret’s version that the store names but is not the current one', async () => {
    await change('platformVersionId', '00000000-0000-4000-8000-000000000000');
    const { bad } = await check();
    expect(bad).toContainEqual(
      expect.objectContaining({ name: 'Secret platform', fix: 'Run store resync.' }),
    );
    await world.json(['store', 'resync', HARBOR]);
    expect((await check()).bad).toEqual([]);
  });

  test('a key that was claimed before the store was installed again counts no more', async () => {
    const claimedKeys = async () => (await world.json(['store', 'show', HARBOR])).claimedKeys;
    await change('keyClaims', { key_before: 1, key_since: Date.now() + 60_000 });
    expect(await claimedKeys()).toBe(1);
  });

  test.each([
    ['the app is still there', true, /still on the store.*store install \S+ --credentials FILE/],
    ['the merchant removed the app', false, /48 hours.*install the app there first.*then run store install/],
  ])('advises what can be done after an uninstall where %s', async (_what, isInstalled, advice) => {
    await world.json(['store', 'uninstall', HARBOR, '--yes']);
    await world.control('app', { shop: HARBOR, isInstalled });
    const { exitCode, findings } = await check();
    expect(exitCode).toBe(1);
    expect(findings.map(({ name }) => name)).toEqual(['Installed', 'Grant']);
    const [installed, grant] = findings;
    expect(installed).toMatchObject({
      state: 'missing',
      found: expect.stringMatching(/^uninstalled at \d{4}-/),
    });
    expect(installed?.fix).toMatch(advice);
    expect(installed?.fix).toContain(`store purge ${HARBOR}`);
    expect(grant?.state).toBe(isInstalled ? 'ok' : 'missing');
    // A store that is not installed cannot be updated.
    expect(JSON.stringify(findings)).not.toMatch(/store (update|resync)/);
  });

  test('advises to end a purge that broke off', async () => {
    await change('#status', 'purging', { '#status': 'status' });
    const { findings } = await check();
    expect(findings).toEqual([
      expect.objectContaining({ name: 'Installed', fix: expect.stringContaining(`store purge ${HARBOR}`) }),
    ]);
  });

  describe('the storefront token', () => {
    const token = async () => (await check()).findings.find(({ name }) => name === 'Storefront token');
    test('works as long as the platform has it', async () => {
      expect(await token()).toMatchObject({ state: 'ok', found: 'created, and still valid at the platform' });
    });

    test('is missing after it was deleted at the platform, and the advised command makes another', async () => {
      await world.control('reset', {});
      const { state, fix } = (await token()) ?? {};
      expect([state, fix]).toEqual([
        'missing',
        expect.stringContaining('--storefront-token to create another'),
      ]);
      expect((await check()).exitCode).toBe(1);
      await world.json(['store', 'update', HARBOR, '--storefront-token']);
      expect(await token()).toMatchObject({ state: 'ok' });
    });

    test('is not checked where the platform lists no tokens', async () => {
      await withhold('unauthenticated_read_product_listings');
      expect(await token()).toMatchObject({ state: 'unseen' });
      await withhold();
      await world.control('faults', {
        target: 'admin',
        operation: 'StorefrontTokens',
        count: 1,
        status: 500,
      });
      expect(await token()).toMatchObject({ state: 'unknown', fix: 'Try again.' });
    });
  });

  describe('the Origin header', () => {
    const origin = async () => (await check()).findings.find(({ name }) => name === 'Origin');

    test.each(['refused', 'taken'])('is not needed where one is %s', async (way) => {
      await world.control('settings', { shop: HARBOR, origin: way });
      expect(await origin()).toMatchObject({ state: 'ok' });
    });

    test('is missing where the token endpoint has come to need it', async () => {
      await world.control('settings', { shop: HARBOR, origin: 'needed' });
      const { exitCode, bad } = await check();
      expect(exitCode).toBe(1);
      expect(bad).toEqual([
        expect.objectContaining({
          name: 'Origin',
          state: 'missing',
          fix: expect.stringContaining(`first-contact ${HARBOR} --only origin`),
        }),
      ]);
    });

    test('is not checked where the token endpoint does not respond', async () => {
      await world.control('faults', { target: 'sign-in', operation: 'token', count: 2, status: 503 });
      expect(await origin()).toMatchObject({ state: 'unknown', fix: 'Try again.' });
    });
  });
});

/** Breaks one attribute of the store item. */
async function change(path: string, value: unknown, names?: Record<string, string>): Promise<void> {
  const client = new DynamoDBClient(emulatorClientSettings(world.state.dynamoDbUrl));
  await client.send(
    new UpdateItemCommand({
      TableName: world.state.tableName,
      Key: marshall({ pk: 'STORE#81234567001', sk: 'STORE' }),
      UpdateExpression: `SET ${path} = :value`,
      ExpressionAttributeValues: marshall({ ':value': value }),
      ...(names && { ExpressionAttributeNames: names }),
    }),
  );
  client.destroy();
}

describe('a move of the platform', () => {
  const accept = (...more: string[]) => world.run(['store', 'accept-sign-in', '--all', ...more]);

  test('shows every store’s move in one command, accepts them, continues where one fails, and reports that', async () => {
    const JUNIPER = 'juniper-tea.myshopify.com';
    const credentials = world.file('juniper.json', world.credentials(1));
    await world.json(['store', 'install', JUNIPER, '--credentials', credentials, '--yes']);
    await change('signIn.tokenEndpoint', 'https://elsewhere.example/token');
    const displayed = await accept('--dry-run');
    expect(displayed.exitCode).toBe(0);
    expect(displayed.out).toMatch(/old https:\/\/elsewhere\.example\/token\n\s+new http:\/\/127/);
    expect(displayed.out).toContain(`${JUNIPER}: as pinned`);
    expect((await check()).bad).toHaveLength(1);

    expect(await accept()).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
    const no = await world.run(['store', 'accept-sign-in', '--all'], { answers: [false] });
    expect(no).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('https://elsewhere.example/token →'),
    });
    expect((await check()).bad).toHaveLength(1);

    await world.control('faults', {
      target: 'sign-in',
      operation: 'discovery',
      shop: JUNIPER,
      count: 1,
      status: 503,
    });
    const done = await accept('--yes', '--json');
    expect(done.exitCode).toBe(1);
    const { stores } = JSON.parse(done.out);
    expect(stores.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(['failed', 'moved']);
    expect(await accept('--yes')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('All is well.'),
    });
    expect((await check()).bad).toEqual([]);
  });
});

describe('store update --credentials', () => {
  const update = (content: unknown, ...more: string[]) =>
    world.run([
      'store',
      'update',
      HARBOR,
      '--credentials',
      world.file('new.json', content),
      '--name',
      'New',
      ...more,
    ]);
  const answers = (fault: object) => () =>
    world.control('faults', { target: 'admin', operation: 'WhoseGrant', count: 2, ...fault });
  const right = () => world.credentials();
  const otherClient = () => ({ ...right(), clientId: 'other' });

  test.each([
    ['a grant that the platform refuses', () => 'shpat_revoked', undefined, 'was revoked, has ended'],
    [
      'a grant whose token has ended already',
      () => ({
        grant: {
          ...{ accessToken: 'shpat_old', expiresAt: '2020-01-01T00:00:00Z' },
          ...{ refreshToken: 'r', clientId: 'a', clientSecret: 'b' },
        },
      }),
      undefined,
      'expired at 2020-01-01T00:00:00Z',
    ],
    ['a grant of another store', () => world.credentials(1).grant.accessToken, undefined, 'same store'],
    [
      'a grant that the platform takes for another shop',
      right,
      answers({ body: { data: { shop: { id: 'gid://shopify/Shop/81234567002' } } } }),
      'of another shop (81234567002), not of harbor-coffee.myshopify.com (81234567001)',
    ],
    ['a grant of a platform that is down', right, answers({ status: 503 }), 'Try again'],
    ['a client id that the platform does not know', otherClient, undefined, 'does not know it'],
  ])('%s is refused, by a dry run too; nothing is written', async (what, content, breakIt, message) => {
    // Errors in the file are wrong input; the platform detects the others.
    const exitCode = what.includes('has ended already') ? 2 : 1;
    const before = await world.json(['store', 'show', HARBOR]);
    await breakIt?.();
    for (const more of [['--dry-run'], []]) {
      const ran = await update(content(), ...more);
      expect(ran).toMatchObject({ exitCode, out: '', err: expect.stringContaining(message) });
      expect(ran.err).toContain('Nothing was changed.');
      expect(ran.err).not.toContain('shpat_');
    }
    expect(await world.json(['store', 'show', HARBOR])).toEqual(before);
    expect((await check()).bad).toEqual([]);
  });

  test('fixes a refused grant with a new one of the store', async () => {
    const given = await world.control('grant', { shop: HARBOR, expiring: true });
    expect((await check()).bad).toMatchObject([{ name: 'Grant' }]);
    const content = { ...right(), grant: { accessToken: given.access_token } };
    expect(await update(content, '--dry-run')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Would change'),
    });
    expect((await check()).bad).not.toEqual([]);
    // The client id beside it is the one that the store has.
    const next = expect.stringContaining(`Changed: displayName, grant. Next: store check ${HARBOR}`);
    expect(await update(content)).toMatchObject({ exitCode: 0, out: next });
    expect((await check()).bad).toEqual([]);
    // The store's secret has another version now.
    putBack = undefined;
  });

  test('installing over an installed store refuses such a client id, too', async () => {
    const credentials = world.file('new.json', otherClient());
    const install = ['store', 'install', HARBOR, '--credentials', credentials, '--yes'];
    for (const line of [[...install, '--dry-run'], install])
      expect(await world.run(line)).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('does not know it'),
      });
    expect((await check()).bad).toEqual([]);
  });
});

describe('store install', () => {
  const JUNIPER = 'juniper-tea.myshopify.com';
  const install = (...more: string[]) => {
    const credentials = world.file('juniper.json', world.credentials(1));
    return world.run(['store', 'install', JUNIPER, '--credentials', credentials, '--yes', ...more]);
  };
  const withhold = (...withheld: string[]) => world.control('scopes', { shop: JUNIPER, withheld });

  test('with required access missing: refused with what would not work, by a dry run too; nothing is written', async () => {
    await withhold('write_own_subscription_contracts', 'read_orders', 'write_orders');
    for (const more of [['--dry-run'], []]) {
      const ran = await install(...more);
      expect(ran).toMatchObject({ exitCode: 1, out: '' });
      expect(ran.err).toContain('Nothing was installed.');
      expect(ran.err).toContain(
        'Scope write_own_subscription_contracts: not granted. Without it no subscription',
      );
      expect(ran.err).toMatch(/→ Add read_orders to a version of the app and release it.*repeat the install/);
      // There is nothing yet that could be updated.
      expect(ran.err).not.toContain('store update');
      expect(ran.err).not.toContain(world.credentials(1).grant.accessToken);
    }
    expect(await world.run(['store', 'show', JUNIPER])).toMatchObject({ exitCode: 1, out: '' });
    await withhold();
    expect(await install()).toMatchObject({ exitCode: 0 });
  });

  test('installs with optional access missing, and lists it', async () => {
    await withhold('read_locations', 'write_products');
    const ran = await install();
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining(`Installed ${JUNIPER}`) });
    expect(ran.out).toMatch(/^optional {2}Scope read_locations: .*customers cannot choose a pickup/m);
    const { notGranted } = JSON.parse((await install('--json')).out) as { notGranted: Finding[] };
    expect(new Set(notGranted.map(({ state }) => state))).toEqual(new Set(['optional']));
  });

  test('makes the storefront token; where the platform makes none, says why, and makes it later', async () => {
    const settings = (storefrontTokens: string) =>
      world.control('settings', { shop: JUNIPER, storefrontTokens });
    const token = async () => {
      const { out } = await world.run(['store', 'check', JUNIPER, '--json']);
      const { findings } = JSON.parse(out) as { findings: Finding[] };
      return findings.find(({ name }) => name === 'Storefront token');
    };
    await settings('denied');
    const ran = await install();
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining(`Installed ${JUNIPER}`) });
    expect(ran.out).toMatch(/^optional {2}Storefront token: .*\n +→ .*Storefront API.*--storefront-token/m);
    expect(await token()).toMatchObject({ state: 'optional' });
    const now = ['store', 'update', JUNIPER, '--storefront-token'];
    expect((await world.run(now)).out).toMatch(/^optional {2}Storefront token/m);
    await settings('made');
    expect((await world.run([...now, '--dry-run'])).out).toContain('Would change');
    expect(await token()).toMatchObject({ state: 'optional' });
    expect((await world.run(now)).out).not.toContain('Storefront token');
    expect(await token()).toMatchObject({ state: 'ok' });
  });

  describe('again, after an uninstall', () => {
    const again = async (content: object, ...more: string[]) => {
      expect(await install()).toMatchObject({ exitCode: 0 });
      await world.json(['store', 'uninstall', JUNIPER, '--yes']);
      const file = world.file('again.json', content);
      return world.run(['store', 'install', JUNIPER, '--credentials', file, '--yes', ...more]);
    };

    test('with a client id that the platform does not know: refused, and nothing is installed', async () => {
      for (const more of [['--dry-run'], []]) {
        const ran = await again({ ...world.credentials(1), clientId: 'of-the-app' }, ...more);
        expect(ran).toMatchObject({
          exitCode: 1,
          out: '',
          err: expect.stringMatching(
            /Client id: the platform does not know it\..*not the app's.*Nothing was changed/s,
          ),
        });
      }
      expect(await world.json(['store', 'show', JUNIPER])).toMatchObject({ status: 'uninstalled' });
    });

    test('installs with a client whose callback is not registered, and names the callback', async () => {
      await world.control('client', { shop: JUNIPER, redirectUris: ['shop.1.other://callback'] });
      const ran = await again(world.credentials(1));
      expect(ran.exitCode).toBe(0);
      expect(ran.out).toMatch(/^MISSING {3}Redirect URI: .*\n +→ .*shop\.81234567002\.app:\/\/callback/m);
    });

    test('installs without a client id, without the one from before, and says that customers cannot sign in', async () => {
      const ran = await again({ grant: world.credentials(1).grant });
      expect(ran.exitCode).toBe(0);
      expect(ran.out).toMatch(/^MISSING {3}Client id: none: customers cannot sign in/m);
      expect((await world.json(['store', 'show', JUNIPER])).clientId).toBeUndefined();
    });
  });

  test('says over an installed store, without a client id, which one stays, and that it does not work', async () => {
    expect(await install()).toMatchObject({ exitCode: 0 });
    await world.control('client', { shop: JUNIPER, redirectUris: ['shop.1.other://callback'] });
    const file = world.file('bare.json', { grant: world.credentials(1).grant });
    const ran = await world.run(['store', 'install', JUNIPER, '--credentials', file, '--yes']);
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('Client id: unchanged') });
    expect(ran.out).toMatch(/^MISSING {3}Redirect URI/m);
  });

  test('says that the sign-in discovery redirects before a merchant is asked, by check and accept-sign-in too', async () => {
    await world.control('settings', { shop: HARBOR, discovery: 'moved' });
    let pastes = 0;
    const file = world.file('app.json', { app: { clientId: 'app', clientSecret: 'secret' } });
    const message = /redirect \(301\) to \S+openid-configuration.*not followed.*Settings → Domains/s;
    const ran = await world.run(['store', 'install', HARBOR, '--credentials', file, '--oauth', '--yes'], {
      pastes: async () => `${pastes++}`,
    });
    expect(ran).toMatchObject({ exitCode: 1, out: '', err: expect.stringMatching(message) });
    expect(ran.err).toContain('Nothing was changed.');
    expect(ran.err).not.toMatch(/credentials and the region|repeat the command/);
    expect(pastes).toBe(0);
    expect((await check()).bad).toEqual([
      expect.objectContaining({
        name: 'Sign-in addresses',
        state: 'missing',
        found: expect.stringMatching(/redirect \(301\)/),
        fix: expect.stringContaining('Settings → Domains'),
      }),
    ]);
    const accepted = await world.run(['store', 'accept-sign-in', HARBOR, '--yes']);
    expect(accepted).toMatchObject({ exitCode: 1, out: expect.stringMatching(message) });
    expect(accepted.out).not.toContain('TEMPORARILY_UNAVAILABLE');
  });

  test.each([
    ['does not answer well', { status: 503 }, 'Try again'],
    ['answers no document', { body: {} }, 'Try again'],
  ])(
    'reports a sign-in discovery that %s as a fault of the platform, not of the credentials',
    async (_what, fault, message) => {
      await world.control('faults', { target: 'sign-in', operation: 'discovery', count: 2, ...fault });
      const ran = await install();
      expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining(message) });
      expect(ran.err).not.toMatch(/credentials and the region|has a defect/);
    },
  );
});

storeFormsSuite(() => world);
