/**
 * The largest load of each worker (docs/growth.md): as many stores at once as a run takes, the first of them the largest
 * store. The table has the items that real callers made for a few orders, copied for all orders under other ids.
 */
import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { scheduledTaskKey, shardOfStore } from '../../../../lib/storage/scheduled-tasks.ts';
import { toStreamItem } from '../../../../lib/storage/stream/stream-record.ts';
import type { Item } from '../../../../lib/storage/table.ts';
import {
  type ContractNumber,
  type EventRecord,
  formatEventNumber,
  toEventItem,
} from '../../../../lib/timeline/event-record.ts';
import { SETTLE_INTENT_AFTER_MS } from '../../../../lib/timeline/intent.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { giveEndpoint, readTable } from '../as-operator.ts';
import type { RunningTemplate } from '../start-template.ts';

const ITEMS_PER_WRITE = 25;
const WRITE_CONCURRENCY = 8;
const MINUTE_MS = 60_000;
/** Store ids of one part have the same remainder. */
const ID_STEP = 8_000;
const UNKNOWN_ATTEMPT = 8_000_000_000;

/** Returns the ids of the store and of its copies. The copies have its grant: the platform takes them for the store. */
export async function copyStores(
  running: RunningTemplate,
  shopId: number,
  count: number,
): Promise<readonly ShopId[]> {
  const { secretsManagerUrl, secretsPrefix } = running;
  const items = (await readTable(running)).filter(({ pk }) => /^(STORE|GRANT)#/.test(pk));
  const own = items.filter((item) => item.pk.endsWith(`#${shopId}`));
  const copies = Array.from({ length: count }, (_, index) => shopId + (index + 1) * ID_STEP);
  const client = new SecretsManagerClient(emulatorClientSettings(secretsManagerUrl));
  const nameOf = (id: number) => `${secretsPrefix}/stores/${id}/platform`;
  const { SecretString, VersionId } = await client.send(
    new GetSecretValueCommand({ SecretId: nameOf(shopId) }),
  );
  for (const copy of copies)
    await client.send(
      new CreateSecretCommand({ Name: nameOf(copy), SecretString, ClientRequestToken: VersionId }),
    );
  client.destroy();
  await putAll(
    running,
    copies.flatMap((copy) =>
      own.map((item) => ({ ...item, pk: item.pk.replace(/\d+$/, `${copy}`), shopId: copy })),
    ),
  );
  return [shopId, ...copies] as ShopId[];
}

/** Writes items as they are. */
export async function putAll(
  { dynamoDbUrl, tableName }: RunningTemplate,
  items: readonly Item[],
): Promise<void> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  let next = 0;
  const writeParts = async () => {
    for (let from = next; from < items.length; from = next) {
      next += ITEMS_PER_WRITE;
      const requests = items.slice(from, from + ITEMS_PER_WRITE).map((item) => ({
        PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: WRITE_CONCURRENCY }, writeParts));
  client.destroy();
}

type Orders = { readonly stores: readonly ShopId[]; readonly firstContract: number; readonly count: number };

/** Intents of functions that crashed after the platform's change, of as many contracts. */
export function intentsOf({ stores, firstContract, count }: Orders): Item[] {
  const firstMs = Date.now() - 10 * MINUTE_MS;
  return Array.from({ length: count }, (_, index) => {
    const shopId = stores[index % stores.length] as ShopId;
    const createdAtMs = firstMs + index;
    const intent = { ...pauseOf(shopId, firstContract + index, createdAtMs), outcome: undefined };
    const dueAtMs = createdAtMs + SETTLE_INTENT_AFTER_MS;
    const ref = { kind: 'intent', shopId, dueAtMs, name: intent.number, id: intent.id } as const;
    return { ...scheduledTaskKey(ref), ...ref, payload: intent };
  });
}

function pauseOf(shopId: ShopId, contractId: number, createdAtMs: number): EventRecord {
  const contract = String(contractId) as ContractNumber;
  return {
    ...{ id: randomUUID(), shopId, contract, createdAtMs, readAtMs: createdAtMs, requestId: randomUUID() },
    ...{ number: formatEventNumber({ createdAtMs, sequence: 0, contract }), outcome: 'DONE' },
    ...{ action: 'subscription_paused', actor: { kind: 'MERCHANT', label: 'Back office' }, details: {} },
    changes: [
      {
        ...{ coordinate: 'SubscriptionContract.status', field: 'status' },
        ...{ before: 'ACTIVE', after: 'PAUSED' },
      },
    ],
  };
}

/** The open charges in the table again, under other ids, for all stores. */
export async function copyCharges(running: RunningTemplate, { stores, count }: Orders): Promise<Item[]> {
  const charges = (await readTable(running)).filter(({ kind }) => kind === 'charge');
  if (charges.length === 0) throw new Error('No charge is open.');
  return Array.from({ length: count }, (_, index) => {
    const { payload, dueAtMs } = charges[index % charges.length] as {
      payload: object;
      dueAtMs: number;
    } & Item;
    const shopId = stores[index % stores.length] as ShopId;
    const { intent, ...rest } = payload as { intent: EventRecord };
    const id = randomUUID();
    const ref = { kind: 'charge', shopId, dueAtMs, name: `${intent.number}.${id}`, id } as const;
    return { ...scheduledTaskKey(ref), ...ref, payload: { ...rest, intent: { ...intent, id, shopId } } };
  });
}

/** Returns the webhooks of each order of the stores: its attempt, and its contract. */
export function inboxOf({ stores, firstContract, count }: Orders, attempts: readonly string[]): Item[] {
  return stores.flatMap((shopId, rank) =>
    Array.from({ length: Math.ceil(count / (rank + 1)) }, (_, index) => {
      const reported = { shopId, sinceMs: Date.now() - MINUTE_MS, pk: `MARK#${shopId}` };
      const contract = { family: 'contracts', object: `${firstContract + index}` };
      const attempt = { family: 'attempts', object: attempts[index] ?? `${UNKNOWN_ATTEMPT + index}` };
      return [contract, attempt].map((one) => ({
        ...{ ...reported, ...one, id: randomUUID(), sk: `${one.family}#${one.object}` },
      }));
    }).flat(),
  );
}

type Streams = {
  readonly stores: readonly ShopId[];
  readonly urlsOf: (shopId: ShopId) => readonly string[];
  readonly events: number;
  readonly failingContracts: number;
};

/** Streams of the largest events, with endpoints whose contracts have as many refused events as a run accepts. */
export async function giveStreams(
  running: RunningTemplate,
  { stores, urlsOf, events, failingContracts }: Streams,
): Promise<void> {
  const firstNumber = Date.now() - 60 * MINUTE_MS;
  for (const shopId of stores) for (const url of urlsOf(shopId)) await giveEndpoint(running, shopId, url);
  const endpoints = (await readTable(running)).filter(({ pk }) => pk.startsWith('ENDPOINT#'));
  await putAll(
    running,
    stores.flatMap((shopId) =>
      Array.from({ length: events }, (_, index) => {
        const entry = largestEntryOf(shopId, 1_000_000 + index, firstNumber + index);
        const { number, contract, id } = entry;
        const reported = { number, action: entry.action, type: 'subscription.updated' };
        const place = { number: firstNumber + index, placedAtMs: firstNumber + index };
        return [toEventItem(entry), toStreamItem({ shopId, id, contract, entry: reported, ...place })];
      }).flat(),
    ),
  );
  await putAll(
    running,
    endpoints.flatMap(({ shopId, id: endpointId }) => [
      {
        ...{ pk: `DELIVERY#${shopId}`, sk: String(endpointId), shopId, endpointId, version: 1 },
        ...{ cursor: firstNumber, above: '', mayHaveParked: false, resendIds: [] },
        ...{ lastAcceptedAtMs: Date.now() - MINUTE_MS },
      },
      ...Array.from({ length: failingContracts }, (_, index) => ({
        ...{
          pk: `DELIVERY#${shopId}`,
          sk: `${endpointId}#RETRYING#${2_000_000 + index}`,
          shopId,
          endpointId,
        },
        ...{
          of: `${2_000_000 + index}`,
          state: 'RETRYING',
          numbers: [firstNumber + (index % events)],
          refusals: 1,
        },
        ...{ isForgiven: false, firstRefusedAtMs: Date.now() - 40 * MINUTE_MS, answer: 500, version: 1 },
        ...{ refusedAtMs: Date.now() - 40 * MINUTE_MS, nextAtMs: Date.now(), notBeforeMs: 0 },
      })),
    ]),
  );
}

/** An entry whose event has nearly as many characters as one can have. */
function largestEntryOf(shopId: ShopId, contractId: number, createdAtMs: number): EventRecord {
  const text = 'x'.repeat(450);
  const changes = Array.from({ length: 20 }, (_, index) => ({
    ...{ coordinate: 'SubscriptionContract.status', field: 'status' },
    ...{ before: `${text}${index}`, after: `${index}${text}` },
  }));
  return { ...pauseOf(shopId, contractId, createdAtMs), changes };
}

/** Whether the stores are of one part, which a run of the scheduled work takes. */
export function partOf(stores: readonly ShopId[]): number {
  const [part, ...others] = new Set(stores.map(shardOfStore));
  if (part === undefined || others.length > 0) throw new Error('The stores are of several parts.');
  return part;
}
