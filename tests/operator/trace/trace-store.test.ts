/** The trace with the emulator of CloudWatch Logs: the stored lines, and the clock that finds them. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, expect, test } from '@jest/globals';
import { readTrace } from '../../../operator/trace/read-trace.ts';
import { createTrace } from '../../../operator/trace/trace.ts';
import { createTraceStore } from '../../../operator/trace/trace-store.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startLogsEmulator } from '../../../sandbox/aws/logs/start-logs-emulator.ts';

const GROUP = '/subscriptions/test/operators';
const AWS_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 24 * 3600_000;
const caller = { account: '1', arn: 'arn:aws:iam::1:user/sam', userId: 'sam' };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open() {
  const clock = { awsMs: AWS_MS, operatorMs: AWS_MS };
  const logs = await startLogsEmulator({ path: undefined, now: () => clock.awsMs, groups: { [GROUP]: 400 } });
  const client = new CloudWatchLogsClient(emulatorClientSettings(logs.url));
  const store = createTraceStore(client, GROUP);
  ends.push(logs.close, async () => client.destroy());
  let count = 0;
  const traceOf = (commandName: string, options = {}) =>
    createTrace(
      {
        store,
        whoAmI: async () => caller,
        now: () => clock.operatorMs,
        random: () => Buffer.from([++count]),
      },
      { command: { verb: commandName, args: ['a'], options }, environment: 'test', table: 't' },
    );
  const messages = () => logs.messages().map((line) => JSON.parse(line));
  return { clock, store, traceOf, messages };
}

test.each([0, -13 * DAY_MS, 3600_000])(
  'what was done is found by the clock of AWS, the operator’s is off by %i ms',
  async (offMs) => {
    const { clock, store, traceOf } = await open();
    clock.operatorMs += offMs;
    for (const shopId of [1, 2, 3]) {
      const trace = traceOf('store uninstall');
      await trace.writeStart();
      trace.recordChange('store.uninstalled', { shopId });
      await trace.end({ outcome: 'succeeded' });
      clock.awsMs += 60_000;
      clock.operatorMs += 60_000;
    }
    const { events, open: broken } = await readTrace(store, AWS_MS + 30_000);
    expect(events).toEqual([
      { message: 'store.uninstalled', shopId: 2, atMs: AWS_MS + 60_000 },
      { message: 'store.uninstalled', shopId: 3, atMs: AWS_MS + 120_000 },
    ]);
    expect(broken).toEqual([]);
  },
);

test('a command that broke off, or whose outcome is unknown, is told as it was typed', async () => {
  const { store, traceOf } = await open();
  const broken = traceOf('session revoke', { all: true, by: 'a b', portalPage: false, expiresInDays: '3' });
  await broken.writeStart();
  const unknown = traceOf('key revoke');
  await unknown.writeStart();
  await unknown.end({ outcome: 'unknown', errorCode: 'TEMPORARILY_UNAVAILABLE' });
  const failed = traceOf('key issue');
  await failed.writeStart();
  await failed.end({ outcome: 'failed', errorCode: 'StoreChangeRefused' });
  const { open: reported } = await readTrace(store, AWS_MS);
  expect(reported).toEqual([
    {
      command: 'session revoke a --all --by "a b" --no-portal-page --expires-in-days "3"',
      by: caller.arn,
      startedAtMs: AWS_MS,
    },
    { command: 'key revoke a', by: caller.arn, startedAtMs: AWS_MS },
  ]);
});

test('one that began before the backup counts if it did something after it', async () => {
  const { clock, store, traceOf } = await open();
  const trace = traceOf('session revoke');
  await trace.writeStart();
  clock.awsMs += 120_000;
  clock.operatorMs += 120_000;
  trace.recordChange('store.purged', { shopId: 9 });
  await trace.end({ outcome: 'succeeded' });
  expect((await readTrace(store, AWS_MS + 1)).events).toHaveLength(1);
});

test('thousands of things are written as they are done, in their order, and before what comes next', async () => {
  const { traceOf, messages } = await open();
  const trace = traceOf('session revoke');
  for (let count = 0; count < 1200; count++) {
    await trace.writeStart();
    expect(messages().length).toBeGreaterThan(count - 501);
    trace.recordChange('session.revoked', { count });
  }
  await trace.end({ outcome: 'succeeded' });
  const counts = messages().flatMap(({ event, count }) => (event === 'did' ? [count] : []));
  expect(counts).toEqual(Array.from({ length: 1200 }, (_, count) => count));
});

test('a trace that is not there cannot be read: a restore goes no further', async () => {
  const logs = await startLogsEmulator({ path: undefined, now: Date.now, groups: {} });
  const client = new CloudWatchLogsClient(emulatorClientSettings(logs.url));
  ends.push(logs.close, async () => client.destroy());
  const reading = createTraceStore(client, GROUP).readSince(0);
  await expect(reading).rejects.toThrow(
    'cannot be read. The log group was not found. Deploy the environment first.',
  );
});

test('nothing goes on once it takes no more', async () => {
  const { clock, traceOf } = await open();
  const trace = traceOf('session revoke');
  await trace.writeStart();
  clock.awsMs += 30 * DAY_MS;
  for (let count = 0; count < 500; count++) trace.recordChange('session.revoked', { count });
  await expect(trace.writeStart()).rejects.toThrow('too old');
  await expect(trace.writeStart()).rejects.toThrow('too old');
  await expect(trace.end({ outcome: 'failed' })).rejects.toThrow('too old');
});

test('whoever changes nothing leaves no line, whatever is told', async () => {
  const { traceOf, messages } = await open();
  const trace = traceOf('store update');
  trace.recordChange('told');
  await trace.end({ outcome: 'failed', errorCode: 'OperatorError' });
  expect(messages()).toEqual([]);
});
