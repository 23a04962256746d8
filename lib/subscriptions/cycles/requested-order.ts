/** Resolves the date that a client requested for the next order, and computes the dates that this order can have. */
import { floorToSecond, formatInstant, type Instant, nextWholeSecond } from '../../domain/instant.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { type Message, message } from '../../messages/message.ts';
import { oneYearDateBounds } from '../find-date-error.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import {
  boundsIncludeDay,
  type DateBounds,
  isUpcomingOnDay,
  type RequestedDate,
  requestedTimeSpan,
  resolveRequestedInstant,
} from '../requested-date.ts';
import {
  type BillingCycle,
  cycleDateBounds,
  isDateInCycle,
  orderDueAtMs,
  orderErrorDetails,
} from './billing-cycle.ts';
import { MAX_SKIPPED_EARLIER_ORDERS } from './plan-order-move.ts';

type OrderDateContext = {
  /** The contract's upcoming cycles, in order. */
  readonly upcomingCycles: readonly BillingCycle[];
  readonly timeZone: TimeZone;
  readonly nowMs: number;
  /**
   * The last possible date of the next order, if a new frequency limits it more than the present cycles do. Epoch
   * milliseconds.
   */
  readonly lastMs?: number;
  /**
   * The first possible date of the next order, if a new frequency limits it more than the present cycles do. Epoch
   * milliseconds.
   */
  readonly firstMs?: number;
};

/**
 * Returns the instant of the next order on a requested date. On a requested day, the order comes at the time of day
 * of the order whose cycle includes that day. A next order that is already due on that day keeps its time.
 */
export function resolveOrderInstant(
  date: RequestedDate,
  { upcomingCycles, timeZone, nowMs, firstMs = 0, lastMs = Number.POSITIVE_INFINITY }: OrderDateContext,
): Instant {
  if ('atMs' in date) return date.atMs;
  const unbilledCycles = upcomingCycles.filter(({ status }) => status !== 'BILLED');
  const nextCycle = unbilledCycles.find(({ skipped }) => !skipped);
  const isFirstDay = isoDayIn(timeZone, firstMs) === date.day;
  const isOrderInTime = nextCycle !== undefined && (!isFirstDay || orderDueAtMs(nextCycle) >= firstMs);
  if (isOrderInTime && isUpcomingOnDay(date, { timeZone, nowMs }, orderDueAtMs(nextCycle)))
    return floorToSecond(orderDueAtMs(nextCycle));
  const cycleOfDay = unbilledCycles.find((one) =>
    boundsIncludeDay(timeZone, cycleDateBounds(one, nowMs), date.day),
  );
  const orderInstantMs =
    Date.parse((cycleOfDay ?? unbilledCycles[0])?.cycleEndAt ?? '') ||
    requestedTimeSpan(date, timeZone).firstMs;
  const bounds =
    cycleOfDay === undefined || isFirstDay ? oneYearDateBounds(nowMs) : cycleDateBounds(cycleOfDay, nowMs);
  const limitedBounds = {
    firstMs: isFirstDay ? Math.max(bounds.firstMs, firstMs) : bounds.firstMs,
    lastMs: Math.min(bounds.lastMs, lastMs),
  };
  return resolveRequestedInstant(date, { timeZone, orderInstantMs, bounds: limitedBounds });
}

/**
 * Returns the bounds of the dates that the next order can have: not in a paid cycle, and with no more orders before
 * it than a move can skip. `upcomingCycles` has one cycle more than that number, if the contract has so many.
 */
export function nextOrderDateBounds(upcomingCycles: readonly BillingCycle[], nowMs: number): DateBounds {
  const { firstMs, lastMs } = oneYearDateBounds(nowMs);
  const paidCycle = upcomingCycles.find(
    (cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, firstMs),
  );
  const farthestCycle = upcomingCycles[MAX_SKIPPED_EARLIER_ORDERS];
  return {
    firstMs: paidCycle === undefined ? firstMs : nextWholeSecond(Date.parse(paidCycle.cycleEndAt)),
    lastMs: farthestCycle === undefined ? lastMs : Math.min(lastMs, Date.parse(farthestCycle.cycleEndAt)),
  };
}

/** When billing by the service is about to start. */
export type BillingStartDeps = {
  /** Returns the beginning of the first day that the service bills, epoch milliseconds; undefined unless it is to come. */
  readonly readBillingStartMs: () => Promise<number | undefined>;
};

type PastCycle = BillingCycle & { readonly billingAttempts?: { readonly nodes: readonly unknown[] } };

/** Which orders of the past are still to be charged. */
export type OverdueOrderDeps = {
  /**
   * Returns those of the orders that are of the past, unpaid, and can still be charged, by the service or by the merchant.
   * `billingAttempts`: whether an order was tried, where that was read.
   */
  readonly selectOverdueOrders: <Order extends PastCycle>(
    contractId: string,
    orders: readonly Order[],
  ) => Promise<readonly Order[]>;
};

/**
 * Returns OUT_OF_BOUNDS at the argument if the change moves an order from the days that the service will bill to a day before
 * them, on which perhaps nobody charges it.
 */
export async function findBillingStartError(
  { readBillingStartMs }: BillingStartDeps,
  cycle: BillingCycle,
  { argument, dateMs }: { readonly argument: string; readonly dateMs: number },
): Promise<OperationError | undefined> {
  // An order that does not come earlier cannot leave the days that the service bills.
  if (dateMs >= orderDueAtMs(cycle)) return undefined;
  const startMs = await readBillingStartMs();
  if (startMs === undefined || dateMs >= startMs || orderDueAtMs(cycle) < startMs) return undefined;
  return orderNotBeforeError(cycle, {
    argument,
    firstMs: startMs,
    errorMessage: message('orderNotBeforeBilling', { day: startMs }),
  });
}

type OrderNotBefore = {
  readonly argument: string;
  /** Epoch milliseconds. */
  readonly firstMs: number;
  readonly errorMessage: Message;
};

/** Returns OUT_OF_BOUNDS at the argument: the order cannot be due before `firstMs`. */
export function orderNotBeforeError(
  cycle: BillingCycle,
  { argument, firstMs, errorMessage }: OrderNotBefore,
): OperationError {
  const { cycleIndex, date } = orderErrorDetails(cycle);
  return createUserError(
    'OUT_OF_BOUNDS',
    { field: [argument], message: errorMessage },
    {
      cycleIndex,
      date,
      earliest: formatInstant(floorToSecond(firstMs)),
    },
  );
}
