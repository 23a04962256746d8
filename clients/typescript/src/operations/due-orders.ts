/** The orders that a nightly job charges: due, not skipped, not of a pause, and never tried. */
import type { Environment } from '../device/environment.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import * as documents from './generated/store-operations.ts';
import { type Asker, change, type OperationOptions, query } from './operation.ts';
import { eachItem, iterator, list } from './pages.ts';

/** What `orders.charge` takes, and the date that the order was for. */
export type DueOrder = { readonly contractId: string; readonly cycleIndex: number; readonly date: string };
export type DueOrdersOptions = OperationOptions & {
  /** What a job missed is caught up for so long: more than 0, at most 7, else RangeError. 3 if absent. */
  readonly lookBackDays?: number;
};

/** The platform searches no longer range (INVALID_DATE_RANGE). */
const MOST_DAYS = 7;
const DAY_MS = 86_400_000;
/** The platform takes no date that lies ahead, and this clock may be fast. What the margin leaves out, the next run finds. */
const MARGIN_MS = 10_000;
const WIDE_MARGIN_MS = 3 * 3_600_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** The platform's search takes seconds. */
const SEARCH_MS = 600_000;

export function dueOrders(asker: Asker, environment: Environment) {
  const pages = list(asker, documents.DueOrdersDocument).pages;
  const search = searchOrders(asker, environment);
  return ({ lookBackDays = 3, ...options }: DueOrdersOptions = {}): AsyncIterableIterator<DueOrder> => {
    if (!(lookBackDays > 0 && lookBackDays <= MOST_DAYS))
      throw new RangeError(`lookBackDays: more than 0, and at most ${MOST_DAYS}.`);
    let found: AsyncIterableIterator<Cycle> | undefined;
    return iterator(async () => {
      found ??= eachItem(pages({ jobId: await search(lookBackDays, options) }, options));
      for (const orders = found; ; ) {
        const { done, value } = await orders.next();
        if (done) return undefined;
        if (!value.skipped && !isOfPause(value)) return { value: toOrder(value) };
      }
    });
  };
}

type Cycle = documents.DueOrders['subscriptionBillingCycleBulkResults']['nodes'][number];

function toOrder({ sourceContract, cycleIndex, billingAttemptExpectedDate }: Cycle): DueOrder {
  return { contractId: sourceContract.id, cycleIndex, date: billingAttemptExpectedDate };
}

/** Customers are told that the orders of a pause are not made up for. */
function isOfPause({ billingAttemptExpectedDate, sourceContract }: Cycle): boolean {
  const dueMs = Date.parse(billingAttemptExpectedDate);
  const times = ({ nodes }: typeof sourceContract.paused) => nodes.map((one) => Date.parse(one.createdAt));
  const resumes = times(sourceContract.resumed);
  return times(sourceContract.paused).some((pausedMs) => {
    const end = resumes.find((resumedMs) => resumedMs >= pausedMs);
    return end !== undefined && pausedMs <= dueMs && dueMs < end;
  });
}

/** Has the platform look for them. The id of the search that is done. */
function searchOrders(asker: Asker, { now, setTimer }: Environment) {
  const find = change(asker, documents.FindDueOrdersDocument);
  const read = query(asker, documents.SearchJobDocument);
  return async (lookBackDays: number, options: OperationOptions): Promise<string> => {
    const startMs = now();
    const to = (marginMs: number) => new Date(startMs - marginMs).toISOString();
    const from = to(lookBackDays * DAY_MS);
    let { job } = await find({ from, to: to(MARGIN_MS) }, options).catch((error) => {
      if (!isServiceError(error) || error.userErrors[0]?.code !== 'END_DATE_IN_THE_FUTURE') throw error;
      return find({ from, to: to(WIDE_MARGIN_MS) }, options);
    });
    for (let waitMs = FIRST_WAIT_MS; job && !job.done; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      if (now() - startMs > SEARCH_MS) break;
      await new Promise<void>((resolve) => void setTimer(resolve, waitMs));
      job = await read({ id: job.id }, options);
    }
    if (!job?.done)
      throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
        message: 'The search for due orders did not end.',
      });
    return job.id;
  };
}
