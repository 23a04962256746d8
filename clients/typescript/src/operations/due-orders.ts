/**
 * The orders that a nightly job charges: due, not paid, not skipped, and not due during a pause, even one that has ended;
 * those never tried or, with `declined`, those tried and not paid, also while an attempt is open.
 */
import type { Environment } from '../device/environment.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type OrderAttempts, toOrderAttempts } from './declined-orders.ts';
import * as documents from './generated/store-operations.ts';
import {
  createChangeOperations,
  createQueryOperation,
  type OperationOptions,
  type Requester,
} from './operation.ts';
import { createIterator, createListOperation, iterateItems } from './pages.ts';

/** The arguments of `orders.charge`, and the order's date. */
export type DueOrder = {
  /** The subscription's global id. */
  readonly contractId: string;
  /** The index of the billing cycle, starting at 1. */
  readonly cycleIndex: number;
  /** The instant at which the order is due, in ISO 8601. */
  readonly date: string;
};
/** An order with an attempt, declined or still open, and without a payment. */
export type DeclinedOrder = DueOrder & OrderAttempts;

/** The options of `orders.due`. */
export type DueOrdersOptions = OperationOptions & {
  /** Finds the orders that were tried and are not paid, instead of those that were never tried. */
  readonly declined?: boolean;
  /**
   * The days to search backwards: more than 0, else RangeError. At most 7, and 3 if absent; for declined orders at most
   * 35, and 28 if absent.
   */
  readonly lookBackDays?: number;
};

/** Finds the due orders, one after the other. */
export type FindDueOrders = {
  (
    options: DueOrdersOptions & {
      /** Finds the orders that were tried and are not paid. */
      readonly declined: true;
    },
  ): AsyncIterableIterator<DeclinedOrder>;
  (options?: DueOrdersOptions): AsyncIterableIterator<DueOrder>;
};

/** The platform's limit for a search range (INVALID_DATE_RANGE). */
const MAX_RANGE_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
const FIRST_SEARCH_POLL_WAIT_MS = 500;
const MAX_SEARCH_POLL_WAIT_MS = 5_000;
/** The platform's search takes seconds. */
const MAX_SEARCH_MS = 600_000;

export function dueOrders(requester: Requester, environment: Environment): FindDueOrders {
  const listUntried = createListOperation(requester, documents.DueOrdersDocument).pages;
  const listDeclined = createListOperation(requester, documents.DeclinedOrdersDocument).pages;
  const searchDeclined = searchOrders(requester, environment);
  const findOrders = ({
    declined = false,
    lookBackDays = declined ? 28 : 3,
    ...options
  }: DueOrdersOptions = {}) => {
    const maxDays = declined ? 35 : 7;
    if (!(lookBackDays > 0 && lookBackDays <= maxDays))
      throw new RangeError(`lookBackDays: more than 0, and at most ${maxDays}.`);
    const pages: (variables: { jobId: string }, options: OperationOptions) => CyclePages = declined
      ? listDeclined
      : listUntried;
    const attempts = declined ? 'HAS_ATTEMPT' : 'NO_ATTEMPT';
    const foundKeys = new Set<string>();
    let weeks: SearchRange[] | undefined;
    let cycles: AsyncIterableIterator<FoundCycle> | undefined;
    return createIterator(async () => {
      weeks ??= splitIntoRanges(environment.now(), lookBackDays);
      for (;;) {
        const [week] = weeks;
        if (!cycles && week) {
          cycles = iterateItems(
            pages({ jobId: await searchDeclined({ ...week, attempts }, options) }, options),
          );
          weeks.shift();
        }
        const { done, value } = (await cycles?.next()) ?? { done: true, value: undefined };
        if (done && weeks.length === 0) return undefined;
        if (done) cycles = undefined;
        else if (isOrderChargeable(value) && addOrderIfNew(foundKeys, value))
          return { value: toDueOrder(value) };
      }
    });
  };
  return findOrders as FindDueOrders;
}

type FoundCycle =
  | documents.DueCycle
  | documents.DeclinedOrdersResult['subscriptionBillingCycleBulkResults']['nodes'][number];
type CyclePages = AsyncIterableIterator<{ readonly nodes: readonly FoundCycle[] }>;
/** Epoch milliseconds. The platform rejects an end more than 24 hours ahead, so a fast clock does no harm. */
type SearchRange = { readonly fromMs: number; readonly toMs: number };

/** Splits the days into ranges that the platform searches, oldest first. */
function splitIntoRanges(nowMs: number, days: number): SearchRange[] {
  const startMs = nowMs - days * DAY_MS;
  const weeks: SearchRange[] = [];
  for (let toMs = nowMs; toMs > startMs; toMs -= MAX_RANGE_MS)
    weeks.unshift({ fromMs: Math.max(startMs, toMs - MAX_RANGE_MS), toMs });
  return weeks;
}

function toDueOrder(cycle: FoundCycle): DueOrder {
  const { sourceContract, cycleIndex, billingAttemptExpectedDate } = cycle;
  const order = { contractId: sourceContract.id, cycleIndex, date: billingAttemptExpectedDate };
  return 'billingAttempts' in cycle ? { ...order, ...toOrderAttempts(cycle) } : order;
}

/** An order on the boundary of two ranges is found in both. */
function addOrderIfNew(found: Set<string>, { sourceContract, cycleIndex }: FoundCycle): boolean {
  const { size } = found;
  return found.add(`${sourceContract.id} ${cycleIndex}`).size > size;
}

/** The results contain current orders, which may have been paid since the search. */
function isOrderChargeable(cycle: FoundCycle): boolean {
  const attempts = 'billingAttempts' in cycle ? cycle.billingAttempts.nodes : [];
  const isOrderPaid = attempts.some(
    ({ state }) => state.__typename === 'SubscriptionBillingAttemptSuccessState',
  );
  return !isOrderPaid && cycle.status !== 'BILLED' && !cycle.skipped && !isWithinPause(cycle);
}

/** Whether the order fell into a pause: such orders are not made up for, as customers are informed. */
function isWithinPause({ billingAttemptExpectedDate, sourceContract }: FoundCycle): boolean {
  const dueMs = Date.parse(billingAttemptExpectedDate);
  const createdTimesOf = ({ nodes }: typeof sourceContract.paused) =>
    nodes.map((one) => Date.parse(one.createdAt));
  const resumedTimes = createdTimesOf(sourceContract.resumed);
  return createdTimesOf(sourceContract.paused).some((pausedMs) => {
    const end = resumedTimes.find((resumedMs) => resumedMs >= pausedMs);
    return end !== undefined && pausedMs <= dueMs && dueMs < end;
  });
}

type OrderSearch = SearchRange & { readonly attempts: 'HAS_ATTEMPT' | 'NO_ATTEMPT' };

/** Starts the platform's search and waits for it. Returns the search's id. */
function searchOrders(requester: Requester, { now, setTimer }: Environment) {
  const { due: startSearch } = createChangeOperations(requester, { due: documents.FindDueOrdersDocument });
  const readJob = createQueryOperation(requester, documents.SearchJobDocument);
  const formatInstant = (ms: number) => new Date(ms).toISOString();
  return async ({ attempts, fromMs, toMs }: OrderSearch, options: OperationOptions): Promise<string> => {
    const startMs = now();
    let { job } = await startSearch(
      { attempts, from: formatInstant(fromMs), to: formatInstant(toMs) },
      options,
    );
    for (
      let waitMs = FIRST_SEARCH_POLL_WAIT_MS;
      job && !job.done;
      waitMs = Math.min(2 * waitMs, MAX_SEARCH_POLL_WAIT_MS)
    ) {
      if (now() - startMs > MAX_SEARCH_MS) break;
      await new Promise<void>((resolve) => void setTimer(resolve, waitMs));
      job = await readJob({ id: job.id }, options);
    }
    if (!job?.done)
      throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
        message: 'The search for due orders did not end.',
      });
    return job.id;
  };
}
