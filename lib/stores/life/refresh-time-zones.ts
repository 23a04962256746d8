/**
 * Reads the stores' time zones anew, each once a day: merchants can change them. The day's look after the store's
 * storefront token is noted with it, so stores from before that token was looked after have it, too. May be killed at any point and run
 * again: the next reading is noted before this one goes.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { parseTimeZone, type TimeZone } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { SendWithinBudget } from '../../platform/admin-api/store-budget.ts';
import { type DueItems, takeDue } from '../../storage/due-items.ts';
import { eachStore } from '../../storage/each-store.ts';
import { type StoreRecord, type Stores, storeKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { noteStorefrontLook } from './note-storefront-look.ts';
import { noteZoneReading } from './note-zone-reading.ts';

type RefreshZonesDeps = {
  readonly stores: Pick<Stores, 'find'>;
  readonly table: Table;
  readonly dueItems: Pick<DueItems, 'listDue' | 'remove'>;
  readonly sendWithinBudget: SendWithinBudget;
  /** Wakes who looks at the store every night: one from before there were nights is woken here. */
  readonly wakeStore: (shopId: ShopId) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

/** The most zones that a run takes on; more are left to the next. */
const MAX_READINGS = 100_000;
const DOCUMENT = 'query TimeZoneOfStore { shop { ianaTimezone } }';

/** Reads what is due, until `endAtMs`; returns how many zones. TEMPORARILY_UNAVAILABLE: the table. */
export async function refreshTimeZones(deps: RefreshZonesDeps, endAtMs: number): Promise<number> {
  const due = await takeDue(deps.dueItems, { kind: 'time-zone', nowMs: deps.now(), most: MAX_READINGS });
  let count = 0;
  await eachStore(due, async (shopId, items) => {
    if (deps.now() >= endAtMs) return;
    const outcome = await refresh(deps, shopId, endAtMs);
    if (outcome === 'not yet') return;
    if (outcome === 'read') count++;
    if (outcome !== 'gone') {
      await noteStorefrontLook(deps, shopId);
      await deps.wakeStore(shopId);
      await noteZoneReading(deps, shopId, 'within a day');
    }
    for (const item of items) await deps.dueItems.remove(item);
  });
  return count;
}

/** Errors that last until the merchant does something. */
const NOT_TO_BE_HAD: ReadonlySet<string> = new Set(['STORE_ACCESS_MISSING', 'STORE_DISCONNECTED']);

/** Reads one store's zone. `gone`: installing the store notes its next reading. */
async function refresh(
  deps: RefreshZonesDeps,
  shopId: ShopId,
  endAtMs: number,
): Promise<'read' | 'not to be had' | 'not yet' | 'gone'> {
  const store = await deps.stores.find(shopId);
  if (store?.status !== 'installed') return 'gone';
  try {
    return await refreshTimeZone(deps, store, endAtMs);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('a time zone cannot be read yet', { shopId, code: error.code });
    return NOT_TO_BE_HAD.has(error.code) ? 'not to be had' : 'not yet';
  }
}

type ZoneDeps = Pick<RefreshZonesDeps, 'table' | 'sendWithinBudget'> & {
  readonly logger: Pick<Logger, 'warn'>;
};

/** Reads one store's zone now. Errors of the platform's client; TEMPORARILY_UNAVAILABLE. */
export async function refreshTimeZone(
  deps: ZoneDeps,
  store: StoreRecord,
  endAtMs: number,
): Promise<'read' | 'not to be had'> {
  const zone = await ask(deps, store, endAtMs);
  if (zone === undefined) return 'not to be had';
  if (zone !== store.timeZone) await keep(deps, store, zone);
  return 'read';
}

/** The zone that the platform names; undefined: none that this runtime knows, and the one that is kept stays. */
async function ask(
  { sendWithinBudget, logger }: ZoneDeps,
  store: StoreRecord,
  endAtMs: number,
): Promise<TimeZone | undefined> {
  const operation = { store, document: DOCUMENT, variables: {}, mutates: false, costKey: DOCUMENT, endAtMs };
  const { data } = await sendWithinBudget(operation);
  const { ianaTimezone } = (data?.shop ?? {}) as { readonly ianaTimezone?: unknown };
  const zone = parseTimeZone(ianaTimezone);
  if (zone === undefined) {
    const named = typeof ianaTimezone === 'string' ? ianaTimezone.slice(0, 64) : 'none';
    logger.warn('a time zone is not known', { shopId: store.shopId, timeZone: named });
  }
  return zone;
}

/** Keeps the zone, unless the store was uninstalled meanwhile. */
async function keep({ table }: ZoneDeps, { shopId }: StoreRecord, timeZone: TimeZone): Promise<void> {
  await table.update({
    key: storeKey(shopId),
    update: 'SET #timeZone = :timeZone',
    condition: '#status = :installed',
    names: { '#status': 'status', '#timeZone': 'timeZone' },
    values: { ':timeZone': timeZone, ':installed': 'installed' },
  });
}
