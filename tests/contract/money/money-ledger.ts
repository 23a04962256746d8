/**
 * A customer's payments and deliveries over simulated time. `simulateSubscription` moves the emulated platform's clock
 * from order to order and charges each like a merchant's app, `readLedger` lists payments and deliveries, `faultsOf`
 * returns what must never occur. All money is in whole minor units.
 */
import { settleDueAttempts } from '../../../sandbox/platform/admin/endpoint/settle-due-attempts.ts';
import {
  type BillingCycle,
  findCycleAt,
  findCycleByIndex,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import type { StoreState } from '../../../sandbox/platform/state/state.ts';
import { harbor, type Platform } from '../../sandbox/platform/admin/harness.ts';

export type Payment = {
  readonly orderId: number;
  readonly cycleIndex: number | null;
  readonly at: string;
  readonly isPaid: boolean;
  /** Lines after discounts, and delivery: `linesMinor + deliveryMinor` was charged. */
  readonly linesMinor: number;
  readonly deliveryMinor: number;
  readonly lines: readonly PaidLine[];
  /** The due times of the paid deliveries, as instants, in order. */
  readonly deliveries: readonly string[];
};

/** `minor` pays for `pieces` in each delivery of the payment, before discounts. */
type PaidLine = { readonly variantId: number | null; readonly pieces: number; readonly minor: number };

/** `share` of a payment: so many minor units over so many deliveries, exact. */
type Delivery = {
  readonly dueAt: string;
  readonly orderId: number;
  readonly share: { readonly minor: number; readonly deliveries: number };
};

export type MoneyLedger = { readonly payments: readonly Payment[]; readonly deliveries: readonly Delivery[] };

/** Payments of a contract, oldest first, and deliveries by day. `sinceMs` leaves out orders made before. */
export function readLedger(store: StoreState, contractId: number, sinceMs = 0): MoneyLedger {
  const payments = [...store.orders.values()]
    .filter((order) => order.contractId === contractId && Date.parse(order.createdAt) >= sinceMs)
    .map((order): Payment => {
      const deliveries = order.deliveriesDue;
      const lines = order.lines.map(({ variantId, quantity, priceMinor }) => ({
        variantId,
        pieces: quantity / deliveries.length,
        minor: priceMinor,
      }));
      return {
        orderId: order.id,
        cycleIndex: order.cycleIndex,
        at: order.createdAt,
        isPaid: order.paid,
        linesMinor: order.lines.reduce((sum, line) => sum + line.priceMinor - line.discountMinor, 0),
        deliveryMinor: order.shippingMinor,
        lines,
        deliveries,
      };
    });
  const deliveries = payments.flatMap((payment) =>
    payment.deliveries.map((dueAt) => ({
      dueAt,
      orderId: payment.orderId,
      share: { minor: payment.linesMinor + payment.deliveryMinor, deliveries: payment.deliveries.length },
    })),
  );
  return { payments, deliveries: deliveries.sort((one, other) => one.dueAt.localeCompare(other.dueAt)) };
}

/**
 * Returns a sentence for each fault: an order of one cycle paid twice, a payment without a delivery, a delivery without
 * a payment, two deliveries on one day. `mayBeFree`: discounts can reduce the price to zero.
 */
export function faultsOf({ payments, deliveries }: MoneyLedger, { mayBeFree = false } = {}): string[] {
  const faults: string[] = [];
  const cycles = new Set<number>();
  for (const { orderId, cycleIndex, isPaid, linesMinor, deliveries: due } of payments) {
    if (cycleIndex !== null && cycles.has(cycleIndex)) faults.push(`Cycle ${cycleIndex} was paid twice.`);
    if (cycleIndex !== null) cycles.add(cycleIndex);
    if (due.length === 0) faults.push(`Payment ${orderId} brings nothing.`);
    if (!isPaid) faults.push(`Order ${orderId} is delivered and not paid.`);
    if (linesMinor <= 0 && !mayBeFree) faults.push(`Order ${orderId} is free.`);
  }
  for (const [index, { dueAt, orderId }] of deliveries.entries()) {
    const before = deliveries[index - 1];
    if (before !== undefined && dayOf(before.dueAt) === dayOf(dueAt))
      faults.push(`On ${dayOf(dueAt)} orders ${before.orderId} and ${orderId} are delivered.`);
  }
  return faults;
}

/** Pairs of payments, the later made before the earlier's deliveries had all come: both are paid, side by side. */
export function overlapsOf({ payments }: MoneyLedger): [earlier: Payment, later: Payment][] {
  return payments.flatMap((later, index) => {
    const [first = ''] = later.deliveries;
    const open = payments.slice(0, index).filter((earlier) => (earlier.deliveries.at(-1) ?? '') >= first);
    return open.map((earlier): [Payment, Payment] => [earlier, later]);
  });
}

export type Simulation = {
  readonly contractId: number;
  /** Epoch milliseconds; orders due until then are charged. */
  readonly untilMs: number;
  readonly shop?: string;
  /** Called once for each due cycle, before it is charged; it can change the contract. */
  readonly before?: (due: BillingCycle) => Promise<void> | void;
};

/**
 * Charges every order that comes due, on its day, skips left out, from the cycle that runs now on. Ends early when the
 * contract is not active any more. A declined order is tried once. Answers with the orders of this stretch.
 */
export async function simulateSubscription(platform: Platform, simulation: Simulation): Promise<MoneyLedger> {
  const { holder } = platform;
  const store = platform.store(simulation.shop ?? harbor);
  const sinceMs = holder.nowMs;
  const contract = store.contracts.get(simulation.contractId);
  const first = contract === undefined ? null : findCycleAt(contract, sinceMs);
  if (contract === undefined || first === null) throw new Error(`No cycle of ${simulation.contractId} runs.`);
  const tried = new Set<number>();
  const recorded = new Set<number>();
  for (;;) {
    const due = nextDue(first, tried);
    if (due === null || due.expectedMs > simulation.untilMs || contract.content.status !== 'ACTIVE') break;
    holder.nowMs = Math.max(holder.nowMs, due.expectedMs);
    if (simulation.before !== undefined && !recorded.has(due.index)) {
      recorded.add(due.index);
      await simulation.before(due);
      continue;
    }
    tried.add(due.index);
    await charge(platform, store, due);
  }
  holder.nowMs = Math.max(holder.nowMs, simulation.untilMs);
  return readLedger(store, simulation.contractId, sinceMs);
}

/** Returns the first cycle that is neither billed nor skipped nor tried. The search is limited to this many cycles. */
function nextDue({ contract, index: from }: BillingCycle, tried: ReadonlySet<number>): BillingCycle | null {
  for (let index = from; index < from + 500; index += 1) {
    const cycle = findCycleByIndex(contract, index);
    if (cycle !== null && !cycle.billed && !cycle.skipped && !tried.has(index)) return cycle;
  }
  return null;
}

async function charge(platform: Platform, store: StoreState, due: BillingCycle): Promise<void> {
  const { contract, index } = due;
  const input = {
    idempotencyKey: `ledger-${contract.id}-${index}`,
    originTime: formatIsoInstant(due.expectedMs),
    billingCycleSelector: { index },
    inventoryPolicy: 'ALLOW_OVERSELLING',
  };
  const { attempt } = await platform.data(
    `mutation ($id: ID!, $input: SubscriptionBillingAttemptInput!) {
      attempt: subscriptionBillingAttemptCreate(subscriptionContractId: $id, subscriptionBillingAttemptInput: $input) { userErrors { code message } } }`,
    { id: `gid://shopify/SubscriptionContract/${contract.id}`, input },
    store.shop,
  );
  if (attempt.userErrors.length > 0) throw new Error(JSON.stringify(attempt.userErrors));
  settleDueAttempts(store, platform.holder.nowMs, { mails: platform.holder.state.mails, origin: '' });
}

function dayOf(instant: string): string {
  return instant.slice(0, 10);
}
