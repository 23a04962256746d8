/** `npm start` from its start to its end, as a process. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startTestStack } from '../../../stack.ts';

/** The processes whose parent is this one. */
function childrenOf(pid: number): string {
  return spawnSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' }).stdout.trim();
}

async function isOpen(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends everything and removes the state', async (signal) => {
  const stack = await startTestStack();
  const state = JSON.parse(readFileSync(stack.stateFile, 'utf8'));
  expect(Object.keys(state)).toEqual([
    'baseUrl',
    'platformUrl',
    'phoneUrl',
    'shop',
    'shopId',
    'adminKey',
    'customers',
    'contracts',
    'stores',
    'dynamoDbUrl',
    'secretsManagerUrl',
    'tableName',
    'secretsPrefix',
  ]);
  expect(state).toMatchObject({
    shop: 'harbor-coffee.myshopify.com',
    shopId: 81234567001,
    customers: [{ id: 7001001, email: 'ada@example.com' }, {}, {}, {}],
    stores: [{ shop: state.shop, adminKey: state.adminKey }, { shop: 'juniper-tea.myshopify.com' }],
  });
  const instances = childrenOf(stack.pid).split('\n');
  expect(instances.length).toBeGreaterThanOrEqual(4);
  expect(await stack.stop(signal)).toEqual({ exitCode: 0 });
  expect(existsSync(stack.stateFile)).toBe(false);
  for (const url of [stack.baseUrl, stack.platformUrl, stack.phoneUrl]) expect(await isOpen(url)).toBe(false);
  for (const pid of instances) expect(existsSync(`/proc/${pid.trim()}`)).toBe(false);
});

test('killed outright, it leaves no process behind', async () => {
  const stack = await startTestStack();
  const instances = childrenOf(stack.pid).split('\n');
  await stack.stop('SIGKILL');
  // The instances see their channel close, and end.
  while (instances.some((pid) => existsSync(`/proc/${pid.trim()}`))) await new Promise(setImmediate);
});

test('it says what it is doing, and what to try', async () => {
  const stack = await startTestStack();
  const shown = stack.terminal();
  for (const what of [
    'Building the functions',
    'Starting the stand-ins',
    'Installing the demo stores',
    'starting the functions',
  ]) {
    expect(shown).toContain(`${what}`);
  }
  for (const what of [
    stack.baseUrl,
    stack.phoneUrl,
    `${stack.platformUrl}/_mailbox`,
    stack.adminKey,
    'npm run demo',
  ]) {
    expect(shown).toContain(what);
  }
  expect(stack.rawLog()).not.toContain(stack.adminKey);
  await stack.stop();
});

test('with --data a restart changes nothing: addresses, keys, clock', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const first = await startTestStack({ dataDir });
  await first.control.clock({ advance: 7 * 86_400 });
  const { control: _1, ...before } = first;
  await first.stop();
  const second = await startTestStack({ dataDir });
  expect(second.baseUrl).toBe(before.baseUrl);
  expect(second.platformUrl).toBe(before.platformUrl);
  expect(second.stores).toEqual(before.stores);
  const { now } = await fetch(`${second.platformUrl}/_control/clock`).then((answer) => answer.json());
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  await second.stop();
  rmSync(dataDir, { recursive: true });
});

test('the clock of the functions moves with that of the platform', async () => {
  const stack = await startTestStack();
  await stack.control.clock({ now: '2031-05-01T00:00:00Z' });
  await fetch(`${stack.baseUrl}/headless-auth/start`, { method: 'POST' });
  const line = stack.logs().findLast(({ message }) => message === 'request');
  expect(line?.timestamp).toMatch(/^2031-05-01T00:00:/);
  await stack.stop();
});
