/** A store with an endpoint, customers who change subscriptions, and the worker that delivers, by a clock that a test moves. */

import type { DeliveryDeps } from '../../../functions/compose/webhooks/compose-webhook-deliveries.ts';
import { runDeliveries } from '../../../functions/webhook-deliveries/run-deliveries.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { appenderOver } from '../../appending.ts';
import { timelineOver } from '../../lib/timeline/timeline-world.ts';
import { createStoredWorld } from '../../lib/webhooks/deliver/stored-world.ts';
import { tableOf } from '../../rights/guarded-table.ts';

const WORKER = 'webhook-deliveries';
export const SHOP = 81234567001 as ShopId;
const START_MS = Date.parse('2026-11-24T12:00:00Z');

/** The events of the schedule, and of the table's stream after a write of entries. */
export const TICK = { source: 'aws.scheduler', 'detail-type': 'Scheduled Event' };
export const STREAM_EVENT = {
  Records: [
    {
      eventName: 'INSERT',
      dynamodb: { Keys: { pk: { S: `TIMELINE#${SHOP}#7` }, sk: { S: '1795521600000' } } },
    },
  ],
};

type Delivery = { readonly contract: number; readonly type: string; readonly atMs: number };

export async function createStreamTriggerWorld() {
  const clock = { nowMs: START_MS };
  const now = () => clock.nowMs;
  const stored = await createStoredWorld(SHOP, 'https://merchant.example/hooks', now);
  const { logger } = stored;
  const base: Table = stored.table;
  const timeline = timelineOver(base, SHOP, clock);
  const deliveries: Delivery[] = [];
  const workQueue = createWorkQueue({ table: base, now, newId: () => crypto.randomUUID() });
  /** The actions of a test during a request to the endpoint. */
  const duringSend: (() => Promise<unknown>)[] = [];

  function depsOver(unguarded: Table): DeliveryDeps {
    const table = tableOf(WORKER, unguarded);
    return {
      ...appenderOver({ table: unguarded, now }),
      ...{ table, now, logger, tokenKeys: stored.tokenKeys, random: () => 0, gidNamespace: 'platform' },
      enqueueDelivery: (shopId) => workQueue.enqueue(WORKER, shopId),
      workQueue: createWorkQueue({ table, now, newId: () => crypto.randomUUID() }),
      async send({ body }) {
        const { type, data } = JSON.parse(body);
        deliveries.push({ contract: contractOf(data.contractId), type, atMs: now() });
        await duringSend.shift()?.();
        return { status: 200 };
      },
    };
  }

  return {
    ...{ clock, base, deliveries, duringSend },
    contracts: () => deliveries.map(({ contract }) => contract),
    /** A customer pauses a subscription. */
    async pause(contract: number): Promise<void> {
      const open = await timeline.begin({
        ...{ action: 'subscription_paused', contractId: `gid://shopify/SubscriptionContract/${contract}` },
        details: {},
        changes: [
          {
            ...{ coordinate: 'SubscriptionContract.status', field: 'status' },
            ...{ before: 'ACTIVE', after: 'PAUSED' },
          },
        ],
      });
      await open.settleAsDone();
    },
    run: (event: unknown, over = base) => runDeliveries(depsOver(over), event),
  };
}

function contractOf(gid: string): number {
  return Number(gid.split('/').at(-1));
}
