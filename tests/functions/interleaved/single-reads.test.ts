/** 64 first requests of a container read, compile or write the same thing once. */
import { expect, test } from '@jest/globals';
import { createPreparedDocuments, prepareDocument } from '../../../graphql/compile/prepare-document.ts';
import { COMPILE_REGISTRIES } from '../../../graphql/endpoint/registries.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { createReadTombstoneKey } from '../../../lib/storage/privacy/tombstone-key.ts';
import type { Secrets } from '../../../lib/storage/secrets.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { createVersionReader } from '../../../lib/storage/versioned-secret.ts';
import { scheduleMissingTimeZoneRead } from '../../../lib/stores/lifecycle/schedule-missing-time-zone-read.ts';
import { ADA, NOW_MS, store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';

const REQUESTS = 64;
const secretsPrefix = 'test';
const times = <Result>(work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: REQUESTS }, (_, at) => work(at)));

/** Secrets Manager. It counts the reads of each secret; the content of a secret is its name. */
function createSecrets() {
  const state = { isDown: false, reads: new Map<string, number>() };
  const read = async (name: string, versionId = '1') => {
    state.reads.set(name, (state.reads.get(name) ?? 0) + 1);
    await new Promise(setImmediate);
    if (state.isDown) throw new ServiceError('TEMPORARILY_UNAVAILABLE');
    return { versionId, json: { key: name } };
  };
  return { state, secrets: { read } as Pick<Secrets, 'read'> as Secrets };
}

test('reads a version of a secret once for each store, and gives each request the one of its store', async () => {
  const { state, secrets } = createSecrets();
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  const found = await times((at) => readVersion((at % 4) as ShopId, 'platform', 'v1'));
  for (const [at, json] of found.entries()) expect(json).toEqual({ key: `test/stores/${at % 4}/platform` });
  expect([...state.reads.values()]).toEqual([1, 1, 1, 1]);
});

test('reads a secret again after a failure that concurrent requests shared', async () => {
  const { state, secrets } = createSecrets();
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  state.isDown = true;
  await times(() =>
    expect(readVersion(1 as ShopId, 'platform', 'v1')).rejects.toMatchObject({ status: 503 }),
  );
  state.isDown = false;
  await times(() => readVersion(1 as ShopId, 'platform', 'v1'));
  expect([...state.reads.values()]).toEqual([2]);
});

test('reads the key of tombstones once', async () => {
  const { state, secrets } = createSecrets();
  const tombstoneKey = createReadTombstoneKey({ secrets, secretsPrefix });
  expect(new Set(await times(() => tombstoneKey()))).toEqual(new Set(['test/tombstone-key']));
  expect([...state.reads.values()]).toEqual([1]);
});

test('compiles a new document once for concurrent requests', async () => {
  const documents = createPreparedDocuments();
  const prepared = await times((at) => {
    const sender = { kind: 'customer', shopId: store.shopId, customerId: (ADA + at) as typeof ADA } as const;
    const query = 'query ($id: ID!) { customer(id: $id) { id } }';
    const request = { surface: 'customer', isActing: true, query, operationName: undefined, sender } as const;
    return prepareDocument(documents, request, COMPILE_REGISTRIES);
  });
  expect(prepared[0]?.kind).toBe('plan');
  for (const one of prepared) expect(one).toBe(prepared[0]);
});

test('schedules the read of a missing time zone once', async () => {
  const written: string[] = [];
  const memory = createMemoryTable();
  const put: Table['put'] = async (item, condition) => {
    written.push(`${item.pk} ${item.sk}`);
    await new Promise(setImmediate);
    return memory.put(item, condition);
  };
  const step = scheduleMissingTimeZoneRead({ table: { ...memory, put }, now: () => NOW_MS });
  const request = { event: { exchange: { actor: { store } } } };
  await times(async () => step.before?.(request as never));
  // The scheduled task, and the item that names the oldest bucket.
  expect(written).toHaveLength(2);
  expect(new Set(written).size).toBe(2);
});
