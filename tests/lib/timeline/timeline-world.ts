/** Timelines over a table of their own, with a clock that a test moves and the table's requests counted. */

import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { LogFields } from '../../../lib/observability/logger.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createSdkTableClient } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../../../lib/storage/sdk-client/table-scan.ts';
import type { Table } from '../../../lib/storage/table.ts';
import {
  type ContractNumber,
  type EventActor,
  type EventRecord,
  toEventItem,
} from '../../../lib/timeline/event-record.ts';
import type { STORE_TIMELINE } from '../../../lib/timeline/read-events.ts';
import type { ChangeIntent } from '../../../lib/timeline/run-change.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startDynamoDbEmulator } from '../../../sandbox/aws/start-dynamodb.ts';
import { createFaults, faulty } from '../stores/world/faults.ts';

const TABLE = 'timeline-test';
/** As many as one request may write. */
const BATCH = 25;
export const START_MS = Date.parse('2026-11-21T12:00:00Z');
const CUSTOMER: EventActor = { kind: 'CUSTOMER', customerId: 7001001 as CustomerId };

/** Creates a container's dependencies. */
export function timelineOver(base: Table, shopId: ShopId, clock: { readonly nowMs: number }) {
  const faults = createFaults();
  const logs: { message: string; fields: LogFields }[] = [];
  const log = (message: string, fields: LogFields = {}) => void logs.push({ message, fields });
  const logger = { debug: log, info: log, warn: log, error: log };
  const table = faulty(base, 'table', faults);
  const now = () => clock.nowMs;
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const newId = () => crypto.randomUUID();
  const timeline = createTimeline({
    ...{ table, scheduledTasks, logger, now, newId },
  });
  const begin = (intent: ChangeIntent) =>
    timeline.begin({ shopId, actor: CUSTOMER, requestId: 'request-1', readAtMs: clock.nowMs })(intent);
  return { shopId, now, faults, logs, logger, table, scheduledTasks, timeline, begin };
}

export async function createTimelineWorld() {
  const server = await startDynamoDbEmulator({ tableName: TABLE, path: undefined });
  const client = new DynamoDBClient(emulatorClientSettings(server.url));
  let shops = 0;

  /** A container for its own store. */
  function store() {
    shops++;
    return container((81000000000 + shops) as ShopId, { nowMs: START_MS });
  }

  function container(shopId: ShopId, clock: { nowMs: number }) {
    const scan = createTableScan({ client, tableName: TABLE });
    const table = createSdkTableClient({ client, tableName: TABLE });
    return { ...timelineOver(table, shopId, clock), clock, scan };
  }

  /** Puts many entries in place at once. */
  async function fill(records: readonly EventRecord[]): Promise<void> {
    for (let from = 0; from < records.length; from += BATCH) {
      const puts = records.slice(from, from + BATCH).map((record) => ({
        PutRequest: { Item: marshall(toEventItem(record), { removeUndefinedValues: true }) },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: puts } }));
    }
  }

  return {
    store,
    container,
    fill,
    async close() {
      client.destroy();
      await server.close();
    },
  };
}

export type TimelineStore = ReturnType<Awaited<ReturnType<typeof createTimelineWorld>>['store']>;

/** Returns a pause of contract 31, as an operation records it. */
export function pause(changes: Partial<ChangeIntent> = {}): ChangeIntent {
  return {
    action: 'subscription_paused',
    contractId: 'gid://shopify/SubscriptionContract/31',
    details: {},
    changes: [
      { coordinate: 'SubscriptionContract.status', field: 'status', before: 'ACTIVE', after: 'PAUSED' },
    ],
    ...changes,
  };
}

/** Returns the timeline entries of a contract, or of the whole store, oldest first. */
export async function entriesOf({ timeline, shopId }: TimelineStore, contract = '31') {
  const contracts = [contract as ContractNumber | typeof STORE_TIMELINE];
  const [page] = await timeline.readEvents({ shopId, contracts, args: { first: 250 } });
  return (page?.edges ?? []).map(({ record }) => record);
}
