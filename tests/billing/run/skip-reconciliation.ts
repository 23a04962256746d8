/**
 * Leaves out the nights of a large store that would count no order anew: reading all its contracts each night takes more than
 * a third of the time of its simulation. Smaller stores have each night, and with it what only a night finds: changes and
 * attempts of others whose webhooks were lost.
 */
import { createBillingPreviews, isValidPreview } from '../../../lib/billing/preview/previews.ts';
import { addDays } from '../../../lib/billing/settings/run-times.ts';
import { isoDayIn } from '../../../lib/domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../../lib/storage/stores.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { readBilledSettings } from '../../../lib/store-events/contracts/read-billed-settings.ts';

type Deps = { readonly table: Table; readonly now: () => number };

const MINUTE_MS = 60_000;
const START_OFFSET_MS = 120 * MINUTE_MS;
const START_SPREAD_MINUTES = 30;

/** Records tonight's reading as done when earlier nights have counted the orders of its day and of the next one. */
export async function skipReconciliation(deps: Deps, store: StoreRecord): Promise<void> {
  const { shopId } = store;
  const startDelayMs = (shopId % START_SPREAD_MINUTES) * MINUTE_MS;
  const date = isoDayIn(timeZoneOf(store), deps.now() - START_OFFSET_MS - startDelayMs);
  const settings = await readBilledSettings(deps, store);
  const days = [date, addDays(date, 1)].filter((day) => day >= (settings?.startsOn ?? ''));
  const { find } = createBillingPreviews(deps);
  const previews = await Promise.all(days.map((day) => find(shopId, day)));
  if (settings !== undefined && !previews.every((preview) => isValidPreview(preview, settings))) return;
  await deps.table.update({
    key: { pk: `SNAPSHOT#${shopId}`, sk: 'PASS' },
    update: 'SET night = :date',
    condition: '#state = :done',
    names: { '#state': 'state' },
    values: { ':date': date, ':done': 'done' },
  });
}
