/** When the next run of a store begins: a day that has its run gets no second one, also if the hour is moved later. */
import { isoDayIn } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { latestRunDate, nextRunAtMs } from './run-times.ts';

type Deps = { readonly runs: Pick<BillingRuns, 'find'>; readonly now: () => number };

const MINUTE_MS = 60_000;

/**
 * Returns when the next run begins, epoch milliseconds. One whose time has passed, because the hour was changed or billing was
 * switched on after it, begins within a minute.
 * @returns undefined when billing is off
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readNextRunAtMs(
  { runs, now }: Deps,
  stored: BillingSettings,
  store: StoreRecord,
): Promise<number | undefined> {
  const nowMs = now();
  const latestDate = latestRunDate(stored, store, nowMs);
  if (latestDate !== undefined && (await runs.find(store.shopId, latestDate)) === undefined)
    return Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS;
  const nextMs = nextRunAtMs(stored, store, nowMs);
  if (nextMs === undefined) return undefined;
  const run = await runs.find(store.shopId, isoDayIn(timeZoneOf(store), nextMs));
  return run === undefined ? nextMs : nextRunAtMs(stored, store, nextMs);
}
