import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createTokenKeyReader } from '../../../../lib/credentials/token-keys.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import {
  openEndpointSecrets,
  REPLACED_SECRET_LIFETIME_MS,
  sealEndpointSecret,
  WEBHOOK_KEY_RING_NAME,
  withNewEndpointSecret,
} from '../../../../lib/webhooks/endpoint-secrets.ts';
import {
  createEndpointRepository,
  type EndpointId,
  type EndpointRecord,
  MAX_ENDPOINTS,
} from '../../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import { createWebhookSecret, type WebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const SHOP = 83000000001 as ShopId;
const START_MS = Date.parse('2026-11-22T08:00:00Z');
let table: ReturnType<typeof createMemoryTable>;
let nowMs = START_MS;
let read: string[] = [];
beforeEach(() => {
  table = createMemoryTable();
  nowMs = START_MS;
  read = [];
});

const now = () => nowMs;
const newId = () => randomUUID();
const random = (bytes: number) => randomBytes(bytes);
const over = (base: Table = table) => createEndpointRepository({ table: base, now, newId });
const tokenKeys = createTokenKeyReader({
  secrets: {
    read: async (name: string) => {
      read.push(name);
      return { versionId: '1', json: { seed: name.padEnd(64, '.') } };
    },
  },
  secretsPrefix: 'test',
  ringName: WEBHOOK_KEY_RING_NAME,
  now,
  logger: { error: () => undefined },
});
const sealDeps = { tokenKeys, random, now };
const add = (secret: WebhookSecret = createWebhookSecret(random), endpoints = over(), shopId = SHOP) =>
  endpoints.create({
    ...{
      id: randomUUID().replaceAll('-', '') as EndpointId,
      shopId,
      url: 'https://a.example/' as EndpointUrl,
    },
    ...{ description: null, types: null, startsAt: 0 },
    sealSecret: (place) => sealEndpointSecret(sealDeps, place, secret),
  });
const must = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('It is not there.');
  return value;
};

test('an endpoint is found by its id in its store alone, and is gone when it is removed', async () => {
  const record = must(await add());
  expect(await over().find(SHOP, record.id)).toEqual(record);
  expect(await over().find((SHOP + 1) as ShopId, record.id)).toBeUndefined();
  await over().remove(record);
  await over().remove(record);
  expect(await over().list(SHOP)).toEqual([]);
});

test('a store has five at most, however many are made at once', async () => {
  const made = await Promise.all(Array.from({ length: 9 }, () => add()));
  expect(made.filter((one) => one !== undefined)).toHaveLength(MAX_ENDPOINTS);
  expect(await over().list(SHOP)).toHaveLength(MAX_ENDPOINTS);
  expect(await add(undefined, over(), (SHOP + 1) as ShopId)).toBeDefined();
  await over().remove(must(made.find((one) => one !== undefined)));
  expect(await add()).toBeDefined();
});

test('applies one of two concurrent updates, and does not change the configuration for a replay request', async () => {
  const record = must(await add());
  const [one, other] = await Promise.all([
    over().configure(record, { description: 'one' }),
    over().configure(record, { description: 'other' }),
  ]);
  expect([one?.description, other]).toEqual(['one', undefined]);
  const requested = must(
    await over().requestReplay(must(one), { replay: { id: 'w', askedAtMs: nowMs, fromNumber: 7 } }),
  );
  expect([record.version, one?.version, requested.version]).toEqual([1, 2, 2]);
  expect(await over().find(SHOP, record.id)).toEqual(requested);
});

test('completes a write whose response was lost and that is tried again', async () => {
  const twice: Table = {
    ...table,
    async put(item, condition) {
      await table.put(item, condition);
      return table.put(item, condition);
    },
  };
  const record = must(await add(undefined, over(twice)));
  expect(await over(twice).configure(record, { status: 'DISABLED_BY_STORE' })).toBeDefined();
  expect(await over().list(SHOP)).toHaveLength(1);
});

test('changes nothing of the endpoint in the slot of a deleted one with a late update', async () => {
  const gone = must(await add());
  await over().remove(gone);
  const record = must(await add());
  expect(record.slot).toBe(gone.slot);
  await over().remove(gone);
  expect(await over().configure(gone, { description: 'late' })).toBeUndefined();
  expect(await over().find(SHOP, record.id)).toEqual(record);
});

describe('secrets', () => {
  const change = async (record: EndpointRecord, secret: WebhookSecret) =>
    must(
      await over().configure(record, {
        secrets: withNewEndpointSecret(record, await sealEndpointSecret(sealDeps, record, secret)),
      }),
    );

  test('two sign for a day after a change, then the new one; a change within it ends the first', async () => {
    const [first, second, third] = [1, 2, 3].map(() => createWebhookSecret(random)) as [
      WebhookSecret,
      WebhookSecret,
      WebhookSecret,
    ];
    const record = must(await add(first));
    expect(await openEndpointSecrets(sealDeps, record)).toEqual([first]);
    const changed = await change(record, second);
    expect(await openEndpointSecrets(sealDeps, changed)).toEqual([second, first]);
    nowMs += REPLACED_SECRET_LIFETIME_MS - 1;
    expect(await openEndpointSecrets(sealDeps, changed)).toEqual([second, first]);
    expect(await openEndpointSecrets(sealDeps, await change(changed, third))).toEqual([third, second]);
    nowMs += 1;
    expect(await openEndpointSecrets(sealDeps, changed)).toEqual([second]);
  });

  test('are sealed in the table, under a ring of their own, for their endpoint alone', async () => {
    const secret = createWebhookSecret(random);
    const record = must(await add(secret));
    const { items } = await table.query({ keyCondition: 'pk = :pk', values: { ':pk': `ENDPOINT#${SHOP}` } });
    expect(JSON.stringify(items)).not.toContain(secret.slice(6, 20));
    expect(await openEndpointSecrets(sealDeps, record)).toEqual([secret]);
    for (const moved of [
      { shopId: (SHOP + 1) as ShopId },
      { id: 'anotherEndpoint' as EndpointId },
      { slot: record.slot + 1 },
      { secrets: [] },
    ]) {
      await expect(openEndpointSecrets(sealDeps, { ...record, ...moved })).rejects.toMatchObject({
        code: 'TEMPORARILY_UNAVAILABLE',
      });
    }
  });
});

test('the ring that is read is not that of tokens', async () => {
  const own = createTokenKeyReader({
    secrets: {
      read: async (name: string) => {
        read.push(name);
        return { versionId: '1', json: { seed: 'x'.repeat(64) } };
      },
    },
    ...{ secretsPrefix: 'test', ringName: WEBHOOK_KEY_RING_NAME, now, logger: { error: () => undefined } },
  });
  await sealEndpointSecret({ tokenKeys: own, random, now }, must(await add()), createWebhookSecret(random));
  expect(read).toEqual(['test/webhook-keys']);
});
