/** The runs of measure.ts for the function that bills: orders that are paid, declined once, or end after a decline. */
import { randomUUID } from 'node:crypto';
import { createBillingPreviews } from '../../../../lib/billing/preview/previews.ts';
import type { BillingCharge } from '../../../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../../../lib/billing/records/charges.ts';
import { withRetryNow } from '../../../../lib/billing/settle/retry-charge.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createWorkQueue } from '../../../../lib/storage/work-queue/work-queue.ts';
import { readTable, switchBillingOn } from '../as-operator.ts';
import type { RunningTemplate } from '../start-template.ts';
import { overTable } from './worker-runs.ts';

type Store = { readonly shop: string; readonly shopId: number };
export type BilledWork = 'billedOrder' | 'declinedOrder' | 'endedOrder';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const [CARLA, HOUSE] = [7001003, 810100101];
/** A plan with one price: the most common kind. Plans with steps take one more request for each order. */
const GROUP = {
  ...{ id: 8309001, name: 'One price', productIds: [8101001] },
  plans: [{ name: 'Every week', billing: ['WEEK', 1], prices: [['PERCENTAGE', 10]] }],
};
const PLAN = 830900101;
const FIRST_CONTRACT = { billedOrder: 9_700_000, declinedOrder: 9_720_000, endedOrder: 9_740_000 };
/** The bank's answers to the orders of a group; an empty list: they are paid. */
const ANSWERS = { billedOrder: [], declinedOrder: ['INSUFFICIENT_FUNDS'], endedOrder: ['FRAUD_SUSPECTED'] };

type BilledStep = {
  /** Makes the work of the next runs. */
  readonly prepare: () => Promise<void>;
  /** The clock offset of `billing`. The platform's clock is not ahead, and an attempt must not look older than its intent. */
  readonly aheadMs: number;
};

/** An outcome is read some minutes after its attempt, and the final action follows that. */
const FINAL_ACTION_AHEAD_MS = 600_000;

/** Returns the steps of each group. Each group has a run of the same day, which begins again. */
export function billedOrdersOf(
  running: RunningTemplate,
  store: Store,
  count: number,
): Readonly<Record<BilledWork, readonly BilledStep[]>> {
  const beginWith = (name: BilledWork): BilledStep => ({
    aheadMs: 0,
    async prepare() {
      await addOrders(running, store, { first: FIRST_CONTRACT[name], count });
      await setAnswers(running, store, ANSWERS[name]);
      await beginDay(running, store, count);
    },
  });
  const retry = async () => {
    await setAnswers(running, store, []);
    await retryAll(running, store);
  };
  const wait = async () => undefined;
  return {
    billedOrder: [beginWith('billedOrder')],
    declinedOrder: [beginWith('declinedOrder'), { prepare: retry, aheadMs: 0 }],
    endedOrder: [beginWith('endedOrder'), { prepare: wait, aheadMs: FINAL_ACTION_AHEAD_MS }],
  };
}

/** Switches billing on for the store. */
export function startBilling(running: RunningTemplate, { shopId }: Store): Promise<void> {
  return switchBillingOn(running, shopId, shopId);
}

async function control({ platform }: RunningTemplate, path: string, body: object): Promise<void> {
  const answer = await fetch(`${platform.url}/_control/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** `lines`: of each contract. */
type Orders = { readonly first: number; readonly count: number; readonly lines?: number };

/** Adds weekly orders that are due. */
export function addOrders(
  running: RunningTemplate,
  { shop }: Store,
  { first, count, lines = 1 }: Orders,
): Promise<void> {
  const createdMs = Date.now() - 7 * DAY_MS - 2 * HOUR_MS;
  const subscriptions = Array.from({ length: count }, (_, index) => ({
    ...{ id: first + index, customerId: CARLA, planId: PLAN, createdMs },
    lines: Array.from({ length: lines }, () => [HOUSE, 1]),
  }));
  return control(running, 'seed', { shop, sellingPlanGroups: [GROUP], subscriptions });
}

/** The bank answers after a second, as it does to the charges of the merchant's server. */
function setAnswers(running: RunningTemplate, { shop }: Store, answers: readonly string[]): Promise<void> {
  return control(running, 'outcomes', {
    shop,
    steps: answers.map((answer) => ({ answer, delaySeconds: 1 })),
  });
}

/** Lets the run of the day begin, with the preview of the night before. */
export async function beginDay(running: RunningTemplate, store: Store, orderCount: number): Promise<void> {
  const shopId = store.shopId as ShopId;
  const runs = (await readTable(running)).filter(({ pk }) => pk.startsWith(`RUN#${shopId}`));
  await overTable(running, async (table) => {
    for (const { pk, sk } of runs) await table.delete({ pk, sk });
    for (const days of [-1, 0, 1]) {
      const date = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
      const preview = { date, preparedAtMs: Date.now() - DAY_MS, orderCount, totals: [] };
      await createBillingPreviews({ table }).put(shopId, preview);
    }
    await createWorkQueue({ table, now: Date.now, newId: randomUUID }).enqueue('billing', shopId);
  });
}

/** Has all declined orders tried again now, as if their days were over. */
async function retryAll(running: RunningTemplate, store: Store): Promise<void> {
  const shopId = store.shopId as ShopId;
  const items = (await readTable(running)).filter(({ pk }) => pk.startsWith(`LEDGER#${shopId}#`));
  const open = items.filter(({ state }) => state === 'RETRYING') as unknown as BillingCharge[];
  await overTable(running, async (table) => {
    const now = Date.now;
    const queue = createWorkQueue({ table, now, newId: randomUUID });
    const enqueueStore = (shop: ShopId, atMs: number) => queue.enqueue('billing', shop, atMs);
    const charges = createBillingCharges({ table, now, enqueueStore });
    for (const { shopId, contractNumber, cycleIndex } of open) {
      const charge = await charges.find({ shopId, contractNumber, cycleIndex });
      if (charge !== undefined) await charges.replace(charge, withRetryNow(charge, now()));
    }
  });
}
