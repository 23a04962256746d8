import { randomUUID } from 'node:crypto';
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import { createBillingReminders } from '../../../lib/billing/records/reminders.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import type { RunContext } from '../../plan/run-context.ts';

/** Creates the records of billing, over the table and with the clock of the request. */
export function createBillingDeps({ table, now }: Pick<RunContext, 'table' | 'now'>) {
  const { enqueue } = createWorkQueue({ table, now, newId: randomUUID });
  const enqueueStore = (shopId: ShopId, atMs?: number) => enqueue('billing', shopId, atMs);
  return {
    settings: createBillingSettings({ table, now }),
    runs: createBillingRuns({ table, now }),
    reminders: createBillingReminders({ table }),
    charges: createBillingCharges({ table, now, enqueueStore }),
    enqueueStore,
    now,
  };
}
