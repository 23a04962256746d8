/** Skips one order of a contract, or restores it. */

import { floorToSecond, formatInstant, parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type { Operation, OperationDeps, OperationRequest } from '../operation.ts';
import {
  createRefusedOutcome,
  createUserError,
  fromPlatformUserError,
  type OperationError,
} from '../operation-error.ts';
import type { ClaimDeps } from '../order-dates/claim-orders.ts';
import { regularOrderDateMs } from '../order-dates/order-dates.ts';
import { findCycleWithoutOrder, isRevertable } from '../order-dates/postponed-orders.ts';
import { orderDateOfCycle, type PostponementRecord } from '../order-dates/postponements.ts';
import {
  type BillingCycle,
  findUnexpectedDateError,
  orderDueAtMs,
  orderErrorDetails,
} from './billing-cycle.ts';
import { decideCycleChange } from './change-cycle.ts';
import { readCycle } from './read-cycle.ts';

/**
 * Returns the changed cycle, or userErrors: INVALID when `skip` is null, those of `decideCycleChange`, DATE_IN_PAST,
 * CYCLE_DATE_MISMATCH, ORDER_IS_POSTPONED, and the platform's codes for schedule edits. Sends two platform requests.
 */
export const skipBillingCycle: Operation<ClaimDeps> = async (deps, request) => {
  const { skip: skipArgument, expectedDate, billingCycleIndex } = request.args;
  // The schema's default (true) applies only when the argument is omitted, so an explicit null is an error.
  if (skipArgument === null) {
    return createRefusedOutcome([
      createUserError('INVALID', { field: ['skip'], message: message('orderSkipMissing') }),
    ]);
  }
  const skip = skipArgument !== false;
  return decideCycleChange(deps, request, async (cycle, record) => ({
    refusal:
      findUnexpectedDateError(withOrderDate(deps, cycle, { record, expectedDate }), expectedDate) ??
      findPastOrderError(cycle, deps.now()) ??
      (skip || !cycle.skipped ? undefined : await findPostponedOrderError(deps, request, { cycle, record })),
    input: { skip, ...(!skip && postponedDateOfOrder(deps, cycle, record)) },
    isDone: ({ skipped }) => skipped === skip,
    intent: {
      action: skip ? 'billing_cycle_skipped' : 'billing_cycle_unskipped',
      details: {
        billingCycleIndex: Number(billingCycleIndex),
        expectedDate: cycle.billingAttemptExpectedDate,
        ...(!skip && postponedDateOfOrder(deps, cycle, record)),
      },
      changes: [
        createFact(`billingCycles.${cycle.cycleIndex}.skipped`, {
          before: String(!skip),
          after: String(skip),
        }),
        ...(skip ? [] : listOrderDateFacts(cycle, postponedDateOfOrder(deps, cycle, record)?.billingDate)),
      ],
    },
    toOwnError: (error) => fromPlatformUserError(error, orderErrorDetails(cycle)),
  }));
};

function listOrderDateFacts(cycle: BillingCycle, billingDate: string | undefined): FactChange[] {
  const { cycleIndex, billingAttemptExpectedDate: before } = cycle;
  const isMoved = billingDate !== undefined && Date.parse(billingDate) !== orderDueAtMs(cycle);
  return isMoved
    ? [createFact(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, { before, after: billingDate })]
    : [];
}

/** The platform may drop the date of a skipped order, so a restored order gets its date again. */
function postponedDateOfOrder(
  { store }: OperationDeps,
  cycle: BillingCycle,
  record: PostponementRecord | undefined,
) {
  const assignedDates = record?.dates?.laid;
  if (assignedDates === undefined) return undefined;
  const dateMs = regularOrderDateMs(cycle, assignedDates, timeZoneOf(store));
  const hasAssignedDate = dateMs !== Date.parse(cycle.cycleEndAt);
  return hasAssignedDate ? { billingDate: formatInstant(floorToSecond(dateMs)) } : undefined;
}

/** Clients name a skipped order by the platform's date or by its `orderDate`. */
function withOrderDate(
  { store }: OperationDeps,
  cycle: BillingCycle,
  {
    record,
    expectedDate,
  }: { readonly record: PostponementRecord | undefined; readonly expectedDate: unknown },
): BillingCycle {
  const date = orderDateOfCycle(cycle, record?.dates, timeZoneOf(store));
  const isNamedByIt = date !== null && parseInstant(expectedDate) === Date.parse(date);
  return isNamedByIt ? { ...cycle, billingAttemptExpectedDate: date } : cycle;
}

type SkippedOrder = { readonly cycle: BillingCycle; readonly record: PostponementRecord | undefined };

/**
 * An order that a postponement skipped comes with the next cycle, and an order that was sent now in an earlier one: both
 * would be one too many. It can be restored in place of the other order if that one is skipped. Sends one platform request
 * for such an order.
 */
async function findPostponedOrderError(
  deps: OperationDeps,
  { args }: OperationRequest,
  { cycle, record }: SkippedOrder,
): Promise<OperationError | undefined> {
  const { dates, latest } = record ?? {};
  const cycleWithoutOrder = record && findCycleWithoutOrder(record, cycle.cycleIndex);
  if (record === undefined || cycleWithoutOrder === undefined) return undefined;
  // Only the order that was postponed last comes in the next cycle. Another one was postponed further since.
  const next = cycle.cycleIndex + 1;
  const nextCycleWithoutOrder = findCycleWithoutOrder(record, next);
  const isPostponedFurther =
    nextCycleWithoutOrder !== undefined && nextCycleWithoutOrder.sentIn === undefined;
  const isInNext = !isPostponedFurther && (dates?.laid.fromCycle ?? next) === next;
  const comesIn = cycleWithoutOrder.sentIn ?? (isInNext ? next : undefined);
  if (comesIn !== undefined) {
    const otherSelector = { contractId: String(args.contractId), billingCycleIndex: comesIn };
    if ((await readCycle(deps, otherSelector)).cycle?.skipped) return undefined;
  }
  const isLatest = latest?.skippedCycle === cycle.cycleIndex && isRevertable(latest, deps.now());
  const revertableUntil = isLatest ? formatInstant(floorToSecond(latest.revertableUntilMs)) : undefined;
  const text = isLatest ? message('orderIsPostponed') : message('orderComesOnOtherDay');
  const fault = { field: ['billingCycleIndex'], message: text };
  return createUserError('ORDER_IS_POSTPONED', fault, { ...orderErrorDetails(cycle), revertableUntil });
}

function findPastOrderError(cycle: BillingCycle, nowMs: number): OperationError | undefined {
  if (orderDueAtMs(cycle) >= nowMs) return undefined;
  const fault = { field: ['billingCycleIndex'], message: message('orderDatePassed') };
  return createUserError('DATE_IN_PAST', fault, orderErrorDetails(cycle));
}
