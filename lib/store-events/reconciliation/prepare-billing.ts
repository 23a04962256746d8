/**
 * Prepares the billing of a store with each page of the nightly reconciliation: the preview of the next days, and the
 * contracts' next billing dates.
 */
import {
  countPreviewOrders,
  listPreviewDates,
  listPreviewOrders,
} from '../../billing/preview/count-orders.ts';
import { createBillingPreviews, isValidPreview } from '../../billing/preview/previews.ts';
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
 * service are left to the next nightly reconciliation.
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
    ({ contract }) => queuedByContract.get(contract)?.openIntents.length === 0,
  );
  await setNextBillingDates(deps, run, settledReadings);
}

type PreviewStart = {
  readonly shopId: ShopId;
  readonly settings: BillingSettings;
  readonly nightlyDate: string;
};

/**
 * Starts a reconciliation's preview: of the days after `nightlyDate`, and of that day itself if it has no valid preview,
 * because billing was off when it should have been counted.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function startPreview(
  deps: Pick<ObserveContractsDeps, 'table'>,
  { shopId, settings, nightlyDate }: PreviewStart,
): Promise<ReconciliationRecord['preview']> {
  const { startsOn } = settings;
  if (startsOn === undefined) return undefined;
  const storedPreview = await createBillingPreviews(deps).find(shopId, nightlyDate);
  const firstCountedDate = isValidPreview(storedPreview, settings) ? addDays(nightlyDate, 1) : nightlyDate;
  return { startsOn, firstDate: firstCountedDate, counts: {} };
}

type CountedPage = Pick<ContractPage, 'amountsByContract' | 'nextCursor'> & {
  readonly readings: readonly ContractReading[];
};

/**
 * Counts the orders of a page's contracts, and writes the preview entries of the orders until tomorrow. After the last page
 * it also writes the counts of each day. Idempotent: the caller stores the returned counts after each page.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countPreviewOfPage(
  deps: ObserveContractsDeps,
  { store }: StoreReadRun,
  progress: ReconciliationRecord,
  { readings, amountsByContract, nextCursor }: CountedPage,
): Promise<ReconciliationRecord['preview']> {
  if (progress.preview === undefined) return undefined;
  const { startsOn, firstDate: firstCountedDate, counts } = progress.preview;
  const billingPreviews = createBillingPreviews(deps);
  const { shopId } = store;
  const previewStore = {
    shopId,
    timeZone: timeZoneOf(store),
    nightlyDate: progress.night,
    startsOn,
    firstCountedDate,
  };
  const dates = listPreviewDates(previewStore);
  const countedDates = new Set(dates);
  const orders = readings.flatMap((reading) =>
    listPreviewOrders(previewStore, countedDates, {
      reading,
      amounts: amountsByContract.get(reading.contract) ?? {},
    }),
  );
  const tomorrow = addDays(previewStore.nightlyDate, 1);
  await awaitAll(orders.filter(({ date }) => date <= tomorrow).map(billingPreviews.putEntry));
  const countedPreview = countPreviewOrders(counts, orders);
  if (nextCursor === null) {
    // If the reconciliation ends on a later day, its counts of the days since it began are incomplete and are not written.
    const today = isoDayIn(previewStore.timeZone, deps.now());
    const previewDates = dates.filter((date) => date > today || date === previewStore.nightlyDate);
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
  return { startsOn, firstDate: firstCountedDate, counts: countedPreview };
}
