/** `npm start` from its start to its end, as a process. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startTestStack, type TestStack } from '../../../stack.ts';

/** The processes whose parent is the stack's. */
function instancesOf({ pid }: TestStack): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' });
  return stdout.trim().split(/\s+/);
}

async function isOpen(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function expectGone(stack: TestStack, instances: readonly string[]): Promise<void> {
  expect(existsSync(stack.stateFile)).toBe(false);
  for (const url of [stack.baseUrl, stack.platformUrl, stack.phoneUrl]) expect(await isOpen(url)).toBe(false);
  for (const pid of instances) expect(existsSync(`/proc/${pid}`)).toBe(false);
}

describe('a stack', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack();
  });

  test('says what it is doing, and what to try', () => {
    const shown = stack.terminal();
    for (const what of [
      'Building the functions',
      'Starting the stand-ins',
      'Installing the demo stores',
      'starting the functions',
      stack.baseUrl,
      stack.phoneUrl,
      `${stack.platformUrl}/_mailbox`,
      stack.adminKey,
      'npm run demo',
    ]) {
      expect(shown).toContain(what);
    }
    expect(stack.rawLog()).not.toContain(stack.adminKey);
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
  });

  test('moves the clock of the functions with that of the platform', async () => {
    await stack.control.clock({ now: '2031-05-01T00:00:00Z' });
    await fetch(`${stack.baseUrl}/headless-auth/start`, { method: 'POST' });
    const line = stack.logs().findLast(({ message }) => message === 'request');
    expect(line?.timestamp).toMatch(/^2031-05-01T00:00:/);
  });

  test('is ended by SIGINT with everything, and its state is removed', async () => {
    const instances = instancesOf(stack);
    expect(instances.length).toBeGreaterThanOrEqual(4);
    expect(await stack.stop('SIGINT')).toEqual({ exitCode: 0 });
    await expectGone(stack, instances);
  });
});

test('with --data a restart changes nothing: addresses, keys, clock; SIGTERM and SIGKILL leave no process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const first = await startTestStack({ dataDir });
  await first.control.clock({ advance: 7 * 86_400 });
  const { control: _1, ...before } = first;
  const instances = instancesOf(first);
  expect(await first.stop('SIGTERM')).toEqual({ exitCode: 0 });
  await expectGone(first, instances);
  const second = await startTestStack({ dataDir });
  expect(second.baseUrl).toBe(before.baseUrl);
  expect(second.platformUrl).toBe(before.platformUrl);
  expect(second.stores).toEqual(before.stores);
  const { now } = await fetch(`${second.platformUrl}/_control/clock`).then((answer) => answer.json());
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  const left = instancesOf(second);
  await second.stop('SIGKILL');
  // The instances see their channel close, and end.
  while (left.some((pid) => existsSync(`/proc/${pid}`))) await new Promise(setImmediate);
  rmSync(dataDir, { recursive: true });
});
