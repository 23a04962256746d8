/**
 * Reads each store's time zone once a day, because merchants can change it. Also schedules the daily check of the
 * storefront token and the nightly reconciliation, for stores that were installed before these existed. The run can
 * stop at any point, because the next read is scheduled before the present scheduled task is removed.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { parseTimeZone, type TimeZone } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { forEachStore } from '../../storage/for-each-store.ts';
import { readDueTasks, type ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import { type StoreRecord, type Stores, storeItemKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { scheduleStorefrontTokenCheck } from './schedule-storefront-token-check.ts';
import { scheduleTimeZoneRead } from './schedule-time-zone-read.ts';

type RefreshTimeZonesDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly table: Table;
  readonly scheduledTasks: Pick<ScheduledTasks, 'listDue' | 'remove'>;
  readonly sendWithinBudget: SendWithinBudget;
  /** Puts the store in the work queues of the nightly reconciliation, and of billing if the service bills it. */
  readonly enqueueStore: (shopId: ShopId) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

/** The maximum number of reads in a run. The next run does the others. */
const MAX_TIME_ZONE_READS_PER_RUN = 100_000;
const TIME_ZONE_DOCUMENT = 'query TimeZoneOfStore { shop { ianaTimezone } }';

/**
 * Reads due time zones until `endAtMs` (epoch milliseconds). Returns how many were read.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function refreshTimeZones(deps: RefreshTimeZonesDeps, endAtMs: number): Promise<number> {
  const dueTasks = await readDueTasks(deps.scheduledTasks, {
    kind: 'time-zone',
    nowMs: deps.now(),
    maxCount: MAX_TIME_ZONE_READS_PER_RUN,
  });
  let refreshedCount = 0;
  await forEachStore(dueTasks, async (shopId, tasksOfStore) => {
    if (deps.now() >= endAtMs) return;
    const refreshOutcome = await refreshTimeZoneOfStore(deps, shopId, endAtMs);
    if (refreshOutcome === 'not yet') return;
    if (refreshOutcome === 'read') refreshedCount++;
    if (refreshOutcome !== 'gone') {
      await scheduleStorefrontTokenCheck(deps, shopId);
      await deps.enqueueStore(shopId);
      await scheduleTimeZoneRead(deps, shopId, 'within a day');
    }
    for (const item of tasksOfStore) await deps.scheduledTasks.remove(item);
  });
  return refreshedCount;
}

/** Errors that last until the merchant acts, so the read is repeated only on the next day. */
const ERROR_CODES_UNTIL_MERCHANT_ACTS: ReadonlySet<string> = new Set([
  'STORE_ACCESS_MISSING',
  'STORE_DISCONNECTED',
]);

/**
 * Reads the time zone of one store. Returns `gone` when the store is not installed; its next installation schedules a
 * read.
 */
async function refreshTimeZoneOfStore(
  deps: RefreshTimeZonesDeps,
  shopId: ShopId,
  endAtMs: number,
): Promise<'read' | 'not to be had' | 'not yet' | 'gone'> {
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return 'gone';
  try {
    return await refreshTimeZone(deps, store, endAtMs);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('time_zone.read_failed', { shopId, errorCode: error.code });
    return ERROR_CODES_UNTIL_MERCHANT_ACTS.has(error.code) ? 'not to be had' : 'not yet';
  }
}

type TimeZoneDeps = Pick<RefreshTimeZonesDeps, 'table' | 'sendWithinBudget'> & {
  readonly logger: Pick<Logger, 'warn'>;
};

/**
 * Reads the time zone of one store now, and stores it if it has changed. Returns `not to be had` when this runtime does
 * not know it.
 * @throws the errors of the Admin API client
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function refreshTimeZone(
  deps: TimeZoneDeps,
  store: StoreRecord,
  endAtMs: number,
): Promise<'read' | 'not to be had'> {
  const platformTimeZone = await readPlatformTimeZone(deps, store, endAtMs);
  if (platformTimeZone === undefined) return 'not to be had';
  if (platformTimeZone !== store.timeZone) await writeTimeZone(deps, store, platformTimeZone);
  return 'read';
}

/**
 * Reads the time zone from the platform.
 * @returns undefined when this runtime does not know it; the stored one is then kept
 */
async function readPlatformTimeZone(
  { sendWithinBudget, logger }: TimeZoneDeps,
  store: StoreRecord,
  endAtMs: number,
): Promise<TimeZone | undefined> {
  const operation = {
    store,
    document: TIME_ZONE_DOCUMENT,
    variables: {},
    mutates: false,
    costKey: TIME_ZONE_DOCUMENT,
    endAtMs,
  };
  const { data } = await sendWithinBudget(operation);
  const { ianaTimezone } = (data?.shop ?? {}) as { readonly ianaTimezone?: unknown };
  const zone = parseTimeZone(ianaTimezone);
  if (zone === undefined) {
    const namedZone = typeof ianaTimezone === 'string' ? ianaTimezone.slice(0, 64) : 'none';
    logger.warn('time_zone.rejected', { shopId: store.shopId, timeZone: namedZone });
  }
  return zone;
}

/** Stores the time zone, unless the store was uninstalled in the meantime. */
async function writeTimeZone(
  { table }: TimeZoneDeps,
  { shopId }: StoreRecord,
  timeZone: TimeZone,
): Promise<void> {
  await table.update({
    key: storeItemKey(shopId),
    update: 'SET #timeZone = :timeZone',
    condition: '#status = :installed',
    names: { '#status': 'status', '#timeZone': 'timeZone' },
    values: { ':timeZone': timeZone, ':installed': 'installed' },
  });
}
