/** Composes the append step, which the delivery worker runs. */
import { randomUUID } from 'node:crypto';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createMarks } from '../../lib/storage/marks/marks.ts';
import { createAppending } from '../../lib/storage/stream/append-to-stream.ts';
import type { Table } from '../../lib/storage/table.ts';
import { takeAppendLease } from '../../lib/storage/wakes/append-lease.ts';
import { createWakeMarks } from '../../lib/storage/wakes/wake-marks.ts';
import type { AppendDeps } from '../../lib/timeline/append/append-queued.ts';

type Deps = { readonly table: Table; readonly now: () => number };

/** Returns the parts that only the append step needs. */
export function composeAppending(
  deps: Deps,
): Pick<AppendDeps, 'startAppending' | 'wakeDelivery' | 'observeAgain' | 'takeLease'> {
  const withIds = { ...deps, newId: randomUUID };
  const { wake } = createWakeMarks(withIds);
  const marks = createMarks(withIds);
  return {
    startAppending: () => createAppending(deps),
    wakeDelivery: (shopId: ShopId) => wake('webhook-deliveries', shopId),
    async observeAgain(shopId, contract) {
      await marks.put(shopId, { family: 'contracts', object: contract });
      await wake('store-events', shopId);
    },
    takeLease: (part) => takeAppendLease({ ...withIds, part }),
  };
}
