/** A stack with `--data` is the same after a restart: sessions, keys and what was changed at the platform. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startTestStack } from '../stack.ts';
import { expectGone, instancesOf } from '../stack-processes.ts';
import { ask, send, signIn, type Tokens } from './service-client.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const SKIP =
  'mutation ($id: ID!, $index: Int!) { subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index) { billingCycle { skipped } userErrors { message } } }';
const READ =
  'query ($id: ID!, $index: Int!) { subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: $index } }) { skipped } }';

test('a restart over kept data changes nothing', async () => {
  const first = await startTestStack({ dataDir });
  const tokens = await signIn(first, 'ada@example.com');
  const cycles = await ask(first, 'customer', {
    bearer: tokens.accessToken,
    query: `{ subscriptionBillingCycles(contractId: "${first.contracts[0]}", first: 3, billingCyclesDateRangeSelector: {
      startDate: "${new Date().toISOString()}", endDate: "${new Date(Date.now() + 60 * 864e5).toISOString()}" }) { nodes { cycleIndex } } }`,
  });
  const { data } = cycles.body as {
    data: { subscriptionBillingCycles: { nodes: { cycleIndex: number }[] } };
  };
  const variables = { id: first.contracts[0], index: data.subscriptionBillingCycles.nodes[1]?.cycleIndex };
  const skipped = await ask(first, 'customer', { bearer: tokens.accessToken, query: SKIP, variables });
  expect(skipped.body).toEqual({
    data: { subscriptionBillingCycleSkip: { billingCycle: { skipped: true }, userErrors: [] } },
  });
  expect((await first.stop('SIGINT')).exitCode).toBe(0);

  const second = await startTestStack({ dataDir });
  try {
    expect(second.adminKey).toBe(first.adminKey);
    expect(second.contracts).toEqual(first.contracts);
    const read = await ask(second, 'customer', { bearer: tokens.accessToken, query: READ, variables });
    expect(read.body).toEqual({ data: { subscriptionBillingCycle: { skipped: true } } });
    const byKey = await ask(second, 'admin', { bearer: first.adminKey, query: '{ shop { name } }' });
    expect(byKey.status).toBe(200);
    const { customerId, refreshToken } = tokens;
    const refreshed = await send(second, '/headless-auth/refresh', {
      body: { shop: second.shop, customerId, refreshToken },
    });
    expect(refreshed.status).toBe(200);
    expect((refreshed.body as Tokens).refreshToken).not.toBe(refreshToken);
  } finally {
    const instances = instancesOf(second);
    expect(await second.stop('SIGTERM')).toEqual({ exitCode: 0 });
    await expectGone(second, instances);
  }
});
