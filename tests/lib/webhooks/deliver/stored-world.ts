/** A store with an endpoint, its entries and its stream as they lie in the table, and the worker over that table. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createTokenKeyReader } from '../../../../lib/credentials/token-keys.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { snapshotKey } from '../../../../lib/storage/stream/snapshot-key.ts';
import type { Item } from '../../../../lib/storage/table.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { formatEventNumber, toEventItem } from '../../../../lib/timeline/event-record.ts';
import { createWebhookDeliveryWork } from '../../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import { sealEndpointSecret } from '../../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpointRepository, type EndpointId } from '../../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import type { WebhookSender } from '../../../../lib/webhooks/send-webhook.ts';
import { createWebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import { appendingOver } from '../../../appending.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { tableOf } from '../../../rights/guarded-table.ts';

export async function createStoredWorld(shopId: ShopId, url: string, now = Date.now) {
  const table = createMemoryTable();
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const secrets = { read: async () => ({ versionId: '1', json: { seed: 'a'.repeat(64) } }) };
  const tokenKeys = createTokenKeyReader({
    secrets,
    secretsPrefix: 'test',
    ringName: 'webhook-keys',
    now,
    logger,
  });
  const store = { pk: `STORE#${shopId}`, sk: 'STORE', shopId, status: 'installed' };
  await table.put(store as Item);
  const secret = createWebhookSecret(randomBytes);
  const endpoints = createEndpointRepository({ table, now, newId: randomUUID });
  const random = (bytes: number) => randomBytes(bytes);
  const endpoint = await endpoints.create({
    ...{ id: 'endpoint01' as EndpointId, shopId, url: url as EndpointUrl },
    ...{ description: null, types: null, startsAt: 0 },
    sealSecret: (place) => sealEndpointSecret({ tokenKeys, random, now }, place, secret),
  });
  if (endpoint === undefined) throw new Error('no endpoint');
  const append = appendingOver({ table, now });
  return {
    ...{ table, endpoints, endpoint, secret, tokenKeys, logger },
    /** Records the pause of a contract and appends its event. */
    async place(contract: ContractNumber, id: string) {
      const number = formatEventNumber({ createdAtMs: now(), sequence: 0, contract });
      const entry = {
        ...{ id, number, shopId, contract, action: 'subscription_paused', requestId: 'r-1', details: {} },
        ...{ actor: { kind: 'SERVICE' as const }, changes: [], createdAtMs: now(), outcome: 'DONE' as const },
      };
      await table.put(toEventItem(entry));
      await table.put({ ...snapshotKey(shopId, contract), customerId: 7001001 });
      await append({
        shopId,
        id,
        contract,
        entry: { number, action: 'subscription_paused', type: 'subscription.paused' },
      });
    },
    /** The store's turns, one after another as the worker takes them, each until it wants to be called again. */
    serve(send: WebhookSender['send']) {
      const guarded = tableOf('webhook-deliveries', table);
      const deps = {
        table: guarded,
        tokenKeys,
        logger,
        now,
        random: () => 0,
        gidNamespace: 'platform',
        send,
      };
      const work = createWebhookDeliveryWork(deps);
      return (timeSliceMs = 20_000) =>
        work({ shopId, endAtMs: now() + timeSliceMs, signal: new AbortController().signal });
    },
  };
}
