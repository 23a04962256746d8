/** Compares what the service did with what the oracle expects, order by order. */
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { sumOrderTotal } from '../../../sandbox/platform/admin/resolvers/billing/order-totals.ts';
import { orderGroupOfContract } from '../../../sandbox/platform/state/add-order.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { Description } from '../oracle/description.ts';
import type { ContractExpectation, ExpectedTry, OrderExpectation } from '../oracle/expectation.ts';
import type { Simulation } from './simulate.ts';

const DAY_MS = 86_400_000;
/** An order that waits for an older one is read again after this time. */
const RECHECK_MS = 15 * 60_000;

type ObservedTry = { readonly atMs: number; readonly outcome: string | null };
type ObservedOrder = {
  readonly index: number;
  readonly state: string;
  readonly reason: string | null;
  /** The service's attempts, in the order of time. */
  readonly tries: readonly ObservedTry[];
  /** The total of the order that the service charged, in minor units. */
  readonly priceMinor: number | null;
  /** How many attempts, whoever made them, were paid. */
  readonly paidCount: number;
};
export type ObservedContract = {
  readonly id: number;
  readonly status: string;
  readonly currencyCode: string;
  readonly orders: readonly ObservedOrder[];
  /** When the contract was cancelled or expired; infinite if it was not. */
  readonly endedAtMs: number;
};

/** Reads the contracts with the orders that have a charge or an attempt. */
export async function observe({ emulated, base, endTimes, store }: Simulation): Promise<ObservedContract[]> {
  const nowMs = emulated.platform.holder.nowMs;
  const charges = createBillingCharges({
    table: base,
    now: () => nowMs,
    enqueueStore: async () => undefined,
  });
  const { shopId } = store();
  const observed: ObservedContract[] = [];
  for (const { description, record } of emulated.contracts) {
    const contractNumber = String(record.id) as ContractNumber;
    const own = await charges.listOfContract({ shopId, contractNumber });
    const attempts = emulated.state.attempts.ofContract(record.id);
    const indices = new Set([...own, ...attempts].map(({ cycleIndex }) => cycleIndex));
    const orders = [...indices]
      .sort((one, other) => one - other)
      .map((index): ObservedOrder => {
        const { state = 'NONE', reason = null } = own.find(({ cycleIndex }) => cycleIndex === index) ?? {};
        const tries = emulated
          .attemptsOfService(record)
          .filter(({ cycleIndex }) => cycleIndex === index)
          .map(({ createdAt, completedAt, errorCode }) => ({
            ...{ atMs: Date.parse(createdAt) },
            outcome: completedAt === null ? null : (errorCode ?? 'PAYS'),
          }));
        const paid = attempts.filter(({ cycleIndex, orderId }) => cycleIndex === index && orderId !== null);
        const isOwn = tries.some(({ outcome }) => outcome === 'PAYS');
        const priceMinor = isOwn ? totalOf(emulated.state, record, index) : null;
        return { ...{ index, state, reason, tries, priceMinor }, paidCount: paid.length };
      });
    const { status, currencyCode } = record.content;
    const endedAtMs = endTimes.get(record.id) ?? Number.POSITIVE_INFINITY;
    observed.push({ id: description.id, status, currencyCode, orders, endedAtMs });
  }
  return observed;
}

function totalOf({ orders }: Simulation['emulated']['state'], { id }: ContractRecord, index: number) {
  const own = [...orders.values()].filter(
    ({ contractId }) => orderGroupOfContract(contractId) === orderGroupOfContract(id),
  );
  const order = own.find(({ cycleIndex }) => cycleIndex === index);
  return order === undefined ? null : sumOrderTotal(order);
}

/** Returns the differences of a contract, as texts; none when the service did what the oracle expects. */
export function listDifferences(
  expected: ContractExpectation,
  observed: ObservedContract,
  { isLate, untilMs }: { readonly isLate: boolean; readonly untilMs: number },
): string[] {
  const status =
    expected.status === observed.status ? [] : [`status ${observed.status}, expected ${expected.status}`];
  const indices = new Set([...expected.orders, ...observed.orders].map(({ index }) => index));
  let olderDelayMs = 0;
  const orders = [...indices].sort(compareNumbers).flatMap((index) => {
    const one = expected.orders.find((order) => order.index === index);
    const other = observed.orders.find((order) => order.index === index);
    if (isLate && (one?.expectedMs ?? 0) > untilMs - 2 * DAY_MS) return [];
    const differences = listOrderDifferences(one, other, olderDelayMs);
    olderDelayMs = delayOfOrder(one, other);
    const relevant = isLate ? differences.filter((text) => !text.startsWith('tried at')) : differences;
    return relevant.map((text) => `order ${index}: ${text}`);
  });
  return [...status, ...orders];
}

const compareNumbers = (one: number, other: number) => one - other;

/** Returns how long after its window the last try of an order was made: the next order of the contract may have waited for it. */
function delayOfOrder(expected: OrderExpectation | undefined, observed: ObservedOrder | undefined): number {
  const window = expected?.tries.findLast(({ by }) => by === 'SERVICE');
  const lastTry = observed?.tries.at(-1);
  if (window === undefined || lastTry === undefined) return 0;
  return Math.max(0, lastTry.atMs - window.latestMs);
}

const NOTHING: Omit<ObservedOrder, 'index'> = {
  ...{ state: 'NONE', reason: null, tries: [], priceMinor: null, paidCount: 0 },
};

function listOrderDifferences(
  expected: OrderExpectation | undefined,
  observed: Omit<ObservedOrder, 'index'> = NOTHING,
  olderDelayMs = 0,
): string[] {
  const { state = 'NONE', reason = null, tries = [], priceMinor = null } = expected ?? {};
  // A contract that ends in the minutes of a run has an order that the run found, or not.
  const isMaybeUnfound = observed.state === 'NONE' && reason === 'CONTRACT_ENDED' && tries.length === 0;
  if (isMaybeUnfound) return [];
  // Both are true of an order that ends after its contract while billing is off: the service names the contract's end if it
  // reads the order before, which it need not do.
  const isEitherReason = reason === 'BILLING_OFF' && observed.reason === 'CONTRACT_ENDED';
  const expectedReason = state === 'NONE' ? null : isEitherReason ? observed.reason : reason;
  const own = tries.filter(({ by }) => by === 'SERVICE');
  const same = (name: string, is: unknown, must: unknown) =>
    is === must ? [] : [`${name} ${String(is)}, expected ${String(must)}`];
  const describe = (outcome: string | null) => outcome ?? 'open';
  return [
    ...same('state', observed.state, state),
    ...same('reason', observed.reason, expectedReason),
    ...same(
      'tries',
      observed.tries.map(({ outcome }) => describe(outcome)).join(),
      own.map(({ outcome }) => describe(outcome)).join(),
    ),
    ...(observed.tries.length === own.length
      ? observed.tries.flatMap((each, at) => listTimeDifference(each, own[at], olderDelayMs))
      : []),
    ...same('price', observed.priceMinor, priceMinor),
  ];
}

function listTimeDifference(
  { atMs }: ObservedTry,
  window: ExpectedTry | undefined,
  olderDelayMs: number,
): string[] {
  if (window === undefined) return [];
  const latestMs = window.latestMs + olderDelayMs + RECHECK_MS;
  if (window.earliestMs - 1000 <= atMs && atMs <= latestMs) return [];
  const [is, from, until] = [atMs, window.earliestMs, window.latestMs].map((ms) =>
    new Date(ms).toISOString(),
  );
  return [`tried at ${is}, expected from ${from} until ${until}`];
}

/** Returns the orders that are charged or reported at each pace, and that the service has neither charged nor reported. */
export function listOmittedOrders(
  expected: readonly ContractExpectation[],
  observed: ObservedContract,
  { untilMs, store: { changes } }: Description,
): string[] {
  const switchesOff = changes.flatMap((change) =>
    change.kind === 'settings' && change.settings.enabled === false ? [change.atMs] : [],
  );
  // Orders that a run has not found before billing was switched off stay with the merchant.
  const isInterrupted = (dueMs: number) =>
    switchesOff.some((offMs) => Math.abs(offMs - dueMs) < OMITTED_AFTER_MS);
  const [first] = expected;
  return (first?.orders ?? []).flatMap(({ index, expectedMs }) => {
    const isToAct = expected.every(({ orders }) =>
      orders.some((order) => order.index === index && /CHARGED|REPORTED/.test(order.state)),
    );
    if (!isToAct || expectedMs > untilMs - OMITTED_AFTER_MS || isInterrupted(expectedMs)) return [];
    // Others that act in the seconds of a run change which attempt is declined, so that the contract may end earlier than
    // expected. The run that finds an order begins within a day of its date.
    if (expectedMs > observed.endedAtMs - DAY_MS) return [];
    const { state = 'NONE', paidCount = 0 } = observed.orders.find((order) => order.index === index) ?? {};
    const isOmitted = (state === 'NONE' || state === 'DUE') && paidCount === 0;
    return !isOmitted ? [] : [`contract ${observed.id}, order ${index}: ${state}, forgotten`];
  });
}

/** A run that is delayed by faults takes up orders of some days before. */
const OMITTED_AFTER_MS = 4 * DAY_MS;
