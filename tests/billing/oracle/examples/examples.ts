/** Short descriptions of one contract for examples, and their expectations in one line for each order. */
import type {
  Answer,
  BillingSettings,
  ContractDescription,
  ContractEvent,
  Description,
  StoreChange,
  StoreDescription,
} from '../description.ts';
import { expectCharges } from '../expect-charges.ts';
import type { Expectation, OrderExpectation } from '../expectation.ts';

/** A year's start, when nothing is under way. The service is switched on a week before. */
const SWITCHED_ON_MS = at('2026-12-25T12:00Z');

export function at(instant: string): number {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) throw new Error(`${instant} is no instant.`);
  return ms;
}

/** Answers of the bank, each after 20 seconds. */
export const answers = (...outcomes: readonly string[]): readonly Answer[] =>
  outcomes.map((outcome) => ({ outcome, seconds: 20 }));

export type Given = {
  readonly zone?: string;
  readonly settings?: Partial<BillingSettings>;
  readonly changes?: readonly StoreChange[];
  readonly store?: Partial<StoreDescription>;
  readonly contract?: Partial<ContractDescription>;
  /** The bank's answers; it pays if none are given. */
  readonly answers?: readonly Answer[];
  readonly events?: readonly ContractEvent[];
  readonly until?: string;
};

/**
 * A monthly contract of 20.00, created on 5 December 2026: its first order is due on 5 January 2027 at 8:00 UTC. The
 * store's hour is 10.
 */
export function describeExample(given: Given): Description {
  const { zone: timeZone = 'UTC', settings = {}, events = [], until = '2027-01-31T00:00Z' } = given;
  const enabled = { enabled: true, startsOn: '2027-01-01', ...settings };
  const switchOn: StoreChange = { kind: 'settings', atMs: SWITCHED_ON_MS, settings: enabled };
  const contract: ContractDescription = {
    ...{ id: 1, createdMs: at('2026-12-05T08:20Z'), maxCycles: null, hasCheckoutOrder: true, billedCount: 0 },
    ...{ policy: { interval: 'MONTH', intervalCount: 1, anchors: [] }, status: 'ACTIVE' },
    ...{ lines: [{ quantity: 2, currentPriceMinor: 800, steps: [] }], deliveryPriceMinor: 400 },
    currencyCode: 'USD',
    ...{ card: { answers: given.answers ?? answers('PAYS') }, events },
    ...given.contract,
  };
  return {
    ...{ fromMs: SWITCHED_ON_MS, untilMs: at(until), contracts: [contract] },
    store: { timeZone, currencyCode: 'USD', changes: [switchOn, ...(given.changes ?? [])], ...given.store },
  };
}

/** Returns a line for each order, such as `1 CHARGED 20.00: 01-05 10:00 PAYS`, and the status when it is not ACTIVE. */
export function showExample(given: Given): readonly string[] {
  return showExpectation(expectCharges(describeExample(given)));
}

export function showExpectation({ contracts }: Expectation): readonly string[] {
  return contracts.flatMap(({ orders, status }) => [
    ...orders.map(showOrder),
    ...(status === 'ACTIVE' ? [] : [status]),
  ]);
}

function showOrder(order: OrderExpectation): string {
  const { index, state, reason, chargedBy, priceMinor, next } = order;
  const price = priceMinor === null ? undefined : (priceMinor / 100).toFixed(2);
  const payer = chargedBy === 'OTHERS' ? 'by others' : undefined;
  const head = [index, state, reason, payer, price].filter((part) => part != null).join(' ');
  const tries = order.tries.map((each) => {
    const by = each.by === 'OTHERS' ? ' by others' : '';
    return `${showTime(each.earliestMs)} ${each.outcome ?? 'open'}${by}`;
  });
  const nextTime = next === null ? [] : [`next ${showTime(next.earliestMs)}`];
  const tail = [...tries, ...nextTime].join(', ');
  return tail === '' ? head : `${head}: ${tail}`;
}

function showTime(ms: number): string {
  if (!Number.isFinite(ms)) return 'never';
  return new Date(ms).toISOString().slice(5, 16).replace('T', ' ');
}
