/** Notices that no webhook of the platform reports: upcoming orders and expiring cards. Each is announced once. */
import { type StoreRecord, upcomingDaysOf } from '../../storage/stores.ts';
import type { StoreEvent } from '../../storage/stream/stream-record.ts';
import type { ContractReading } from '../../timeline/append/observation.ts';
import type { Notice } from '../../timeline/append/queue-item.ts';
import type { RecordedState } from '../../timeline/append/recorded-state.ts';

const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 30;

type Outlook = {
  readonly store: Pick<StoreRecord, 'shopId' | 'upcomingDays'>;
  readonly reading: ContractReading;
  readonly state: Pick<RecordedState, 'upcomingTold' | 'expiringTold'>;
  readonly platformGidNamespace: string;
  readonly nowMs: number;
};

export function noticesAhead(outlook: Outlook): Notice[] {
  const { status } = outlook.reading.facts;
  const order = status === 'ACTIVE' ? nextOrder(outlook) : [];
  const method = status === 'ACTIVE' || status === 'PAUSED' ? endingMethod(outlook) : [];
  return [...order, ...method];
}

/** The first order of the next days that was not announced yet. */
function nextOrder(outlook: Outlook): Notice[] {
  const { store, reading, state, nowMs } = outlook;
  const untilMs = nowMs + upcomingDaysOf(store) * DAY_MS;
  const orders = Object.entries(reading.cycles)
    .map(([index, cycle]) => ({ ...cycle, cycleIndex: Number(index), dateMs: cycle.date * 1000 }))
    .filter(({ isSkipped, dateMs }) => !isSkipped && dateMs > nowMs && dateMs <= untilMs)
    .filter(({ cycleIndex }) => cycleIndex > (state.upcomingTold ?? -1))
    .sort((one, other) => one.cycleIndex - other.cycleIndex);
  const [order] = orders;
  if (order === undefined) return [];
  const { cycleIndex, dateMs } = order;
  const date = new Date(dateMs).toISOString().replace('.000Z', 'Z');
  const event = eventOf(outlook, { type: 'order.upcoming', order: { cycleIndex, date } });
  const id = `upcoming-${reading.contract}-${cycleIndex}`;
  return [{ shopId: store.shopId, contract: reading.contract, id, event, upcomingTold: cycleIndex }];
}

function endingMethod(outlook: Outlook): Notice[] {
  const { store, reading, state, nowMs, platformGidNamespace } = outlook;
  const { contract } = reading;
  const { id: method, goodUntil, isRevoked } = reading.paymentMethod ?? {};
  if (method === undefined || goodUntil === undefined || isRevoked === true) return [];
  const expiringTold = `${method} ${goodUntil}`;
  if (endOfMonthMs(goodUntil) - nowMs > EXPIRING_DAYS * DAY_MS || state.expiringTold === expiringTold)
    return [];
  const paymentMethodId = `gid://${platformGidNamespace}/CustomerPaymentMethod/${method}`;
  const event = eventOf(outlook, { type: 'payment_method.expiring', paymentMethodId });
  const id = `expiring-${contract}-${method}-${goodUntil}`;
  return [{ shopId: store.shopId, contract, id, event, expiringTold }];
}

function eventOf(
  { reading: { customerId }, nowMs }: Outlook,
  event: Omit<StoreEvent, 'atMs' | 'customerId'>,
): StoreEvent {
  return { ...event, atMs: nowMs, ...(customerId !== undefined && { customerId }) };
}

/** `2027-04` ends with the first instant of May. */
function endOfMonthMs(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year ?? 0, number ?? 0, 1);
}
