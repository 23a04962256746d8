/** Faults between the small client and AWS, and the errors that a caller of the table gets. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AwsClientOptions } from '../../../../lib/storage/aws-client/aws-client.ts';
import { createTableClient } from '../../../../lib/storage/aws-client/table-client.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { startDynamoDbEmulator } from '../../../../sandbox/aws/start-dynamodb.ts';
import { ownClient } from './clients.ts';
import { type Relay, type RelayFault, refusal, startRelay, type WireAnswer } from './relay.ts';

const TABLE = 'faults';
const parts = new AsyncDisposableStack();
let relay: Relay;
const aws = { aheadMs: 0 };
beforeAll(async () => {
  const awsClock = () => Date.now() + aws.aheadMs;
  const dynamoDb = await startDynamoDbEmulator({ tableName: TABLE, path: undefined, awsClock });
  parts.defer(() => dynamoDb.close());
  relay = parts.adopt(await startRelay(dynamoDb.url), (one) => one.close());
});
afterAll(() => parts.disposeAsync());
beforeEach(() => {
  relay.calls.length = 0;
  relay.plannedFaults.length = 0;
  aws.aheadMs = 0;
});

type Container = {
  readonly table: Table;
  readonly pauses: readonly number[];
  readonly clock: { nowMs: number };
};

function container(changes: Partial<AwsClientOptions> = {}): Container {
  const clock = { nowMs: Date.now() };
  const client = parts.adopt(
    ownClient('dynamodb', relay.url, { now: () => clock.nowMs, ...changes }),
    (one) => one.close(),
  );
  return { table: createTableClient({ call: client.call, tableName: TABLE }), pauses: client.pauses, clock };
}

let number = 0;
const newKey = () => ({ pk: 'P', sk: `${number++}` });
const absent = { condition: 'attribute_not_exists(pk)' };
const unavailable = { code: 'TEMPORARILY_UNAVAILABLE' };
const tries = () => relay.calls.length;

describe('a conditional write', () => {
  test('sends the write again when its request is lost, and does it once', async () => {
    const { table } = container();
    relay.plannedFaults.push('reset before');
    expect(await table.put(newKey(), absent)).toBe('done');
    expect(tries()).toBe(2);
  });

  test('finds its own write when the response is lost and the retry is refused', async () => {
    const { table } = container();
    const key = newKey();
    relay.plannedFaults.push('reset after');
    expect(await table.put(key, absent)).toBe('done');
    expect(await table.get(key)).toEqual(key);
    expect(await table.put(key, absent)).toBe('refused');
  });

  test('reports an outage when all responses of a write that was done are lost', async () => {
    const { table } = container();
    const key = newKey();
    relay.plannedFaults.push('reset after', 'reset after');
    await expect(table.put(key, absent)).rejects.toMatchObject(unavailable);
    expect(await table.get(key)).toEqual(key);
  });
});

const withoutBody = (answer: WireAnswer) => ({ ...answer, body: Buffer.from('') });
const asHtml = (answer: WireAnswer) => ({ ...answer, headers: {}, body: Buffer.from('<html>') });
const wrongSum = (answer: WireAnswer) => ({ ...answer, headers: { ...answer.headers, 'x-amz-crc32': '7' } });
const altered = (answer: WireAnswer) => ({ ...answer, body: Buffer.from('{"Item":{}}') });

const TRANSIENT: readonly (readonly [string, RelayFault])[] = [
  ['a reset connection', 'reset before'],
  ['a lost answer', 'reset after'],
  ['a cut answer', 'cut'],
  ['500', refusal('InternalServerError', { status: 500 })],
  ['503 in HTML', (answer) => ({ ...asHtml(answer), status: 503 })],
  ['throttling', refusal('ThrottlingException')],
  ['429', refusal('Whatever', { status: 429 })],
  ['a wrong checksum', wrongSum],
  ['a body that is not what was summed', altered],
  ['no body where there was one', withoutBody],
  ['no body and no checksum', (answer) => ({ ...withoutBody(answer), headers: {} })],
  ['HTML with 200', asHtml],
  ['a list', (answer) => ({ ...asHtml(answer), body: Buffer.from('[]') })],
];

describe.each(TRANSIENT)('%s', (_what, fault) => {
  test('hides a single fault from the caller', async () => {
    const { table } = container();
    const key = newKey();
    await table.put(key);
    relay.calls.length = 0;
    relay.plannedFaults.push(fault);
    expect(await table.get(key)).toEqual(key);
    expect(tries()).toBe(2);
  });

  test('reports an outage when every try fails', async () => {
    const { table } = container();
    relay.plannedFaults.push(fault, fault);
    await expect(table.get(newKey())).rejects.toMatchObject(unavailable);
    expect(tries()).toBe(2);
  });
});

test('an answer that does not come within its time', async () => {
  const { table } = container({ timeoutMs: 50 });
  relay.plannedFaults.push('hangs', 'hangs');
  await expect(table.put(newKey())).rejects.toMatchObject({
    ...unavailable,
    cause: expect.objectContaining({ name: 'TimeoutError' }),
  });
});

test('names an error response without an error code UnknownError', async () => {
  const { table } = container();
  const failure: RelayFault = (answer) => ({ ...asHtml(answer), status: 503 });
  relay.plannedFaults.push(failure, failure);
  await expect(table.get(newKey())).rejects.toMatchObject({
    ...unavailable,
    cause: expect.objectContaining({ name: 'UnknownError' }),
  });
});

describe('pauses before the second try', () => {
  test.each([
    [0, 'throttling', refusal('ThrottlingException'), 0],
    [0.999, 'throttling', refusal('ThrottlingException'), 999],
    [0.5, 'an error', refusal('InternalServerError', { status: 500 }), 12],
    [0.999, 'a reset', 'reset before', 24],
    [0, 'what asks for time', refusal('SlowDown', { headers: { 'x-amz-retry-after': '1500' } }), 1_500],
    [0, 'what asks for hours', refusal('SlowDown', { headers: { 'x-amz-retry-after': '9999999' } }), 5_000],
  ] as const)('waits before the second try at random %d, %s', async (random, _what, fault, pauseMs) => {
    const { table, pauses } = container({ random: () => random });
    relay.plannedFaults.push(fault);
    await table.get(newKey());
    expect(pauses).toEqual([pauseMs]);
  });

  test('sends one request per call in a long outage, because retries have a limit', async () => {
    const { table } = container();
    const requests = 60;
    relay.plannedFaults.push(...Array<RelayFault>(2 * requests).fill('reset before'));
    for (let call = 0; call < requests; call++) await table.get(newKey()).catch(() => undefined);
    // 500 of credit, 14 a repeat.
    expect(tries()).toBe(requests + 35);
    relay.plannedFaults.length = 0;
    for (let call = 0; call < 14; call++) await table.get(newKey());
    relay.plannedFaults.push('reset before');
    await table.get(newKey());
  });
});

test('reads any number of items, each once, a hundred with one request', async () => {
  const { table } = container();
  const keys = Array.from({ length: 230 }, newKey);
  for (const key of [keys[0], keys[229]]) await table.put(key as (typeof keys)[0]);
  relay.calls.length = 0;
  const found = await table.batchGet([...keys, ...keys.slice(100)]);
  expect(found.flatMap((item, index) => (item === undefined ? [] : [index, item]))).toEqual([
    ...[0, keys[0]],
    ...[229, keys[229]],
    ...[359, keys[229]],
  ]);
  expect(tries()).toBe(3);
  expect(await table.batchGet([])).toEqual([]);
});

describe('keys that were not read for want of capacity', () => {
  const keysOf = (answer: WireAnswer) => JSON.parse(`${answer.body}`);
  /** All of the items come, and the last `count` keys are said not to be read. */
  const unread =
    (items: readonly { pk: string; sk: string }[]): RelayFault =>
    (answer) => {
      const { Responses } = keysOf(answer);
      const Keys = items.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
      const left = new Set(items.map(({ sk }) => sk));
      const read = Responses[TABLE].filter(({ sk }: { sk: { S: string } }) => !left.has(sk.S));
      const body = { Responses: { [TABLE]: read }, UnprocessedKeys: { [TABLE]: { Keys } } };
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    };

  test('reads them again', async () => {
    const { table } = container();
    const keys = [newKey(), newKey(), newKey()];
    for (const key of keys) await table.put(key);
    relay.calls.length = 0;
    relay.plannedFaults.push(unread(keys.slice(1)), unread(keys.slice(2)));
    expect(await table.batchGet(keys)).toEqual(keys);
    expect(tries()).toBe(3);
  });

  test('reports an outage when all of them are throttled', async () => {
    const { table } = container();
    const keys = [newKey(), newKey()];
    relay.plannedFaults.push(unread(keys));
    await expect(table.batchGet(keys)).rejects.toMatchObject(unavailable);
  });
});

describe('credentials that have expired', () => {
  test('returns 503 and ends the container, which nothing else ends', async () => {
    let ended = 0;
    const { table } = container({ onCredentialsExpired: () => void ended++ });
    relay.plannedFaults.push(refusal('UnrecognizedClientException'));
    await expect(table.get(newKey())).rejects.toMatchObject(unavailable);
    expect(ended).toBe(0);
    relay.plannedFaults.push(refusal('ExpiredTokenException'));
    await expect(table.get(newKey())).rejects.toMatchObject(unavailable);
    expect(ended).toBe(1);
    expect(tries()).toBe(2);
  });
});

describe('a clock that is ten minutes wrong', () => {
  /** Adds AWS's own time to the response. */
  const dated = (name: string): RelayFault =>
    refusal(name, { status: 400, headers: { date: new Date(Date.now() + aws.aheadMs).toUTCString() } });

  test.each([600_000, -600_000])(
    'AWS is %d ms ahead: corrected once, and right from then on',
    async (aheadMs) => {
      const { table } = container();
      aws.aheadMs = aheadMs;
      relay.plannedFaults.push(dated('InvalidSignatureException'));
      expect(await table.put(newKey(), absent)).toBe('done');
      expect(tries()).toBe(2);
      await table.get(newKey());
      expect(tries()).toBe(3);
    },
  );

  test('RequestTimeTooSkewed is the same', async () => {
    const { table, pauses } = container();
    aws.aheadMs = 600_000;
    relay.plannedFaults.push(dated('RequestTimeTooSkewed'));
    expect(await table.put(newKey())).toBe('done');
    expect(pauses).toEqual([]);
  });

  test('a signature that is wrong for another reason is sent once', async () => {
    const credentials = { ...emulatorClientSettings('').credentials, secretAccessKey: 'x' };
    const { table } = container({ credentials: () => credentials });
    await expect(table.get(newKey())).rejects.toMatchObject(unavailable);
    expect(tries()).toBe(1);
  });

  test('an answer of a clock that is wrong itself is no endless loop', async () => {
    const { table } = container();
    const wrong = refusal('InvalidSignatureException', {
      headers: { date: 'Sun, 06 Nov 1994 08:49:37 GMT' },
    });
    relay.plannedFaults.push(wrong, wrong, wrong);
    await expect(table.get(newKey())).rejects.toMatchObject(unavailable);
    expect(tries()).toBe(2);
  });
});

describe('kept connections', () => {
  const sockets = () => new Set(relay.calls.map(({ socket }) => socket)).size;

  test('are used again, but none that was idle for more than ten seconds', async () => {
    const { table, clock } = container();
    await table.get(newKey());
    clock.nowMs += 10_000;
    await table.get(newKey());
    expect(sockets()).toBe(1);
    clock.nowMs += 10_001;
    await table.get(newKey());
    expect(sockets()).toBe(2);
  });

  test('sends one request after a sleep in which its connections were closed', async () => {
    const { table, clock } = container();
    await Promise.all([table.get(newKey()), table.get(newKey())]);
    for (const { socket } of relay.calls) socket.destroy();
    relay.calls.length = 0;
    clock.nowMs += 60_000;
    await table.get(newKey());
    expect(tries()).toBe(1);
  });

  test('costs a try when a connection was closed a moment ago', async () => {
    const { table } = container();
    await table.get(newKey());
    for (const { socket } of relay.calls) socket.resetAndDestroy();
    expect(await table.get(newKey())).toBeUndefined();
  });

  test('a clock that was set back does not keep them', async () => {
    const { table, clock } = container();
    await table.get(newKey());
    clock.nowMs -= 600_000;
    aws.aheadMs = -600_000;
    await table.get(newKey());
    expect(sockets()).toBe(2);
  });
});

test('shows no key, token or signed header in any error', async () => {
  const { secretAccessKey, sessionToken } = emulatorClientSettings('').credentials;
  const quoted = `x-amz-security-token:${sessionToken}`;
  const plannedFaults: readonly RelayFault[] = [
    ...TRANSIENT.map(([, fault]) => fault),
    refusal('InvalidSignatureException', { message: quoted }),
    refusal('ExpiredTokenException', { message: quoted }),
    refusal('ValidationException'),
  ];
  for (const fault of plannedFaults) {
    const { table } = container();
    relay.plannedFaults.push(fault, fault);
    const error: unknown = await table.get(newKey()).catch((thrown: unknown) => thrown);
    relay.plannedFaults.length = 0;
    const displayed = inspect(error, { depth: 9 });
    expect(displayed).toContain('ServiceError');
    for (const secret of [secretAccessKey, sessionToken, 'AWS4-HMAC'])
      expect(displayed).not.toContain(secret);
  }
});
