/**
 * Searches a store's orders that are due in a week, by a job of the platform. A job takes a moment, may be lost, and its
 * results are live: an order that was skipped or billed since may have left them.
 */

import { ServiceError } from '../../errors/service-error.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget, type SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import { STEPS_SELECTION } from '../../subscriptions/selling-plans/step-prices.ts';
import type { ObservedAttempt } from '../../timeline/attempt-outcome.ts';
import { AMOUNT_FIELDS, type PricedContract } from '../preview/compute-order-amounts.ts';
import type { ContractLines } from './set-step-prices.ts';

export type SearchDeps = {
  readonly sendWithinBudget: SendWithinBudget;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
};

/** Times are epoch milliseconds, both included: at most a week, and at most 24 hours ahead. */
export type OrderSearch = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: 'BILLED' | 'UNBILLED';
};

/** An order that a search found, as it is now. */
export type FoundOrder = {
  readonly cycleIndex: number;
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
  readonly sourceContract: {
    readonly id: string;
    readonly updatedAt: string;
    /** Not read for billed orders. */
    readonly lines?: ContractLines & PricedContract['lines'];
    /** Not read for billed orders. Null where access is denied. */
    readonly deliveryPrice?: Money | null;
  };
  /** Read for billed orders alone. */
  readonly billingAttempts?: {
    readonly nodes: readonly Pick<ObservedAttempt, 'createdAt' | 'idempotencyKey' | 'state'>[];
  };
};

/** `lost`: the platform no longer knows the job. */
export type FoundPage =
  | { readonly orders: readonly FoundOrder[]; readonly nextCursor: string | undefined }
  | 'lost';

type SearchTurn = { readonly store: StoreRecord; readonly endAtMs: number };

const SEARCH_POLL_INTERVAL_MS = 2_000;
const ORDERS_PER_PAGE = 100;
const POINTS_PER_PAGE = 210;
const SEARCH_DOCUMENT = `mutation($range: SubscriptionBillingCyclesDateRangeSelector!, $filters: SubscriptionBillingCycleBulkFilters!) {
  search: subscriptionBillingCycleBulkSearch(billingAttemptExpectedDateRange: $range, filters: $filters) {
    job { id } userErrors { field message code } } }`;
const JOB_QUERY = 'query($job: ID!) { job(id: $job) { done } }';
const LINES_PER_CONTRACT = 10;
const ORDER_SELECTION = 'cycleIndex billingAttemptExpectedDate skipped status';
const UNBILLED_ORDER_SELECTION = `${ORDER_SELECTION} sourceContract { id updatedAt deliveryPrice { amount currencyCode }
  lines(first: ${LINES_PER_CONTRACT}) { nodes { ${STEPS_SELECTION} ${AMOUNT_FIELDS.line} } pageInfo { hasNextPage } } }`;
const BILLED_ORDER_SELECTION = `${ORDER_SELECTION} sourceContract { id updatedAt }
  billingAttempts(first: 3, reverse: true) { nodes { createdAt idempotencyKey state { __typename } } }`;
const writePageQuery = (selection: string) => `query($job: ID!, $after: String) { job(id: $job) { done }
  found: subscriptionBillingCycleBulkResults(jobId: $job, first: ${ORDERS_PER_PAGE}, after: $after) {
    nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`;
const PAGE_QUERY_BY_STATUS = {
  UNBILLED: writePageQuery(UNBILLED_ORDER_SELECTION),
  BILLED: writePageQuery(BILLED_ORDER_SELECTION),
};

/**
 * Starts a job that searches the orders of contracts that have not ended. It changes nothing, so it may be started again.
 * @returns the job's id
 * @throws the errors of the Admin API client; PLATFORM_UNAVAILABLE when the platform refuses the search
 */
export async function startSearch(
  deps: Pick<SearchDeps, 'sendWithinBudget'>,
  { store, endAtMs }: SearchTurn,
  { fromMs, toMs, status }: OrderSearch,
): Promise<string> {
  const dateRange = { startDate: new Date(fromMs).toISOString(), endDate: new Date(toMs).toISOString() };
  const contractStatus = ['ACTIVE', 'FAILED', 'PAUSED'];
  const variables = {
    range: dateRange,
    filters: { contractStatus, billingCycleStatus: [status], billingAttemptStatus: 'ANY' },
  };
  const { data, errors } = await readWithinBudget(
    deps,
    { store, endAtMs },
    {
      document: SEARCH_DOCUMENT,
      variables,
    },
  );
  const payload = data?.search as
    | { readonly job: { readonly id: string } | null; readonly userErrors: readonly { code: string }[] }
    | null
    | undefined;
  if (payload?.job) return payload.job.id;
  const [refusal] = payload?.userErrors ?? [];
  if (refusal === undefined) throw failedReadError('the search', errors);
  throw new ServiceError('PLATFORM_UNAVAILABLE', { internal: `the search was refused: ${refusal.code}` });
}

/**
 * Waits until the job is done.
 * @returns `open` when the job is not done before `endAtMs`; `lost` when the platform no longer knows the job
 */
export async function awaitSearch(
  deps: SearchDeps,
  turn: SearchTurn,
  job: string,
): Promise<'done' | 'lost' | 'open'> {
  for (;;) {
    const { data, errors } = await readWithinBudget(deps, turn, { document: JOB_QUERY, variables: { job } });
    if (data === null) throw failedReadError('the job', errors);
    const foundJob = data.job as { readonly done: boolean } | null;
    if (foundJob === null) return 'lost';
    if (foundJob.done) return 'done';
    if (deps.now() + SEARCH_POLL_INTERVAL_MS >= turn.endAtMs) return 'open';
    await deps.wait(SEARCH_POLL_INTERVAL_MS);
  }
}

/** Reads a page of the results of a job that is done. */
export async function readFoundPage(
  deps: Pick<SearchDeps, 'sendWithinBudget'>,
  turn: SearchTurn,
  {
    job,
    after,
    status,
  }: Pick<OrderSearch, 'status'> & { readonly job: string; readonly after: string | null },
): Promise<FoundPage> {
  const { data, errors } = await readWithinBudget(deps, turn, {
    document: PAGE_QUERY_BY_STATUS[status],
    variables: { job, after },
    expectedCost: POINTS_PER_PAGE,
  });
  // The results of a lost job may be an error, or an empty page: only the job itself shows that it is lost.
  if (data && 'job' in data && data.job === null) return 'lost';
  const foundResults = data?.found as
    | {
        readonly nodes: readonly FoundOrder[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      }
    | null
    | undefined;
  if (!foundResults) throw failedReadError('the results of the search', errors);
  const { hasNextPage, endCursor } = foundResults.pageInfo;
  const nextCursor = hasNextPage && endCursor !== null ? endCursor : undefined;
  return { orders: foundResults.nodes.filter((node) => node !== null), nextCursor };
}
