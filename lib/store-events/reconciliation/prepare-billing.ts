/**
 * Prepares the billing of a store with each page of the nightly reconciliation: the preview of the next days, and the
 * contracts' next billing dates.
 */
import {
  countPreviewOrders,
  listPreviewDates,
  listPreviewOrders,
} from '../../billing/preview/count-orders.ts';
import { createBillingPreviews, isPreviewOfSettings } from '../../billing/preview/previews.ts';
import { setNextBillingDates } from '../../billing/preview/set-next-billing-dates.ts';
import type { BillingSettings } from '../../billing/records/settings-record.ts';
import { addDays } from '../../billing/settings/run-times.ts';
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { ContractReading } from '../../timeline/append/observation.ts';
import type { ObserveContractsDeps } from '../contracts/observe-contracts.ts';
import { readQueuedChanges } from '../contracts/queued-changes.ts';
import type { ContractPage, StoreReadRun } from '../contracts/read-contracts.ts';
import type { ReconciliationRecord } from './reconciliation-record.ts';

/**
 * Sets the next billing dates of a page's contracts, if the service bills the store. Contracts with open changes of the
 * service are left to the next night.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function setNextDatesOfPage(
  deps: ObserveContractsDeps,
  run: StoreReadRun,
  readings: readonly ContractReading[],
): Promise<void> {
  if (run.isBilled !== true) return;
  const contracts = readings.map(({ contract }) => contract);
  const queuedByContract = await readQueuedChanges(deps, run.store.shopId, contracts);
  const settledReadings = readings.filter(
    ({ contract }) => queuedByContract.get(contract)?.open.length === 0,
  );
  await setNextBillingDates(deps, run, settledReadings);
}

type StartedPreview = {
  readonly shopId: ShopId;
  readonly settings: BillingSettings;
  readonly nightlyDate: string;
};

/**
 * Starts the count of a night. The night before has counted this day, unless billing was off then.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function startPreview(
  deps: Pick<ObserveContractsDeps, 'table'>,
  { shopId, settings, nightlyDate }: StartedPreview,
): Promise<ReconciliationRecord['preview']> {
  const { startsOn } = settings;
  if (startsOn === undefined) return undefined;
  const storedPreview = await createBillingPreviews(deps).find(shopId, nightlyDate);
  const firstDate = isPreviewOfSettings(storedPreview, settings) ? addDays(nightlyDate, 1) : nightlyDate;
  return { startsOn, firstDate, counts: {} };
}

type CountedPage = Pick<ContractPage, 'amounts' | 'next'> & { readonly readings: readonly ContractReading[] };

/**
 * Counts the orders of a page, and writes the entries of the next day, and of this day if it is counted; after the last page, the counts of each day.
 * Idempotent: the returned record is stored after each page.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function previewPage(
  deps: ObserveContractsDeps,
  { store }: StoreReadRun,
  progress: ReconciliationRecord,
  { readings, amounts, next }: CountedPage,
): Promise<ReconciliationRecord['preview']> {
  if (progress.preview === undefined) return undefined;
  const { startsOn, firstDate, counts } = progress.preview;
  const billingPreviews = createBillingPreviews(deps);
  const { shopId } = store;
  const days = { shopId, timeZone: timeZoneOf(store), nightlyDate: progress.night, startsOn, firstDate };
  const dates = listPreviewDates(days);
  const countedDates = new Set(dates);
  const orders = readings.flatMap((reading) =>
    listPreviewOrders(days, countedDates, { reading, amounts: amounts.get(reading.contract) ?? {} }),
  );
  const tomorrow = addDays(days.nightlyDate, 1);
  await awaitAll(orders.filter(({ date }) => date <= tomorrow).map(billingPreviews.putEntry));
  const countedPreview = countPreviewOrders(counts, orders);
  if (next === null) {
    // A reconciliation that ends on a later day has missed orders of the days before.
    const today = isoDayIn(days.timeZone, deps.now());
    const previewDates = dates.filter((date) => date > today || date === days.nightlyDate);
    const emptyPreview = { orderCount: 0, totals: [] };
    await awaitAll(
      previewDates.map((date) =>
        billingPreviews.put(shopId, {
          date,
          preparedAtMs: progress.beganAtMs,
          ...(countedPreview[date] ?? emptyPreview),
        }),
      ),
    );
  }
  return { startsOn, firstDate, counts: countedPreview };
}
