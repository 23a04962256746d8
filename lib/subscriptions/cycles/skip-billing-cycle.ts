/** Skips one order of a contract, or restores it. */

import { awaitAll } from '../../domain/await-all.ts';
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
import {
  findCycleWithoutOrder,
  isRevertable,
  listCyclesWithoutOrder,
} from '../order-dates/postponed-orders.ts';
import type { CycleWithoutOrder, PostponementRecord } from '../order-dates/postponements.ts';
import {
  type BillingCycle,
  findUnexpectedDateError,
  orderDueAtMs,
  orderErrorDetails,
} from './billing-cycle.ts';
import { decideCycleChange, visibleOrderDate } from './change-cycle.ts';
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
  const isSkipRequested = skipArgument !== false;
  return decideCycleChange(deps, request, async (cycle, record) => ({
    refusal:
      findUnexpectedOrderError(deps, { cycle, record }, expectedDate) ??
      findPastOrderError(cycle, deps.now()) ??
      (isSkipRequested || !cycle.skipped
        ? undefined
        : await findPostponedOrderError(deps, request, { cycle, record })),
    input: { skip: isSkipRequested, ...(!isSkipRequested && postponedDateOfOrder(deps, cycle, record)) },
    isDone: ({ skipped }) => skipped === isSkipRequested,
    intent: {
      action: isSkipRequested ? 'billing_cycle_skipped' : 'billing_cycle_unskipped',
      details: {
        billingCycleIndex: Number(billingCycleIndex),
        expectedDate: visibleOrderDate(deps, cycle, record),
        ...(!isSkipRequested && postponedDateOfOrder(deps, cycle, record)),
      },
      changes: [
        createFact(`billingCycles.${cycle.cycleIndex}.skipped`, {
          before: String(!isSkipRequested),
          after: String(isSkipRequested),
        }),
        ...(isSkipRequested
          ? []
          : [orderDateFact(cycle, postponedDateOfOrder(deps, cycle, record)?.billingDate)]),
      ],
    },
    toOwnError: (error) => fromPlatformUserError(error, orderErrorDetails(cycle)),
  }));
};

/**
 * Returns the date that a restored order has. It is named even if it is the skipped order's: the platform may have dropped
 * the date that the order had before the skip, and then the recorded date changes.
 */
function orderDateFact(
  { cycleIndex, billingAttemptExpectedDate: before }: BillingCycle,
  billingDate: string | undefined,
): FactChange {
  const isDateChanged = billingDate !== undefined && parseInstant(billingDate) !== parseInstant(before);
  const dateAfter = isDateChanged ? billingDate : before;
  return createFact(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, { before, after: dateAfter });
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

/** Clients name an order by the date that is shown, or by the platform's. */
function findUnexpectedOrderError(
  deps: OperationDeps,
  { cycle, record }: OrderToSkip,
  expectedDate: unknown,
): OperationError | undefined {
  const { cycleIndex } = cycle;
  const billingAttemptExpectedDate = visibleOrderDate(deps, cycle, record);
  return (
    findUnexpectedDateError(cycle, expectedDate) &&
    findUnexpectedDateError({ cycleIndex, billingAttemptExpectedDate }, expectedDate)
  );
}

type OrderToSkip = { readonly cycle: BillingCycle; readonly record: PostponementRecord | undefined };

/**
 * An order that a postponement skipped comes with the next cycle, and an order that was sent now in an earlier one: both
 * would be one too many. Each can be restored in place of the other one if that is skipped. Sends a platform request for
 * the other order.
 */
async function findPostponedOrderError(
  deps: OperationDeps,
  { args }: OperationRequest,
  { cycle, record }: OrderToSkip,
): Promise<OperationError | undefined> {
  if (record === undefined) return undefined;
  const { cycleIndex } = cycle;
  const { latest } = record;
  const cycleWithoutOrder = findCycleWithoutOrder(record, cycleIndex);
  const otherCycleIndexes = [
    ...(cycleWithoutOrder === undefined ? [] : [findCycleInItsPlace(record, cycleWithoutOrder)]),
    ...listCyclesWithoutOrder(record)
      .filter((one) => findCycleInItsPlace(record, one) === cycleIndex)
      .map((one) => one.cycleIndex),
  ];
  const areOtherOrdersSkipped = await awaitAll(
    otherCycleIndexes.map(async (otherCycleIndex) => {
      if (otherCycleIndex === undefined) return false;
      const otherReading = await readCycle(deps, {
        contractId: String(args.contractId),
        billingCycleIndex: otherCycleIndex,
      });
      return otherReading.cycle?.skipped === true;
    }),
  );
  if (areOtherOrdersSkipped.every(Boolean)) return undefined;
  const isLatest = latest?.skippedCycle === cycleIndex && isRevertable(latest, deps.now());
  const revertableUntil = isLatest ? formatInstant(floorToSecond(latest.revertableUntilMs)) : undefined;
  const text = isLatest ? message('orderIsPostponed') : message('orderComesOnOtherDay');
  const fault = { field: ['billingCycleIndex'], message: text };
  return createUserError('ORDER_IS_POSTPONED', fault, { ...orderErrorDetails(cycle), revertableUntil });
}

/**
 * Returns the index of the cycle in which the order of an empty cycle comes.
 * @returns undefined when the order was postponed further since
 */
function findCycleInItsPlace(
  record: PostponementRecord,
  cycleWithoutOrder: CycleWithoutOrder,
): number | undefined {
  if (cycleWithoutOrder.sentIn !== undefined) return cycleWithoutOrder.sentIn;
  const nextCycleIndex = cycleWithoutOrder.cycleIndex + 1;
  const nextCycleWithoutOrder = findCycleWithoutOrder(record, nextCycleIndex);
  const isPostponedFurther =
    nextCycleWithoutOrder !== undefined && nextCycleWithoutOrder.sentIn === undefined;
  return !isPostponedFurther && (record.dates?.laid.fromCycle ?? nextCycleIndex) === nextCycleIndex
    ? nextCycleIndex
    : undefined;
}

function findPastOrderError(cycle: BillingCycle, nowMs: number): OperationError | undefined {
  if (orderDueAtMs(cycle) >= nowMs) return undefined;
  const fault = { field: ['billingCycleIndex'], message: message('orderDatePassed') };
  return createUserError('DATE_IN_PAST', fault, orderErrorDetails(cycle));
}
