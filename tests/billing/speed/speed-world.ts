/** A store with orders of one day, on a simulated clock: the platform, the table and the processor take their time. */
import { createBillingPreviews } from '../../../lib/billing/preview/previews.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../lib/billing/records/settings-record.ts';
import { runStartAtMs } from '../../../lib/billing/settings/run-times.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { addRequestedSeeds } from '../../../sandbox/platform/state/seed/seed-from-request.ts';
import { REQUEST_ASSUMPTIONS } from '../../../tools/capacity/measured.ts';
import { createClock } from '../../lib/platform/admin-api/busy-world.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { tableOf } from '../../rights/guarded-table.ts';
import { dayMs, harbor, newPlatform } from '../../sandbox/platform/admin/harness.ts';
import { installStore, startProcess } from '../run/service-processes.ts';

export type StoreOfDay = {
  readonly orderCount: number;
  /** What the platform restores; its bucket holds the points of twenty seconds. */
  readonly pointsPerSecond: number;
};

const DAY = '2026-12-01';
const FIRST_CONTRACT_ID = 9_900_000;
const WEEKLY_PLAN_ID = 830_100_101;
const CUSTOMERS = 100;
const BUCKET_SECONDS = 20;
const CHARGE_DELAY_SECONDS = 5;
/** DynamoDB's response time. */
const TABLE_MS = 5;
/** The CPU time of an order in the function `billing`, rounded up: tools/capacity/measured.json has less (`billedOrder`). */
const CPU_MS_PER_ORDER = 10;

export type SpeedWorld = Awaited<ReturnType<typeof createSpeedWorld>>;

/** Creates the store at the time at which its run begins. */
export async function createSpeedWorld({ orderCount, pointsPerSecond }: StoreOfDay) {
  const platform = newPlatform({ contracts: 0, customers: CUSTOMERS });
  const { clock, wait, runUntil } = createClock(platform.holder);
  const state = platform.store();
  const table = createMemoryTable();
  const installedAtMs = Date.parse(DAY) - 60 * dayMs;
  const store = await installStore(table, 'UTC', installedAtMs);
  const settings = { ...DEFAULT_BILLING_SETTINGS, enabled: true, startsOn: '2026-10-01', hour: 10 };
  const startMs = runStartAtMs(settings, store, DAY);
  clock.nowMs = startMs;
  addOrders(state, { orderCount, startMs });
  state.throttle = { maximumAvailable: BUCKET_SECONDS * pointsPerSecond, restoreRate: pointsPerSecond };
  state.chargeDelaySeconds = CHARGE_DELAY_SECONDS;
  const now = () => clock.nowMs;
  let ids = 0;
  const newId = () => `id-${++ids}`;

  async function send(body: string) {
    await wait(REQUEST_ASSUMPTIONS.platformMs);
    return platform.send(body, { shop: harbor });
  }

  /** One instance has the store at a time, so its orders share one processor. */
  let isFreeAtMs = 0;
  async function sendAndCompute(body: string) {
    const answer = await send(body);
    const orders = body.split('subscriptionBillingAttemptCreate(').length - 1;
    isFreeAtMs = Math.max(isFreeAtMs, clock.nowMs) + orders * CPU_MS_PER_ORDER;
    await wait(isFreeAtMs - clock.nowMs);
    return answer;
  }

  const waitOrStop = (ms: number, signal: AbortSignal) =>
    Promise.race([wait(ms), new Promise<void>((stop) => signal.addEventListener('abort', () => stop()))]);

  return {
    ...{ clock, wait, runUntil, state, table, shopId: store.shopId, startMs, now, newId, send },
    /** Starts an instance of the function with its rights. */
    startInstance: (name: 'billing' | 'store-events' | 'webhook-deliveries') =>
      startProcess({
        ...{ base: tableOf(name, slowTable(table, wait)), store: () => store, newId, waitOrStop },
        storeParts: name === 'webhook-deliveries' ? [] : ['grant'],
        emulated: { platform, send: name === 'billing' ? sendAndCompute : send },
        ...{ log: () => undefined, passTime: wait, requestMs: () => 0 },
      }),
    /** Switches billing on, with the preview of the night before. */
    async switchBillingOn(): Promise<void> {
      await createBillingSettings({ table, now }).write(store.shopId, DEFAULT_BILLING_SETTINGS, settings);
      const preview = { date: DAY, preparedAtMs: startMs - dayMs / 4, orderCount, totals: [] };
      await createBillingPreviews({ table }).put(store.shopId, preview);
    },
  };
}

type OrdersOfDay = { readonly orderCount: number; readonly startMs: number };

/** Adds contracts whose first order is due, with one price each, as the most common plans have. */
function addOrders(state: ReturnType<ReturnType<typeof newPlatform>['store']>, orders: OrdersOfDay): void {
  const customers = [...state.customers.keys()].slice(-CUSTOMERS);
  const [variantId = 0] = state.variants.keys();
  const subscriptions = Array.from({ length: orders.orderCount }, (_, at) => ({
    ...{ id: FIRST_CONTRACT_ID + at, customerId: customers[at % CUSTOMERS] ?? 0, planId: WEEKLY_PLAN_ID },
    ...{ createdMs: orders.startMs - 7 * dayMs, lines: [[variantId, 1] as [number, number]] },
  }));
  state.contracts.clear();
  state.attempts.clear();
  addRequestedSeeds(state, { subscriptions }, orders.startMs);
  for (const { content } of state.contracts.values())
    for (const { pricingPolicy } of content.lines) pricingPolicy?.cycleDiscounts.splice(1);
}

/** Returns the table with its response time. */
function slowTable(table: Table, wait: (ms: number) => Promise<void>): Table {
  const slow =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      await wait(TABLE_MS);
      return call(...args);
    };
  return {
    get: slow(table.get),
    batchGet: slow(table.batchGet),
    put: slow(table.put),
    update: slow(table.update),
    delete: slow(table.delete),
    query: slow(table.query),
  };
}
