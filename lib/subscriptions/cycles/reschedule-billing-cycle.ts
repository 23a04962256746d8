/** Moves one order to another day of its own cycle. */
import { instantText, parseInstant } from '../../domain/instant.ts';
import { longDayIn } from '../../domain/time-zone.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { cycleDateFact } from '../../timeline/changed-fact.ts';
import type { Operation, OperationDeps } from '../operation.ts';
import type { OperationError } from '../operation-error.ts';
import { refuseDate } from '../refuse-date.ts';
import { type BillingCycle, dueMs } from './billing-cycle.ts';
import { changeCycle } from './change-cycle.ts';

/**
 * The moved cycle and its contract, or userErrors: those of `changeCycle`, DATE_IN_PAST, DATE_TOO_FAR,
 * BILLING_DATE_SET_ON_SKIPPED, OUT_OF_BOUNDS, INCOMPLETE_BILLING_ATTEMPTS, INVALID. Two platform requests.
 */
export const rescheduleBillingCycle: Operation = (deps, request) => {
  const dateMs = parseInstant(request.args.billingDate);
  if (dateMs === undefined) throw new Error('the schema takes no such date');
  const billingDate = instantText(dateMs);
  return changeCycle(deps, request, {
    refuse: (cycle) => refuse(cycle, dateMs, deps.now()),
    input: { billingDate },
    isDone: (cycle) => !cycle.skipped && dueMs(cycle) === dateMs,
    intent: ({ cycleIndex, billingAttemptExpectedDate: before }) => ({
      action: 'billing_cycle_rescheduled',
      details: { billingCycleIndex: cycleIndex, expectedDate: before, billingDate },
      changes: [cycleDateFact(cycleIndex, { before, after: billingDate })],
    }),
    toOwnError: (error, cycle) => toOwnError(error, boundsText(deps, cycle)),
  });
};

function refuse({ skipped }: BillingCycle, dateMs: number, nowMs: number): OperationError | undefined {
  if (skipped) {
    const message = 'The order is skipped: take that back before moving it.';
    return { field: ['billingCycleIndex'], message, code: 'BILLING_DATE_SET_ON_SKIPPED' };
  }
  return refuseDate('billingDate', dateMs, nowMs);
}

/** Codes of schedule edits that mean something else here, or that only a mistake of ours can bring. */
const OWN_CODES: Readonly<Record<string, string>> = {
  BILLING_DATE_SET_ON_SKIPPED: 'BILLING_DATE_SET_ON_SKIPPED',
  CYCLE_INDEX_OUT_OF_RANGE: 'CYCLE_NOT_FOUND',
  CYCLE_NOT_FOUND: 'CYCLE_NOT_FOUND',
  INCOMPLETE_BILLING_ATTEMPTS: 'INCOMPLETE_BILLING_ATTEMPTS',
  INVALID_CYCLE_INDEX: 'CYCLE_NOT_FOUND',
  OUT_OF_BOUNDS: 'OUT_OF_BOUNDS',
  UPCOMING_CYCLE_LIMIT_EXCEEDED: 'CYCLE_NOT_FOUND',
};

/** The bounds in words for people: days of the store's zone, today at the earliest. */
function boundsText({ store, now }: OperationDeps, { cycleStartAt, cycleEndAt }: BillingCycle): string {
  const [firstMs, lastMs] = [Math.max(Date.parse(cycleStartAt), now()), Date.parse(cycleEndAt)];
  if (lastMs <= now()) return 'The time of this order is over: it cannot be moved any more.';
  const [first, last] = [firstMs, lastMs].map((ms) => longDayIn(timeZoneOf(store), ms));
  return `The order can be moved to a day from ${first} to ${last}, within its own billing cycle.`;
}

function toOwnError({ field, message, code }: OperationError, bounds: string): OperationError {
  return {
    field,
    message: code === 'OUT_OF_BOUNDS' ? bounds : message,
    code: OWN_CODES[code] ?? 'INVALID',
  };
}
