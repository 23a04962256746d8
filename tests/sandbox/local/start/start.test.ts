/** Runs `npm start` as a process, from start to stop. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, send, signIn, type Tokens } from '../../../contract/world/service-client.ts';
import { startTestStack, type TestStack } from '../../../stack.ts';
import { expectGone, instancesOf } from '../../../stack-processes.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
/** Not further: the scheduled work of all the time between is done on the way. */
const NEXT_WEEK = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

const APPS = ['capacitor://localhost', 'http://localhost:5173'];
const PAGE = 'http://localhost:5174/account';

const SKIP =
  'mutation ($id: ID!, $index: Int!) { subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index) { billingCycle { skipped } userErrors { message } } }';
const READ =
  'query ($id: ID!, $index: Int!) { subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: $index } }) { skipped } }';

describe('a stack', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack({ dataDir, allowOrigins: APPS, pages: [PAGE] });
  });

  test('says what it is doing, and what to try', () => {
    const displayed = stack.terminal();
    for (const what of [
      'Building the functions',
      'Starting the stand-ins',
      'Installing the demo stores',
      'starting the functions',
      stack.baseUrl,
      stack.phoneUrl,
      `${stack.platformUrl}/_mailbox`,
      stack.adminKey,
      `npm run demo -- --state ${stack.stateFile}`,
    ]) {
      expect(displayed).toContain(what);
    }
    expect(stack.rawLog()).not.toContain(stack.adminKey);
  });

  test('gives the functions all that they read before their first request', () => {
    const reported = stack.logs().filter(({ message }) => String(message).includes('warmed'));
    expect(reported).toEqual([]);
  });

  test('lets the configured origins call it, and its own page for its store, and no other', async () => {
    const allowedOrigin = async (path: string, origin: string) =>
      (await fetch(stack.baseUrl + path, { method: 'OPTIONS', headers: { origin } })).headers.get(
        'access-control-allow-origin',
      );
    for (const path of ['/headless-auth/start', '/api/storefront/unstable/graphql.json']) {
      for (const origin of APPS) expect(await allowedOrigin(path, origin)).toBe(origin);
      expect(await allowedOrigin(`${path}?shop=${stack.shop}`, stack.phoneUrl)).toBe(stack.phoneUrl);
      expect(await allowedOrigin(path, stack.phoneUrl)).toBeNull();
      expect(await allowedOrigin(path, 'https://localhost')).toBeNull();
    }
  });

  test('signs customers of the first store in on the pages that were named', async () => {
    const post = (body: object) =>
      fetch(`${stack.baseUrl}/headless-auth/start?shop=${stack.shop}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: new URL(PAGE).origin },
        body: JSON.stringify({ shop: stack.shop, ...body }),
      });
    const started = await post({ redirectUri: PAGE });
    expect(started.headers.get('access-control-allow-origin')).toBe(new URL(PAGE).origin);
    const { authUrl } = (await started.json()) as { authUrl: string };
    expect((await fetch(authUrl, { redirect: 'manual' })).status).toBeLessThan(400);
    expect((await post({ redirectUri: `${PAGE}/other` })).status).toBe(400);
  });

  test('leaves its addresses, keys, customers and stores in a file', () => {
    const state = JSON.parse(readFileSync(stack.stateFile, 'utf8'));
    expect(Object.keys(state)).toEqual([
      'baseUrl',
      'platformUrl',
      'phoneUrl',
      'shop',
      'shopId',
      'adminKey',
      'webhooksKey',
      'customers',
      'contracts',
      'stores',
      'dynamoDbUrl',
      'secretsManagerUrl',
      'logsUrl',
      'stsUrl',
      'tableName',
      'secretsPrefix',
    ]);
    expect(state).toMatchObject({
      shop: 'harbor-coffee.myshopify.com',
      shopId: 81234567001,
      customers: [{ id: 7001001, email: 'ada@example.com' }, {}, {}, {}],
      stores: [{ shop: state.shop, adminKey: state.adminKey }, { shop: 'juniper-tea.myshopify.com' }],
    });
  });

  test('has a key that manages endpoints, which the other one does not', async () => {
    const query = '{ webhookEndpoints(first: 1) { nodes { id } } }';
    const made = await ask(stack, 'admin', { bearer: stack.webhooksKey, query });
    expect(made.body).toEqual({ data: { webhookEndpoints: { nodes: [] } } });
    const refused = await ask(stack, 'admin', { bearer: stack.adminKey, query });
    expect(refused.body).toMatchObject({ errors: [{ extensions: { code: expect.any(String) } }] });
    expect(stack.rawLog()).not.toContain(stack.webhooksKey);
  });

  test('moves the clock of the functions with that of the platform', async () => {
    await stack.control.clock({ now: `${NEXT_WEEK}T00:00:00Z` });
    await fetch(`${stack.baseUrl}/headless-auth/start`, { method: 'POST' });
    const line = stack.logs().findLast(({ message }) => message === 'request');
    expect(line?.timestamp).toContain(`${NEXT_WEEK}T00:00:`);
  });

  let tokens: Tokens;
  let skipped: { readonly id: string | undefined; readonly index: number | undefined };

  test('skips an order for a customer', async () => {
    tokens = await signIn(stack, 'ada@example.com');
    const nowMs = Date.parse(await stack.control.now());
    const cycles = await ask(stack, 'customer', {
      bearer: tokens.accessToken,
      query: `{ subscriptionBillingCycles(contractId: "${stack.contracts[0]}", first: 3, billingCyclesDateRangeSelector: {
        startDate: "${new Date(nowMs).toISOString()}", endDate: "${new Date(nowMs + 60 * 864e5).toISOString()}" }) { nodes { cycleIndex } } }`,
    });
    const { data } = cycles.body as {
      data: { subscriptionBillingCycles: { nodes: { cycleIndex: number }[] } };
    };
    skipped = { id: stack.contracts[0], index: data.subscriptionBillingCycles.nodes[1]?.cycleIndex };
    const answer = await ask(stack, 'customer', {
      bearer: tokens.accessToken,
      query: SKIP,
      variables: skipped,
    });
    expect(answer.body).toEqual({
      data: { subscriptionBillingCycleSkip: { billingCycle: { skipped: true }, userErrors: [] } },
    });
  });

  test('is ended by SIGINT with everything, and its state is removed', async () => {
    const instances = instancesOf(stack);
    expect(instances.length).toBeGreaterThanOrEqual(4);
    expect(await stack.stop('SIGINT')).toEqual({ exitCode: 0 });
    await expectGone(stack, instances);
  });

  let second: TestStack;

  test('with --data a restart changes nothing: addresses, keys, clock', async () => {
    second = await startTestStack({ dataDir });
    expect(second.baseUrl).toBe(stack.baseUrl);
    expect(second.platformUrl).toBe(stack.platformUrl);
    expect(second.stores).toEqual(stack.stores);
    expect(second.contracts).toEqual(stack.contracts);
    expect(await second.control.now()).toContain(`${NEXT_WEEK}T00:`);
  });

  test('keeps sessions and platform data across a restart', async () => {
    const read = await ask(second, 'customer', {
      bearer: tokens.accessToken,
      query: READ,
      variables: skipped,
    });
    expect(read.body).toEqual({ data: { subscriptionBillingCycle: { skipped: true } } });
    const byKey = await ask(second, 'admin', { bearer: stack.adminKey, query: '{ shop { name } }' });
    expect(byKey.status).toBe(200);
    const { customerId, refreshToken } = tokens;
    const refreshed = await send(second, '/headless-auth/refresh', {
      body: { shop: second.shop, customerId, refreshToken },
    });
    expect(refreshed.status).toBe(200);
    expect((refreshed.body as Tokens).refreshToken).not.toBe(refreshToken);
  });

  test('SIGKILL leaves no process', async () => {
    const left = instancesOf(second);
    await second.stop('SIGKILL');
    // The instances see their channel close, and end.
    while (left.some((pid) => existsSync(`/proc/${pid}`))) await new Promise(setImmediate);
  });
});
