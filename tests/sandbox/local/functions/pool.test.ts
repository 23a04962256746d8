/** Lambda's model of instances, tried with a handler that does what its event says. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createConcurrentPool } from '../../../../sandbox/local/functions/concurrent-pool.ts';
import { createLogs, type FunctionLogs } from '../../../../sandbox/local/functions/logs.ts';
import { createPool, type FunctionPool, type PoolOptions } from '../../../../sandbox/local/functions/pool.ts';

const bundlePath = join(import.meta.dirname, '../fixtures/handlers.mjs');
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

type Line = Record<string, unknown>;

function startPool(
  options: Partial<PoolOptions> = {},
  create = createPool,
): FunctionPool & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const logs: FunctionLogs = createLogs({
    json: true,
    write: (line) => lines.push(JSON.parse(line)),
    now: Date.now,
  });
  const pool = create({
    name: 'fixture',
    bundlePath,
    environment: { GREETING: 'hello' },
    timeoutSeconds: 20,
    memoryMb: 512,
    clockOffsetMs: () => 0,
    logs,
    ...options,
  });
  open.push(() => pool.close());
  return { ...pool, lines };
}

/** A server whose responses the test sends. */
async function startPeer(): Promise<{ url: string; waiting: () => Promise<ServerResponse>; seen: number[] }> {
  const arrived: ServerResponse[] = [];
  const responders: ((response: ServerResponse) => void)[] = [];
  const seen: number[] = [];
  const server: Server = createServer((_request, response) => {
    seen.push(1);
    const next = responders.shift();
    if (next) next(response);
    else arrived.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    waiting: () =>
      new Promise((resolve) => {
        const next = arrived.shift();
        if (next) resolve(next);
        else responders.push(resolve);
      }),
    seen,
  };
}

test('a handler that throws fails its invocation and is told in the log; the instance lives on', async () => {
  const pool = startPool();
  await expect(pool.invoke({ act: 'throws' })).rejects.toThrow('TypeError: not today');
  expect(pool.lines).toContainEqual(
    expect.objectContaining({ level: 'ERROR', errorType: 'TypeError', errorMessage: 'not today' }),
  );
  expect(await pool.invoke({})).toMatchObject({ count: 1 });
  expect(pool.size()).toBe(1);
});

test('a process that ends fails its invocation; the next one gets another instance', async () => {
  const pool = startPool();
  await pool.invoke({});
  await expect(pool.invoke({ act: 'dies' })).rejects.toThrow('exit code 3');
  expect(await pool.invoke({})).toMatchObject({ count: 1 });
});

test('a rejection that nobody catches ends the process', async () => {
  await expect(startPool().invoke({ act: 'rejectsLater' })).rejects.toThrow('Runtime.ExitError');
});

test('a handler beyond its time is killed', async () => {
  const pool = startPool({ timeoutSeconds: 0.5 });
  await pool.warm();
  await expect(pool.invoke({ act: 'never' })).rejects.toThrow('Task timed out after 0.50 seconds');
});

test('a bundle that does not load says why', async () => {
  const pool = startPool({ bundlePath: '/nowhere/index.mjs' });
  await expect(pool.warm()).rejects.toThrow(/Cannot find module/);
  await expect(pool.invoke({})).rejects.toThrow(/Cannot find module/);
});

test('invocations one after another share an instance', async () => {
  const pool = startPool();
  expect(await pool.invoke({})).toMatchObject({ count: 1 });
  expect(await pool.invoke({})).toMatchObject({ count: 2 });
  expect(pool.size()).toBe(1);
});

test('invocations at once get an instance each; beyond the limit they wait', async () => {
  const peer = await startPeer();
  const pool = startPool({ maxInstances: 2 });
  const invoked = [1, 2, 3].map(() => pool.invoke({ act: 'waits', url: peer.url }));
  const first = [await peer.waiting(), await peer.waiting()];
  expect(pool.size()).toBe(2);
  expect(peer.seen).toHaveLength(2);
  for (const response of first) response.end('go');
  (await peer.waiting()).end('go');
  expect(await Promise.all(invoked)).toEqual(['go', 'go', 'go']);
  expect(pool.size()).toBe(2);
});

/** How many turns of its loop an instance takes from one invocation to the next, while others are invoked `rounds` times. */
async function turnsBetween(rounds: number): Promise<number> {
  const pool = startPool();
  await pool.invoke({ act: 'countsTurns' });
  const other = startPool();
  for (let round = 0; round < rounds; round++) await other.invoke({});
  const { turns } = (await pool.invoke({ act: 'reportsTurns' })) as { turns: number };
  return turns;
}

test('nothing runs between invocations', async () => {
  const concurrentTurns = await turnsBetween(0);
  expect(concurrentTurns).toBeGreaterThan(0);
  expect(await turnsBetween(20)).toBe(concurrentTurns);
});

describe.each([
  ['one invocation at a time', createPool],
  ['all invocations at once', createConcurrentPool],
] as const)('an instance that handles %s', (_handled, create) => {
  test.each(['leavesFetchOpen', 'leavesRequestOpen'])(
    'reports a request that is open at the response: %s',
    async (act) => {
      const peer = await startPeer();
      const pool = startPool({}, create);
      expect(await pool.invoke({ act, url: `${peer.url}path?secret=1` })).toBe('answered');
      const reported = pool.lines.filter(({ message }) => message === 'sent after the answer');
      expect(reported).toHaveLength(1);
      expect(reported[0]?.request).toMatch(/^GET .*\/path$/);
    },
  );

  test('reports no request that was destroyed before it had a socket', async () => {
    const peer = await startPeer();
    const pool = startPool({}, create);
    expect(await pool.invoke({ act: 'destroysRequest', url: peer.url })).toBe('answered');
    expect([pool.lines, peer.seen]).toEqual([[], []]);
  });
});

test('a request made after the answer is told, at the next invocation or at the end', async () => {
  const peer = await startPeer();
  // On a busy machine an instance takes longer to run out than a stack would wait.
  const pool = startPool({ drainWithinMs: 60_000 });
  await pool.invoke({ act: 'sendsLater', url: peer.url });
  expect(peer.seen).toHaveLength(0);
  await pool.close();
  expect(pool.lines).toContainEqual(
    expect.objectContaining({ level: 'ERROR', message: 'sent after the answer', function: 'fixture' }),
  );
});

test('a handler that waits for its requests is told nothing about', async () => {
  const peer = await startPeer();
  const pool = startPool();
  const invoked = pool.invoke({ act: 'waits', url: peer.url });
  (await peer.waiting()).end('done');
  await invoked;
  await pool.close();
  expect(pool.lines).toEqual([]);
});

test('a request whose connection goes over to another protocol has ended', async () => {
  const server = createServer().on('upgrade', () => undefined);
  server.on('request', (_, { socket }) =>
    socket?.end('HTTP/1.1 101 S\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  const pool = startPool();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await pool.invoke({ act: 'isAnsweredOtherwise', url })).toBe('answered');
  await pool.close();
  expect(pool.lines).toEqual([]);
});

test('a function sees its own environment and nothing of the runner', async () => {
  const environment = await startPool().invoke({ act: 'environment' });
  expect(Object.keys(environment as object).sort()).toEqual(['GREETING', '_X_AMZN_TRACE_ID']);
});

test("the context is Lambda's", async () => {
  expect(await startPool().invoke({ act: 'context' })).toEqual({
    functionName: 'subscriptions-local-fixture',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:subscriptions-local-fixture',
    memoryLimitInMB: '512',
    logGroupName: '/aws/lambda/subscriptions-local-fixture',
    logStreamName: 'local',
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    callbackWaitsForEmptyEventLoop: true,
    remainingMs: expect.any(Number),
  });
});

test('the clock follows the offset at every invocation', async () => {
  let offsetMs = 0;
  const pool = startPool({ clockOffsetMs: () => offsetMs });
  const before = Date.now();
  expect(((await pool.invoke({ act: 'clock' })) as { now: number }).now).toBeGreaterThanOrEqual(before);
  offsetMs = 400 * 86_400_000;
  const moved = (await pool.invoke({ act: 'clock' })) as { now: number; date: string; isDate: boolean };
  expect(moved.now).toBeGreaterThanOrEqual(before + offsetMs);
  expect(Date.parse(moved.date)).toBeGreaterThanOrEqual(before + offsetMs);
  expect(moved.isDate).toBe(true);
});

test('JSON lines are passed on as they are, text is wrapped', async () => {
  const pool = startPool();
  await pool.invoke({ act: 'logs' });
  await pool.close();
  expect(pool.lines).toEqual(
    expect.arrayContaining([
      { level: 'INFO', message: 'from inside', answer: 42 },
      expect.objectContaining({ message: 'plain text', service: 'fixture' }),
    ]),
  );
});

test.each([
  ['nothing', null],
  ['text', 'Hello'],
])('what JSON makes of a result is what comes: %s', async (act, result) => {
  expect(await startPool().invoke({ act })).toEqual(result);
});

test('an instance that ends itself after its answer has given it, and is not invoked again', async () => {
  const pool = startPool();
  for (let round = 0; round < 3; round++) {
    expect(await pool.invoke({ act: 'endsAfterwards' })).toBe('answered');
    expect(await pool.invoke({})).toMatchObject({ count: 1 });
    // Some are waiting while it ends.
    const waited = await Promise.all([pool.invoke({ act: 'endsAfterwards' }), pool.invoke({})]);
    expect(waited[0]).toBe('answered');
  }
  expect(pool.lines).toEqual([]);
});
