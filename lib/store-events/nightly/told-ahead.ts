/** What no webhook of the platform tells: that an order comes, and that a card ends. Each is told once. */
import { type StoreRecord, upcomingDaysOf } from '../../storage/stores.ts';
import type { ContractReading } from '../contracts/contract-reading.ts';
import type { ContractSnapshot } from '../contracts/contract-snapshot.ts';
import type { Telling } from '../tell.ts';

const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 30;

type Ahead = Pick<ContractSnapshot, 'upcomingTold' | 'expiringTold'> & {
  readonly telling: readonly Telling[];
};
type Look = {
  readonly store: Pick<StoreRecord, 'shopId' | 'upcomingDays'>;
  readonly reading: ContractReading;
  readonly snapshot: Pick<ContractSnapshot, 'upcomingTold' | 'expiringTold'>;
  readonly platformGidNamespace: string;
  readonly nowMs: number;
};

/** What is to be told of the contract, and what the snapshot has to keep of it; undefined: nothing. */
export function tellAhead(look: Look): Ahead | undefined {
  const { reading } = look;
  const { status } = reading.facts;
  const order = status === 'ACTIVE' ? nextOrder(look) : undefined;
  const method = status === 'ACTIVE' || status === 'PAUSED' ? endingMethod(look) : undefined;
  if (order === undefined && method === undefined) return undefined;
  return {
    telling: [order?.telling ?? [], method?.telling ?? []].flat(),
    ...(order && { upcomingTold: order.cycleIndex }),
    ...(method && { expiringTold: method.name }),
  };
}

/** The first order of the next days that was not told yet. */
function nextOrder(look: Look) {
  const { store, reading, snapshot, nowMs } = look;
  const untilMs = nowMs + upcomingDaysOf(store) * DAY_MS;
  const orders = Object.entries(reading.cycles)
    .map(([index, cycle]) => ({ ...cycle, cycleIndex: Number(index), dateMs: cycle.date * 1000 }))
    .filter(({ isSkipped, dateMs }) => !isSkipped && dateMs > nowMs && dateMs <= untilMs)
    .filter(({ cycleIndex }) => cycleIndex > (snapshot.upcomingTold ?? -1))
    .sort((one, other) => one.cycleIndex - other.cycleIndex);
  const [order] = orders;
  if (order === undefined) return undefined;
  const { cycleIndex, dateMs } = order;
  const date = new Date(dateMs).toISOString().replace('.000Z', 'Z');
  const event = { type: 'order.upcoming', order: { cycleIndex, date } } as const;
  return { cycleIndex, telling: eventOf(look, `upcoming-${reading.contract}-${cycleIndex}`, event) };
}

function endingMethod(look: Look) {
  const { reading, snapshot, nowMs, platformGidNamespace } = look;
  const { id, goodUntil, isRevoked } = reading.paymentMethod ?? {};
  if (id === undefined || goodUntil === undefined || isRevoked === true) return undefined;
  const name = `${id} ${goodUntil}`;
  if (endOfMonthMs(goodUntil) - nowMs > EXPIRING_DAYS * DAY_MS || snapshot.expiringTold === name)
    return undefined;
  const paymentMethodId = `gid://${platformGidNamespace}/CustomerPaymentMethod/${id}`;
  const event = { type: 'payment_method.expiring', paymentMethodId } as const;
  return { name, telling: eventOf(look, `expiring-${reading.contract}-${id}-${goodUntil}`, event) };
}

type Event = Extract<Telling, { event: unknown }>['event']['event'];

function eventOf(
  { store: { shopId }, reading, nowMs }: Look,
  id: string,
  event: Omit<NonNullable<Event>, 'atMs' | 'customerId'>,
): Telling {
  const { contract, customerId } = reading;
  const customer = customerId === undefined ? {} : { customerId };
  return { event: { shopId, id, contract, event: { ...event, atMs: nowMs, ...customer } } };
}

/** `2027-04` ends with the first instant of May. */
function endOfMonthMs(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year ?? 0, number ?? 0, 1);
}
