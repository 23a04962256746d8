/** Composes what writes the outcome of an attempt into the charge of its order. Loaded with the first outcome. */
import { randomUUID } from 'node:crypto';
import { createBillingCharges } from '../../lib/billing/records/charges.ts';
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import { type ChargeEndedDeps, createChargeEnded } from '../../lib/billing/settle/create-charge-ended.ts';
import type { Table } from '../../lib/storage/table.ts';
import { createWorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import type { ChargeEnded } from '../../lib/timeline/attempt-outcome.ts';

type Deps = Pick<ChargeEndedDeps, 'logger' | 'now' | 'stores'> & { readonly table: Table };

/** Creates the function for one container. */
export function composeChargeEnded(deps: Deps): ChargeEnded {
  const { enqueue } = createWorkQueue({ ...deps, newId: randomUUID });
  const enqueueStore: Parameters<typeof createBillingCharges>[0]['enqueueStore'] = (shopId, atMs) =>
    enqueue('billing', shopId, atMs);
  return createChargeEnded({
    ...deps,
    charges: createBillingCharges({ ...deps, enqueueStore }),
    settings: createBillingSettings(deps),
  });
}
