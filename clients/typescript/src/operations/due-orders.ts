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
  const findOrdersByAttempts = createOrderSearch(requester, environment);
  const findOrders = ({
    declined = false,
    lookBackDays = declined ? 28 : 3,
    ...options
  }: DueOrdersOptions = {}) => {
    const maxDays = declined ? 35 : 7;
    if (!(lookBackDays > 0 && lookBackDays <= maxDays))
      throw new RangeError(`lookBackDays: more than 0, and at most ${maxDays}.`);
    const listPages: (variables: { jobId: string }, options: OperationOptions) => CyclePages = declined
      ? listDeclined
      : listUntried;
    const attempts = declined ? 'HAS_ATTEMPT' : 'NO_ATTEMPT';
    const foundOrderKeys = new Set<string>();
    let remainingRanges: SearchRange[] | undefined;
    let cyclesOfRange: AsyncIterableIterator<FoundCycle> | undefined;
    return createIterator(async () => {
      remainingRanges ??= splitIntoRanges(environment.now(), lookBackDays);
      for (;;) {
        const [nextRange] = remainingRanges;
        if (!cyclesOfRange && nextRange) {
          cyclesOfRange = iterateItems(
            listPages({ jobId: await findOrdersByAttempts({ ...nextRange, attempts }, options) }, options),
          );
          remainingRanges.shift();
        }
        const { done, value } = (await cyclesOfRange?.next()) ?? { done: true, value: undefined };
        if (done && remainingRanges.length === 0) return undefined;
        if (done) cyclesOfRange = undefined;
        else if (isOrderChargeable(value) && addOrderIfNew(foundOrderKeys, value))
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
/**
 * Epoch milliseconds by this server's clock. If it is more than 24 hours fast, the platform rejects the search, so
 * orders of later days are not charged early.
 */
type SearchRange = { readonly fromMs: number; readonly toMs: number };

/** Splits the days into ranges that the platform searches, oldest first. */
function splitIntoRanges(nowMs: number, days: number): SearchRange[] {
  const startMs = nowMs - days * DAY_MS;
  const ranges: SearchRange[] = [];
  for (let toMs = nowMs; toMs > startMs; toMs -= MAX_RANGE_MS)
    ranges.unshift({ fromMs: Math.max(startMs, toMs - MAX_RANGE_MS), toMs });
  return ranges;
}

function toDueOrder(cycle: FoundCycle): DueOrder {
  const { sourceContract, cycleIndex, billingAttemptExpectedDate } = cycle;
  const order = { contractId: sourceContract.id, cycleIndex, date: billingAttemptExpectedDate };
  return 'billingAttempts' in cycle ? { ...order, ...toOrderAttempts(cycle) } : order;
}

/** Adds the order, unless it was found before: an order on the boundary of two ranges is found in both. */
function addOrderIfNew(foundOrderKeys: Set<string>, { sourceContract, cycleIndex }: FoundCycle): boolean {
  const { size } = foundOrderKeys;
  return foundOrderKeys.add(`${sourceContract.id} ${cycleIndex}`).size > size;
}

/** Whether the order still has to be charged: the results show orders as they are now, perhaps paid since the search. */
function isOrderChargeable(cycle: FoundCycle): boolean {
  const attempts = 'billingAttempts' in cycle ? cycle.billingAttempts.nodes : [];
  const isOrderPaid = attempts.some(
    ({ state }) => state.__typename === 'SubscriptionBillingAttemptSuccessState',
  );
  return !isOrderPaid && cycle.status !== 'BILLED' && !cycle.skipped && !isWithinPause(cycle);
}

/** Whether the order was due during a pause that has ended. As customers are informed, it is not charged later. */
function isWithinPause({ billingAttemptExpectedDate, sourceContract }: FoundCycle): boolean {
  const dueMs = Date.parse(billingAttemptExpectedDate);
  const createdTimesOf = ({ nodes }: typeof sourceContract.paused) =>
    nodes.map((event) => Date.parse(event.createdAt));
  const resumedTimes = createdTimesOf(sourceContract.resumed);
  return createdTimesOf(sourceContract.paused).some((pausedMs) => {
    const resumedAtMs = resumedTimes.find((resumedMs) => resumedMs >= pausedMs);
    return resumedAtMs !== undefined && pausedMs <= dueMs && dueMs < resumedAtMs;
  });
}

type OrderSearch = SearchRange & { readonly attempts: 'HAS_ATTEMPT' | 'NO_ATTEMPT' };

/** Creates the function that starts the platform's search, waits for it, and returns its id. */
function createOrderSearch(requester: Requester, { now, setTimer }: Environment) {
  const { due: startSearch } = createChangeOperations(requester, { due: documents.FindDueOrdersDocument });
  const readJob = createQueryOperation(requester, documents.SearchJobDocument);
  const formatInstant = (ms: number) => new Date(ms).toISOString();
  return async ({ attempts, fromMs, toMs }: OrderSearch, options: OperationOptions): Promise<string> => {
    const startedAtMs = now();
    let { job } = await startSearch(
      { attempts, from: formatInstant(fromMs), to: formatInstant(toMs) },
      options,
    );
    for (
      let waitMs = FIRST_SEARCH_POLL_WAIT_MS;
      job && !job.done;
      waitMs = Math.min(2 * waitMs, MAX_SEARCH_POLL_WAIT_MS)
    ) {
      if (now() - startedAtMs > MAX_SEARCH_MS) break;
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
