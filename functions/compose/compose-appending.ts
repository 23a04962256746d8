/**
 * Composes the dependencies of the append step, which the delivery worker runs: it writes queued events to the stores'
 * streams.
 */
import { randomUUID } from 'node:crypto';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createInbox } from '../../lib/storage/inbox/inbox.ts';
import { createAppendToStream } from '../../lib/storage/stream/append-to-stream.ts';
import type { Table } from '../../lib/storage/table.ts';
import { acquireAppendLease } from '../../lib/storage/work-queue/shard-lease.ts';
import { createWorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import type { AppendDeps } from '../../lib/timeline/append/append-queued-items.ts';
import { composeRetryTriggers } from './compose-billing-charges.ts';

type AppendingInput = { readonly table: Table; readonly now: () => number };

/** Returns the dependencies that only the append step needs. */
export function composeAppending(
  deps: AppendingInput,
): Pick<
  AppendDeps,
  'startAppending' | 'enqueueDelivery' | 'observeAgain' | 'acquireLease' | 'reportRetryTrigger'
> {
  const withIds = { ...deps, newId: randomUUID };
  const { enqueue } = createWorkQueue(withIds);
  const inbox = createInbox(withIds);
  return {
    ...composeRetryTriggers(deps),
    startAppending: () => createAppendToStream(deps),
    enqueueDelivery: (shopId: ShopId) => enqueue('webhook-deliveries', shopId),
    async observeAgain(shopId, contract) {
      await inbox.put(shopId, { topicGroup: 'contracts', object: contract });
      await enqueue('store-events', shopId);
    },
    acquireLease: (shard) => acquireAppendLease({ ...withIds, shard }),
  };
}
