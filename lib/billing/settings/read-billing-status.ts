/** Reads whether the service charges a store's orders now. */
import type { ShopId } from '../../domain/shop-id.ts';
import { localTimeToEpochMs } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingRun } from '../records/run-record.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingSettingsRepository } from '../records/settings.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { type BillingStatus, decideBillingStatus } from './decide-billing-status.ts';

export type BillingStatusDeps = {
  readonly settings: Pick<BillingSettingsRepository, 'read' | 'readStop'>;
  readonly now: () => number;
};
type BillingState = {
  readonly status: BillingStatus;
  readonly storedSettings: BillingSettings;
};

/**
 * Reads the store's settings and the operators' stop of all stores, and decides the status.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readBillingStatus(
  { settings, now }: BillingStatusDeps,
  store: StoreRecord,
): Promise<BillingState> {
  const stopOfAllStores = await settings.readStop();
  const storedSettings = await settings.read(store.shopId);
  const status = decideBillingStatus(storedSettings, { store, nowMs: now(), stopOfAllStores });
  return { status, storedSettings };
}

/**
 * Returns when the first day that the service bills begins, epoch milliseconds; undefined unless that day is still to come.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readBillingStartMs(
  deps: BillingStatusDeps,
  store: StoreRecord,
): Promise<number | undefined> {
  const { status, storedSettings } = await readBillingStatus(deps, store);
  if (status !== 'STARTING' || storedSettings.startsOn === undefined) return undefined;
  return localTimeToEpochMs(timeZoneOf(store), { day: storedSettings.startsOn, secondOfDay: 0 });
}

/**
 * Whether the store's latest run is on hold and not confirmed. Until it is confirmed, or a later run begins, retries and
 * final actions wait, too.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function isLatestRunOnHold(
  { runs }: { readonly runs: Pick<BillingRuns, 'list'> },
  shopId: ShopId,
): Promise<boolean> {
  return isRunOnHold(await readLatestRun({ runs }, shopId));
}

/** Whether the run waits for the merchant to confirm it. */
export function isRunOnHold(run: Pick<BillingRun, 'confirmedAtMs' | 'status'> | undefined): boolean {
  return run?.status === 'ON_HOLD' && run.confirmedAtMs === undefined;
}

/**
 * Reads the store's latest run.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readLatestRun(
  { runs }: { readonly runs: Pick<BillingRuns, 'list'> },
  shopId: ShopId,
): Promise<BillingRun | undefined> {
  for await (const run of runs.list(shopId, { descending: true, pageSize: 1 })) return run;
  return undefined;
}
