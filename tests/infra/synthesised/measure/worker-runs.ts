/**
 * The runs of measure.ts for the workers of the work queue: the real callers create the work, the worker's runs process
 * it, and the results give its amount. The order matters: the clock of a later run is further ahead.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { FunctionName } from '../../../../infra/definition/function-definitions.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createSdkTableClient } from '../../../../lib/storage/sdk-client/sdk-table.ts';
import { createWorkQueue, type WorkKind } from '../../../../lib/storage/work-queue/work-queue.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { giveEndpoint, readTable } from '../as-operator.ts';
import type { RunningTemplate } from '../start-template.ts';

export type WorkerRun = {
  readonly function: FunctionName & WorkKind;
  /** The worker's clock offsets, one for each of its runs. */
  readonly aheadMs: readonly number[];
  /** Makes the work that the next runs do. */
  readonly prepare: () => Promise<unknown>;
  /** Returns the amount of work done. */
  readonly countDone: () => Promise<number>;
  /** Work of other kinds that they have done with it, by how often. */
  readonly otherWorks?: Readonly<Partial<Record<WorkerWork, () => Promise<number>>>>;
};
type WorkerWork =
  | 'delivery'
  | 'refusedDelivery'
  | 'enqueuedStore'
  | 'nightlyStore'
  | 'nightlyCharge'
  | 'nightlyContract'
  | 'announcedAhead';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An unreachable endpoint is probed every half hour, regardless of the run's schedule. */
const PROBES_APART_MS = 31 * 60_000;
const PROBES = 4;
/** More than there are. */
const WORK_QUEUE_SHARDS = 16;
const [TAKING, REFUSING] = [3, 2];
/** Stores like the first one that the platform does not know, visited together: the code is warm as in a busy run. */
const VISITED = 200;

/** `charges`: how many were made of the store's orders. `aheadMs`: of a run whose clock is hardly ahead. */
type WorkSetup = { readonly shopId: number; readonly charges: number; readonly aheadMs: number };

/** The runs in their order; their other work is known after all runs. */
export function workerRunsOf(
  running: RunningTemplate,
  { shopId, charges, aheadMs }: WorkSetup,
): Readonly<Record<WorkerWork, WorkerRun>> {
  const taking = createReceiver(200);
  const refusing = createReceiver(500);
  const deliveries = { function: 'webhook-deliveries', aheadMs: [aheadMs] } as const;
  const nightly = { function: 'store-events', aheadMs: [26 * HOUR_MS] } as const;
  const others = running.stores.filter((store) => store.shopId !== shopId);
  const contracts = () => countItems(running, `SNAPSHOT#${shopId}`, ({ sk }) => sk !== 'PASS');
  const announced = async () => (await countQueued(running, shopId)) - before;
  let before = 0;
  const one = async () => 1;
  return {
    delivery: {
      ...deliveries,
      prepare: async () => giveEndpoints(running, shopId, { url: await taking.open(), count: TAKING }),
      countDone: async () => taking.count(),
    },
    enqueuedStore: {
      ...deliveries,
      prepare: () => copyStore(running, shopId, { workKind: 'webhook-deliveries' }),
      async countDone() {
        for (const copy of copiesOf(shopId)) await dequeueStore(running, 'webhook-deliveries', copy);
        return VISITED;
      },
    },
    refusedDelivery: {
      ...deliveries,
      aheadMs: Array.from({ length: 1 + PROBES }, (_, probe) => aheadMs + probe * PROBES_APART_MS),
      prepare: async () => giveEndpoints(running, shopId, { url: await refusing.open(), count: REFUSING }),
      async countDone() {
        refusing.close();
        taking.close();
        return refusing.count();
      },
    },
    // The first store sleeps meanwhile.
    nightlyStore: {
      ...nightly,
      async prepare() {
        await dequeueStore(running, 'store-events', shopId);
        for (const other of others) await enqueueStore(running, 'store-events', other.shopId);
      },
      countDone: async () => others.length,
    },
    // All charges are from the last days and already recorded.
    nightlyCharge: {
      ...nightly,
      prepare: () => enqueueStore(running, 'store-events', shopId),
      countDone: async () => charges,
      otherWorks: { nightlyStore: one, nightlyContract: contracts },
    },
    // Weekly orders of contracts that were made a week ago come within three days.
    announcedAhead: {
      ...nightly,
      aheadMs: [5 * DAY_MS],
      async prepare() {
        before = await countQueued(running, shopId);
      },
      countDone: announced,
      otherWorks: {
        nightlyStore: async () => others.length + 1,
        nightlyContract: contracts,
        nightlyCharge: async () => charges,
      },
    },
    // The charges are so old that no reconciliation reads them any more. An announcement is made again until it is appended.
    nightlyContract: {
      ...nightly,
      aheadMs: [6 * DAY_MS],
      async prepare() {
        await running.runSchedule({}, 5 * DAY_MS + HOUR_MS, 'webhook-deliveries');
        before = await countQueued(running, shopId);
        await enqueueStore(running, 'store-events', shopId);
      },
      countDone: contracts,
      otherWorks: { nightlyStore: async () => others.length + 1, announcedAhead: announced },
    },
  };
}

/** A merchant's server on this machine that answers this status. */
function createReceiver(status: number) {
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    request.resume();
    response.writeHead(status).end();
  });
  return {
    async open(): Promise<string> {
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    },
    count: () => received,
    close: () => server.close(),
  };
}

async function giveEndpoints(
  running: RunningTemplate,
  shopId: number,
  { url, count }: { readonly url: string; readonly count: number },
): Promise<void> {
  for (let index = 0; index < count; index++) await giveEndpoint(running, shopId, url);
}

/** Enqueues the store's work of this kind for the next run. */
export function enqueueStore(running: RunningTemplate, kind: WorkKind, shopId: number): Promise<void> {
  return overTable(running, (table) =>
    createWorkQueue({ table, now: Date.now, newId: randomUUID }).enqueue(kind, shopId as ShopId),
  );
}

/** Removes the store from the queue until it is enqueued again. */
function dequeueStore(running: RunningTemplate, kind: WorkKind, shopId: number): Promise<void> {
  return overTable(running, async (table) => {
    for (let shard = 0; shard < WORK_QUEUE_SHARDS; shard++)
      await table.delete({ pk: `WAKE#${kind}#${shard}`, sk: `${shopId}` });
  });
}

function copiesOf(shopId: number): number[] {
  return Array.from({ length: VISITED }, (_, index) => shopId + 1_000_000 + index);
}

/** Stores with the same endpoints, of which nothing happened. */
async function copyStore(
  running: RunningTemplate,
  shopId: number,
  { workKind }: { readonly workKind: WorkKind },
): Promise<void> {
  const families = [`STORE#${shopId}`, `ENDPOINT#${shopId}`];
  const items = (await readTable(running)).filter(({ pk }) => families.includes(pk));
  await overTable(running, async (table) => {
    for (const copy of copiesOf(shopId))
      for (const item of items)
        await table.put({ ...item, pk: item.pk.replace(`${shopId}`, `${copy}`), shopId: copy });
  });
  for (const copy of copiesOf(shopId)) await enqueueStore(running, workKind, copy);
}

/** Does work over the table of a running template. */
export async function overTable<T>(
  { dynamoDbUrl, tableName }: RunningTemplate,
  work: (table: ReturnType<typeof createSdkTableClient>) => Promise<T>,
): Promise<T> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  return work(createSdkTableClient({ client, tableName })).finally(() => client.destroy());
}

/** Returns the number of contracts with a snapshot, of all stores. */
export async function countSnapshots(running: RunningTemplate): Promise<number> {
  return (await readTable(running)).filter(({ pk, sk }) => /^SNAPSHOT#\d+$/.test(pk) && sk !== 'PASS').length;
}

/** Events in the store's stream. */
export function countPlaced(running: RunningTemplate, shopId: number): Promise<number> {
  return countItems(running, `STREAM#${shopId}`, ({ sk }) => sk !== 'START');
}

/** What waits to be appended to the store's stream. */
async function countQueued(running: RunningTemplate, shopId: number): Promise<number> {
  return (await readTable(running)).filter((item) => item.kind === 'intent' && item.shopId === shopId).length;
}

async function countItems(
  running: RunningTemplate,
  partition: string,
  isCounted: (item: { readonly sk: string }) => boolean,
): Promise<number> {
  return (await readTable(running)).filter(({ pk, ...item }) => pk === partition && isCounted(item)).length;
}
