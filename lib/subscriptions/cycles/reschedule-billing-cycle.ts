/** Moves one order to another day of its cycle. */

import { floorToSecond, formatInstant, type Instant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { createFact } from '../../timeline/facts.ts';
import { findDateError, toBoundsDetails } from '../find-date-error.ts';
import type { Operation, OperationDeps } from '../operation.ts';
import { createUserError, type OperationError, type PlatformUserError } from '../operation-error.ts';
import type { ClaimDeps } from '../order-dates/claim-orders.ts';
import { individualOrderDateMs, isOnSameDay, regularOrderDateMs } from '../order-dates/order-dates.ts';
import type { PostponedDates } from '../order-dates/postponements.ts';
import {
  isUpcomingOnDay,
  parseRequestedDate,
  type RequestedDate,
  resolveRequestedInstant,
} from '../requested-date.ts';
import { type BillingCycle, cycleDateBounds, orderDueAtMs, orderErrorDetails } from './billing-cycle.ts';
import { cycleNotFoundError, decideCycleChange, visibleOrderDate } from './change-cycle.ts';
import { type BillingStartDeps, findBillingStartError } from './requested-order.ts';

/**
 * Returns the moved cycle and its contract, or userErrors: those of `decideCycleChange`, DATE_IN_PAST, DATE_TOO_FAR,
 * BILLING_DATE_SET_ON_SKIPPED, OUT_OF_BOUNDS, INCOMPLETE_BILLING_ATTEMPTS and INVALID. Sends two platform requests.
 */
export const rescheduleBillingCycle: Operation<ClaimDeps & BillingStartDeps> = (deps, request) => {
  const requestedDate = parseRequestedDate(request.args.billingDate);
  if (requestedDate === undefined) throw new Error('the schema takes no such date');
  return decideCycleChange(deps, request, async (cycle, postponementRecord) => {
    const timeZone = timeZoneOf(deps.store);
    const requestedMs = resolveRequestedDate(deps, requestedDate, cycle);
    const dateMs = individualDateOf(cycle, requestedMs, { dates: postponementRecord?.dates, timeZone });
    const requestedMove = { nowMs: deps.now(), cycle, dateMs, timeZone };
    const { cycleIndex, billingAttemptExpectedDate: dateBefore } = cycle;
    const billingDate = formatInstant(requestedMove.dateMs);
    const expectedDate = visibleOrderDate(deps, cycle, postponementRecord);
    return {
      refusal:
        findMoveError(requestedMove) ??
        (await findBillingStartError(deps, cycle, { argument: 'billingDate', dateMs })),
      input: { billingDate },
      showsEdit: (currentCycle) =>
        !currentCycle.skipped && orderDueAtMs(currentCycle) === requestedMove.dateMs,
      intent: {
        action: 'billing_cycle_rescheduled',
        details: { billingCycleIndex: cycleIndex, expectedDate, billingDate },
        changes: [
          createFact(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, {
            before: dateBefore,
            after: billingDate,
          }),
        ],
      },
      toServiceError: (error) => toServiceMoveError(error, requestedMove),
    };
  });
};

/**
 * Returns the instant to which the order is moved. A requested instant is used as it is. On a requested day the order
 * comes at the time of day of the cycle's end, within the bounds; an order that is already due on that day keeps its
 * time.
 */
function resolveRequestedDate(
  { store, now }: OperationDeps,
  date: RequestedDate,
  cycle: BillingCycle,
): Instant {
  const [timeZone, nowMs] = [timeZoneOf(store), now()];
  if (isUpcomingOnDay(date, { timeZone, nowMs }, orderDueAtMs(cycle)))
    return floorToSecond(orderDueAtMs(cycle));
  return resolveRequestedInstant(date, {
    timeZone,
    orderInstantMs: Date.parse(cycle.cycleEndAt),
    bounds: cycleDateBounds(cycle, nowMs),
  });
}

type DatesOfOrders = { readonly dates: PostponedDates | undefined; readonly timeZone: TimeZone };

/** Returns the date at which the order of a postponed contract counts as moved, also after those that have their dates. */
function individualDateOf(cycle: BillingCycle, dateMs: Instant, { dates, timeZone }: DatesOfOrders): Instant {
  if (dates === undefined) return dateMs;
  const assignedDates = { ...dates.laid, laidThrough: Number.POSITIVE_INFINITY };
  const regularMs = regularOrderDateMs(cycle, assignedDates, timeZone);
  return floorToSecond(individualOrderDateMs(cycle, dateMs, regularMs));
}

type RequestedMove = {
  readonly nowMs: number;
  readonly cycle: BillingCycle;
  readonly dateMs: Instant;
  readonly timeZone: TimeZone;
};

function findMoveError({ nowMs, cycle, dateMs }: RequestedMove): OperationError | undefined {
  if (!cycle.skipped)
    return findDateError('billingDate', dateMs, { nowMs, bounds: cycleDateBounds(cycle, nowMs) });
  return createSkippedOrderError(cycle);
}

function createSkippedOrderError(cycle: BillingCycle): OperationError {
  const fieldAndMessage = { field: ['billingCycleIndex'], message: message('orderSkippedBeforeMove') };
  return createUserError('BILLING_DATE_SET_ON_SKIPPED', fieldAndMessage, orderErrorDetails(cycle));
}

/**
 * Converts a user error of the platform to the service's code. The platform uses some codes in another sense for this
 * mutation, and other codes occur only if the service sends a wrong request.
 */
function toServiceMoveError({ code, ...fault }: PlatformUserError, move: RequestedMove): OperationError {
  const { cycle } = move;
  switch (code) {
    case 'OUT_OF_BOUNDS':
      return createOutOfBoundsError(fault.field, move);
    case 'BILLING_DATE_SET_ON_SKIPPED':
      return createSkippedOrderError(cycle);
    case 'INCOMPLETE_BILLING_ATTEMPTS':
      return createUserError(
        code,
        { field: ['billingCycleIndex'], message: message('orderBeingBilled') },
        orderErrorDetails(cycle),
      );
    case 'CYCLE_INDEX_OUT_OF_RANGE':
    case 'CYCLE_NOT_FOUND':
    case 'INVALID_CYCLE_INDEX':
    case 'UPCOMING_CYCLE_LIMIT_EXCEEDED':
      return cycleNotFoundError(cycle.cycleIndex);
    default:
      return createUserError('INVALID', fault);
  }
}

/**
 * Returns OUT_OF_BOUNDS with the days to which the order can move, in the store's time zone. The earliest possible
 * day is today.
 */
function createOutOfBoundsError(
  field: PlatformUserError['field'],
  { nowMs, cycle, dateMs, timeZone }: RequestedMove,
): OperationError {
  const orderDetails = { cycleIndex: cycle.cycleIndex, date: formatInstant(dateMs) };
  const dateBounds = cycleDateBounds(cycle, nowMs);
  if (dateBounds.firstMs > dateBounds.lastMs) {
    const fieldAndMessage = { field, message: message('orderTimeOver') };
    return createUserError('OUT_OF_BOUNDS', fieldAndMessage, orderDetails);
  }
  const { firstMs: first, lastMs: last } = dateBounds;
  const boundsMessage = isOnSameDay(timeZone, first, last)
    ? message('orderMovableToOneDay', { day: first })
    : message('orderMovableWithin', { first, last });
  return createUserError(
    'OUT_OF_BOUNDS',
    { field, message: boundsMessage },
    { ...orderDetails, ...toBoundsDetails(dateBounds) },
  );
}
