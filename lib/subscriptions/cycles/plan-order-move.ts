/**
 * Plans how the next order moves to a requested date: the cycle that contains the date gets it, and earlier orders are
 * skipped. Setting the platform's `nextBillingDate` alone moves no cycle, so the service also edits the schedule.
 */

import { formatInstant, formatPlatformDate, type Instant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import { toBoundsDetails } from '../find-date-error.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { RootFieldReads } from '../read-contract-state.ts';
import type { DateBounds } from '../requested-date.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import {
  type BillingCycle,
  CYCLE_SELECTION,
  isDateInCycle,
  orderDueAtMs,
  orderErrorDetails,
} from './billing-cycle.ts';
import type { ScheduleEdit } from './plan-restored-edits.ts';

const DAY_MS = 86_400_000;
/** How far ahead cycles are read. A client may set dates up to a year ahead. */
export const MAX_CYCLE_READ_AHEAD_MS = 367 * DAY_MS;
/** How many earlier orders a move can skip: more than the orders of a weekly contract in a year. */
export const MAX_SKIPPED_EARLIER_ORDERS = 60;

/**
 * How old an unpaid order can be that a merchant still charges: merchants' jobs retry declined orders for that long
 * (docs/merchant-servers.md).
 */
export const MAX_OVERDUE_MS = 35 * DAY_MS;
/**
 * The maximum number of cycles that are read to find unpaid orders: those of a daily contract within
 * `MAX_OVERDUE_MS`, and the current one.
 */
const MAX_OVERDUE_ORDERS = 36;

type CyclesPage<Cycle = BillingCycle> = { readonly nodes: readonly Cycle[] } | null;
type ChargedCycle = BillingCycle & {
  readonly billingAttempts: { readonly nodes: readonly { readonly completedAt: string | null }[] };
};

/** The cycles that `buildOrderDateReads` selects. Null when the contract has no cycles. */
export type CyclesForOrderDate = {
  readonly _svcUpToDate: CyclesPage;
  readonly _svcOverdue: CyclesPage<ChargedCycle>;
};

export type OrderMove = {
  /** The cycle that contains the date, as it was before the move. */
  readonly cycleOfDate: BillingCycle;
  /** The schedule edits that make the move. Empty when nothing has to change. */
  readonly edits: readonly ScheduleEdit[];
};

/**
 * Builds root fields that read two lists of cycles: those from now to the date, as many as a move can edit, and those
 * before now, whose orders may be unpaid. Both include the cycle that contains now.
 */
export function buildOrderDateReads(dateMs: number, nowMs: number): RootFieldReads {
  // The platform cannot parse the year 10000, so the end is limited. A past or distant date is refused after the read.
  const endMs = Math.min(Math.max(dateMs, nowMs), nowMs + MAX_CYCLE_READ_AHEAD_MS);
  const dateRange = { startDate: formatPlatformDate(nowMs), endDate: formatPlatformDate(endMs) };
  const overdueDateRange = {
    startDate: formatPlatformDate(nowMs - MAX_OVERDUE_MS),
    endDate: formatPlatformDate(nowMs),
  };
  const cyclesField =
    'subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector:';
  return {
    rootFields: `_svcUpToDate: ${cyclesField} $_svcDates, first: ${MAX_SKIPPED_EARLIER_ORDERS + 1}) { nodes { ${CYCLE_SELECTION} } }
      _svcOverdue: ${cyclesField} $_svcBefore, last: ${MAX_OVERDUE_ORDERS}) {
        nodes { ${CYCLE_SELECTION} billingAttempts(last: 1) { nodes { completedAt } } } }`,
    declarations: ['$_svcDates', '$_svcBefore'].map(
      (name) => `${name}: SubscriptionBillingCyclesDateRangeSelector!`,
    ),
    variables: { _svcDates: dateRange, _svcBefore: overdueDateRange },
  };
}

/**
 * Plans the move.
 * @param upcomingCycles the cycles from now to the date or beyond it
 * @param overdueCycles the cycles of unpaid earlier orders, which are skipped too
 * @returns undefined when no order can be on that date: the order of its cycle is paid, no cycle contains it, or too many
 * orders precede it
 */
export function planOrderMove(
  dateMs: Instant,
  upcomingCycles: readonly BillingCycle[],
  overdueCycles: readonly BillingCycle[] = [],
): OrderMove | undefined {
  const cycles = upcomingCycles.slice(0, MAX_SKIPPED_EARLIER_ORDERS + 1);
  const cycleOfDate = cycles.find((one) => isDateInCycle(one, dateMs));
  if (cycleOfDate === undefined || cycleOfDate.status === 'BILLED') return undefined;
  const { cycleIndex, skipped } = cycleOfDate;
  const cyclesBefore = cycles.filter(
    (one) => one.cycleIndex < cycleIndex && one.status !== 'BILLED' && !one.skipped,
  );
  const isMoveNeeded = skipped || orderDueAtMs(cycleOfDate) !== dateMs;
  const billingDate = formatInstant(dateMs);
  return {
    cycleOfDate,
    edits: [
      ...[...overdueCycles, ...cyclesBefore].map((one) => ({ cycleIndex: one.cycleIndex, skip: true })),
      ...(isMoveNeeded ? [{ cycleIndex, ...(skipped && { skip: false }), billingDate }] : []),
    ],
  };
}

/** Returns the cycles from now to the date. */
export function listCyclesUntilDate({ _svcUpToDate: page }: CyclesForOrderDate): readonly BillingCycle[] {
  return page?.nodes ?? [];
}

/**
 * Returns unpaid orders whose date has passed. Excludes an order whose payment is in progress: the platform refuses to
 * edit it, and the payment may succeed.
 */
export function listUnpaidOverdueOrders({
  _svcOverdue: overduePage,
  _svcUpToDate: cyclesUpToDate,
}: CyclesForOrderDate): BillingCycle[] {
  // The cycle that contains now is in both lists, so it is left out here.
  const currentIndex = cyclesUpToDate?.nodes[0]?.cycleIndex ?? Infinity;
  return (overduePage?.nodes ?? []).filter(
    ({ cycleIndex, status, skipped, billingAttempts }) =>
      cycleIndex < currentIndex &&
      status !== 'BILLED' &&
      !skipped &&
      billingAttempts.nodes.every(({ completedAt }) => completedAt !== null),
  );
}

/**
 * Returns the error for a move that would edit an order whose payment is in progress, which the platform refuses. A payment
 * begins at most a day before its order is due, so the order is that of the current cycle.
 */
export function findPaymentInProgressError(
  { _svcOverdue: cyclesUntilNow }: CyclesForOrderDate,
  { edits }: OrderMove,
): OperationError | undefined {
  const cycle = cyclesUntilNow?.nodes.find(
    ({ cycleIndex, billingAttempts }) =>
      edits.some((edit) => edit.cycleIndex === cycleIndex) &&
      billingAttempts.nodes.some(({ completedAt }) => completedAt === null),
  );
  if (cycle === undefined) return undefined;
  const fieldAndMessage = { field: ['nextBillingDate'], message: message('orderBeingBilled') };
  return createUserError('INCOMPLETE_BILLING_ATTEMPTS', fieldAndMessage, orderErrorDetails(cycle));
}

/**
 * Whether certainly no order can be on the date after the contract gets the new frequency. Before the change only two
 * reasons can be known: the date is in a paid cycle, or too many orders precede it.
 */
export function isDateUnreachable(
  dateMs: Instant,
  { cycles, frequency, nowMs }: { cycles: readonly BillingCycle[]; frequency: Frequency; nowMs: number },
): boolean {
  const isDatePaidFor = cycles.some((cycle) => cycle.status === 'BILLED' && isDateInCycle(cycle, dateMs));
  return isDatePaidFor || dateMs - nowMs > maxOrderDistanceMs(frequency);
}

/**
 * Returns how far ahead a move can reach at the frequency, in milliseconds. Only daily orders limit it: at other
 * frequencies, a year has fewer orders than a move can skip.
 */
export function maxOrderDistanceMs({ interval, intervalCount }: Frequency): number {
  return interval === 'DAY' ? MAX_SKIPPED_EARLIER_ORDERS * intervalCount * DAY_MS : Number.POSITIVE_INFINITY;
}

/** Returns the user error OUT_OF_BOUNDS for the client's argument `nextBillingDate`. `bounds`: the possible dates, if known. */
export function noOrderOnDateError(dateMs: Instant, bounds?: DateBounds): OperationError {
  const fieldAndMessage = { field: ['nextBillingDate'], message: message('noOrderOnDate') };
  return createUserError('OUT_OF_BOUNDS', fieldAndMessage, {
    date: formatInstant(dateMs),
    ...(bounds && toBoundsDetails(bounds)),
  });
}

/**
 * Returns the facts that the move changes: first the date of the order, then each order that is skipped or restored.
 */
export function listMoveFacts({ cycleOfDate, edits }: OrderMove, dateMs: Instant): FactChange[] {
  const { cycleIndex, billingAttemptExpectedDate: dateBefore } = cycleOfDate;
  const skipFacts = edits.flatMap(({ cycleIndex: index, skip }) =>
    skip === undefined
      ? []
      : [createFact(`billingCycles.${index}.skipped`, { before: String(!skip), after: String(skip) })],
  );
  const isOrderOnDate = orderDueAtMs(cycleOfDate) === dateMs;
  // Record the date of a restored order even if it stays: the platform may have dropped it when the order was
  // skipped.
  if (isOrderOnDate && !cycleOfDate.skipped) return skipFacts;
  return [
    createFact(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, {
      before: dateBefore,
      after: isOrderOnDate ? dateBefore : formatInstant(dateMs),
    }),
    ...skipFacts,
  ];
}
