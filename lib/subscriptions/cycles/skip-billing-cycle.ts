/** Skips one order of a contract, or restores it. */

import { awaitAll } from '../../domain/await-all.ts';
import { floorToSecond, formatInstant, parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type { Operation, OperationDeps } from '../operation.ts';
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
  return decideCycleChange(deps, request, async (cycle, postponementRecord) => ({
    refusal:
      findUnexpectedOrderError(deps, { cycle, record: postponementRecord }, expectedDate) ??
      findPastOrderError(cycle, deps.now()) ??
      (isSkipRequested || !cycle.skipped
        ? undefined
        : await findPostponedOrderError(
            deps,
            { contractId: String(request.args.contractId), argument: 'billingCycleIndex' },
            { cycle, record: postponementRecord },
          )),
    input: {
      skip: isSkipRequested,
      ...(!isSkipRequested && postponedDateOfOrder(deps, cycle, postponementRecord)),
    },
    showsEdit: ({ skipped }) => skipped === isSkipRequested,
    intent: {
      action: isSkipRequested ? 'billing_cycle_skipped' : 'billing_cycle_unskipped',
      details: {
        billingCycleIndex: Number(billingCycleIndex),
        expectedDate: visibleOrderDate(deps, cycle, postponementRecord),
        ...(!isSkipRequested && postponedDateOfOrder(deps, cycle, postponementRecord)),
      },
      changes: [
        createFact(`billingCycles.${cycle.cycleIndex}.skipped`, {
          before: String(!isSkipRequested),
          after: String(isSkipRequested),
        }),
        ...(isSkipRequested
          ? []
          : [orderDateFact(cycle, postponedDateOfOrder(deps, cycle, postponementRecord)?.billingDate)]),
      ],
    },
    toServiceError: (error) => fromPlatformUserError(error, orderErrorDetails(cycle)),
  }));
};

/**
 * Returns the fact about the date of a restored order. It is recorded even if it is the date of the skipped order:
 * the platform may have dropped that date when the order was skipped, so a read may show another one.
 */
function orderDateFact(
  { cycleIndex, billingAttemptExpectedDate: dateBefore }: BillingCycle,
  billingDate: string | undefined,
): FactChange {
  const isDateChanged = billingDate !== undefined && parseInstant(billingDate) !== parseInstant(dateBefore);
  const dateAfter = isDateChanged ? billingDate : dateBefore;
  return createFact(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, {
    before: dateBefore,
    after: dateAfter,
  });
}

/**
 * Returns the date to set on a restored order if a postponement assigned one, because the platform may have dropped
 * it when the order was skipped.
 * @returns undefined when the order has no assigned date
 */
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

/**
 * Returns CYCLE_DATE_MISMATCH when `expectedDate` is neither the date that clients show for the order nor the
 * platform's date.
 */
function findUnexpectedOrderError(
  deps: OperationDeps,
  { cycle, record }: OrderToSkipOrRestore,
  expectedDate: unknown,
): OperationError | undefined {
  const { cycleIndex } = cycle;
  const billingAttemptExpectedDate = visibleOrderDate(deps, cycle, record);
  return (
    findUnexpectedDateError(cycle, expectedDate) &&
    findUnexpectedDateError({ cycleIndex, billingAttemptExpectedDate }, expectedDate)
  );
}

type OrderToSkipOrRestore = { readonly cycle: BillingCycle; readonly record: PostponementRecord | undefined };

/**
 * Returns ORDER_IS_POSTPONED when the order must not be restored because it already comes in another cycle: a
 * postponement moved it to the next cycle, or it was sent now in an earlier one. If the order in that other cycle is
 * skipped, this one can be restored instead. Sends a platform request for each such other order.
 */
export async function findPostponedOrderError(
  deps: OperationDeps,
  { contractId, argument }: { readonly contractId: string; readonly argument: string },
  { cycle, record }: OrderToSkipOrRestore,
): Promise<OperationError | undefined> {
  if (record === undefined) return undefined;
  const { cycleIndex } = cycle;
  const { latest } = record;
  const cycleWithoutOrder = findCycleWithoutOrder(record, cycleIndex);
  const otherCycleIndexes = [
    ...(cycleWithoutOrder === undefined ? [] : [findReplacingCycleIndex(record, cycleWithoutOrder)]),
    ...listCyclesWithoutOrder(record)
      .filter((one) => findReplacingCycleIndex(record, one) === cycleIndex)
      .map((one) => one.cycleIndex),
  ];
  const areOtherOrdersSkipped = await awaitAll(
    otherCycleIndexes.map(async (otherCycleIndex) => {
      if (otherCycleIndex === undefined) return false;
      const otherReading = await readCycle(deps, {
        contractId,
        billingCycleIndex: otherCycleIndex,
      });
      return otherReading.cycle?.skipped === true;
    }),
  );
  if (areOtherOrdersSkipped.every(Boolean)) return undefined;
  const isLatestPostponement = latest?.skippedCycle === cycleIndex && isRevertable(latest, deps.now());
  const revertableUntil = isLatestPostponement
    ? formatInstant(floorToSecond(latest.revertableUntilMs))
    : undefined;
  const errorMessage = isLatestPostponement ? message('orderIsPostponed') : message('orderComesOnOtherDay');
  const fault = { field: [argument], message: errorMessage };
  return createUserError('ORDER_IS_POSTPONED', fault, { ...orderErrorDetails(cycle), revertableUntil });
}

/**
 * Returns the index of the cycle in which the order of a cycle without an order comes.
 * @returns undefined when a later postponement has moved that order again
 */
function findReplacingCycleIndex(
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
