/** Reads when the next run of a store begins. A day never gets a second run, even if the hour is moved to a later one. */
import { isoDayIn } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingRuns } from '../records/runs.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { latestRunDate, nextRunAtMs } from './run-times.ts';

type Deps = { readonly runs: Pick<BillingRuns, 'find'>; readonly now: () => number };

const MINUTE_MS = 60_000;

/**
 * Returns when the next run begins, epoch milliseconds. A run that is overdue, because the hour was changed or billing was
 * switched on after its time, begins within a minute.
 * @returns undefined when billing is off
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readNextRunAtMs(
  { runs, now }: Deps,
  storedSettings: BillingSettings,
  store: StoreRecord,
): Promise<number | undefined> {
  const nowMs = now();
  const latestDate = latestRunDate(storedSettings, store, nowMs);
  if (latestDate !== undefined && (await runs.find(store.shopId, latestDate)) === undefined)
    return Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS;
  const nextStartAtMs = nextRunAtMs(storedSettings, store, nowMs);
  if (nextStartAtMs === undefined) return undefined;
  const run = await runs.find(store.shopId, isoDayIn(timeZoneOf(store), nextStartAtMs));
  return run === undefined ? nextStartAtMs : nextRunAtMs(storedSettings, store, nextStartAtMs);
}
