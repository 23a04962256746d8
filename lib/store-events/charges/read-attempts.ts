/** Reads billing attempts with their contracts, and finds the billing cycles of other clients' attempts. */

import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { ENDED_ATTEMPT_SELECTION, type ObservedAttempt } from '../../timeline/attempt-outcome.ts';
import { type ContractNumber, contractGid, contractNumberOfGid } from '../../timeline/event-record.ts';
import { isDeniedOrder, readBillingAttempts } from '../../timeline/settle/settle-open-charges.ts';
import type { ReadContractsDeps, StoreReadRun } from '../contracts/read-contracts.ts';

/** An attempt with its contract. */
export type AttemptWithContract = ObservedAttempt & {
  readonly contract: ContractNumber;
  /** A time inside the billing cycle that the attempt is for. */
  readonly originTime: string | null;
};

/** The maximum number of attempts in one request. */
export const MAX_ATTEMPTS_PER_REQUEST = 40;
/** The platform rounds `createdAt` to whole seconds. */
const SECOND_MS = 1000;
/** The query cost of one attempt: the attempt, its state, the error or the order in the state, and its contract. */
const ATTEMPT_COST_POINTS = 6;
const ATTEMPT_WITH_CONTRACT_SELECTION = `${ENDED_ATTEMPT_SELECTION} originTime subscriptionContract { id }`;
/**
 * Lists a store's attempts, oldest first, so that attempts of one contract are recorded in the order of their creation.
 */
const ATTEMPT_PAGE_DOCUMENT = `query AttemptsOfStore($query: String!, $after: String) {
  subscriptionBillingAttempts(first: ${MAX_ATTEMPTS_PER_REQUEST}, after: $after, query: $query, sortKey: CREATED_AT) {
    nodes { ${ATTEMPT_WITH_CONTRACT_SELECTION} } pageInfo { hasNextPage endCursor } } }`;

/**
 * Reads attempts by their numbers; undefined for an attempt that does not exist.
 * @throws PLATFORM_UNAVAILABLE when the response is incomplete
 */
export async function readAttemptsByNumber(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  attemptNumbers: readonly string[],
): Promise<(AttemptWithContract | undefined)[]> {
  const attemptGidPrefix = `gid://${deps.platformGidNamespace}/SubscriptionBillingAttempt`;
  const ids = attemptNumbers.map((number) => `${attemptGidPrefix}/${number}`);
  const attempts = await readBillingAttempts(deps, run, {
    ids,
    selection: ATTEMPT_WITH_CONTRACT_SELECTION,
    points: ATTEMPT_COST_POINTS,
  });
  return attempts.map((attempt) => toAttemptWithContract(attempt ?? null));
}

type AttemptPageResponse = {
  readonly nodes: readonly (Partial<PlatformAttempt> | null)[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};
/** `sinceMs`: epoch milliseconds. `after`: the cursor of the previous page, or null for the first page. */
type AttemptPageRequest = { readonly sinceMs: number; readonly after: string | null };

/**
 * Reads a page of the attempts that a store has had since `sinceMs`, oldest first. `nextCursor` is null after the last page.
 * @throws the errors of the platform's client, STORE_ACCESS_MISSING, PLATFORM_UNAVAILABLE
 */
export async function readAttemptPage(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { sinceMs, after }: AttemptPageRequest,
): Promise<{ readonly attempts: readonly AttemptWithContract[]; readonly nextCursor: string | null }> {
  const query = `created_at:>='${new Date(sinceMs).toISOString()}'`;
  const { data, errors } = await readWithinBudget(deps, run, {
    ...{ document: ATTEMPT_PAGE_DOCUMENT, variables: { query, after } },
    expectedCost: MAX_ATTEMPTS_PER_REQUEST * ATTEMPT_COST_POINTS,
  });
  const attemptPage = data?.subscriptionBillingAttempts as AttemptPageResponse | null | undefined;
  if (!attemptPage) throw failedReadError('attempts', errors);
  // Skip attempts that the platform returned incompletely, so that they do not keep the others from being recorded.
  const uncertainIndexes = new Set(
    errors.filter((error) => !isDeniedOrder(error)).map(({ path = [] }) => path[2]),
  );
  const readableAttempts = attemptPage.nodes.flatMap((node, index) =>
    uncertainIndexes.has(index) ? [] : (toAttemptWithContract(node) ?? []),
  );
  // The platform ignores an invalid filter without an error. Filter again, so that old charges are not recorded as
  // new.
  const attempts = readableAttempts.filter(({ createdAt }) => Date.parse(createdAt) > sinceMs - SECOND_MS);
  return { attempts, nextCursor: attemptPage.pageInfo.hasNextPage ? attemptPage.pageInfo.endCursor : null };
}

function toAttemptWithContract(node: Partial<PlatformAttempt> | null): AttemptWithContract | undefined {
  const contract = contractNumberOfGid(node?.subscriptionContract?.id ?? '');
  return node?.id === undefined || contract === undefined
    ? undefined
    : { ...(node as PlatformAttempt), contract };
}

type PlatformAttempt = ObservedAttempt & {
  readonly originTime: string | null;
  readonly subscriptionContract: { readonly id: string };
};

type CycleOfAttempt = { readonly cycleIndex: number; readonly billingAttemptExpectedDate: string };
type CycleWithAttempts = CycleOfAttempt & {
  readonly billingAttempts: { readonly nodes: readonly { readonly id: string }[] };
};

const DAY_MS = 86_400_000;
/** An attempt is at most 24 hours earlier than its order. It can be later than its order by more than a year's interval. */
const [MAX_ATTEMPT_EARLINESS_MS, MAX_ATTEMPT_LATENESS_MS] = [DAY_MS, 400 * DAY_MS];

/** How many cycles are read for each attempt, and how many of their newest attempts. `points`: the query cost of one attempt. */
type CycleSearch = { readonly cycleCount: number; readonly attemptCount: number; readonly points: number };

/** Finds nearly all attempts. A faulty script may make many attempts of one order. */
const NEAREST_CYCLES: CycleSearch = { cycleCount: 9, attemptCount: 100, points: 50 };
/** Another client may pay an order of a daily contract weeks later. */
const ALL_CYCLES: CycleSearch = { cycleCount: 250, attemptCount: 10, points: 79 };
/** The maximum points of one document: less than half of the smallest bucket. */
const MAX_POINTS_PER_CYCLES_DOCUMENT = 450;

/**
 * Finds the billing cycle of each attempt; undefined when the platform does not return it. The platform does not tell which
 * cycle an attempt is for. A cycle is due at its end, so a late attempt lies in the time of a later cycle. So the cycles around
 * the attempt are searched for it, and then all cycles before it.
 */
export async function readBillingCyclesOfAttempts(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  attempts: readonly AttemptWithContract[],
): Promise<(CycleOfAttempt | undefined)[]> {
  const nearestCycles = await searchCyclesOfAttempts(deps, run, { attempts, search: NEAREST_CYCLES });
  const remainingAttempts = attempts.filter((_, index) => nearestCycles[index] === undefined);
  const remainingCycles = await searchCyclesOfAttempts(deps, run, {
    ...{ attempts: remainingAttempts, search: ALL_CYCLES },
  });
  return attempts.map(
    (attempt, index) => nearestCycles[index] ?? remainingCycles[remainingAttempts.indexOf(attempt)],
  );
}

type AttemptsToSearch = { readonly attempts: readonly AttemptWithContract[]; readonly search: CycleSearch };

async function searchCyclesOfAttempts(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { attempts, search }: AttemptsToSearch,
): Promise<(CycleOfAttempt | undefined)[]> {
  const cycles: (CycleOfAttempt | undefined)[] = [];
  const batchSize = Math.floor(MAX_POINTS_PER_CYCLES_DOCUMENT / search.points);
  for (const attemptBatch of splitIntoBatches(attempts, batchSize))
    cycles.push(...(await searchCyclesOfBatch(deps, run, { attempts: attemptBatch, search })));
  return cycles;
}

/** Selects cycles, newest first, each with its newest attempts. */
function buildCyclesSelection(index: number, { cycleCount, attemptCount }: CycleSearch): string {
  return `cycles${index}: subscriptionBillingCycles(contractId: $id${index},
    billingCyclesDateRangeSelector: $range${index}, first: ${cycleCount}, reverse: true) {
  nodes { cycleIndex billingAttemptExpectedDate billingAttempts(first: ${attemptCount}, reverse: true) { nodes { id } } } }`;
}

async function searchCyclesOfBatch(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { attempts, search }: AttemptsToSearch,
): Promise<(CycleOfAttempt | undefined)[]> {
  const cycleSelections = attempts.map((_, index) => buildCyclesSelection(index, search));
  const variableDeclarations = attempts.map(
    (_, index) => `$id${index}: ID! $range${index}: SubscriptionBillingCyclesDateRangeSelector!`,
  );
  const document = `query OrdersOfAttempts(${variableDeclarations.join(' ')}) { ${cycleSelections.join(' ')} }`;
  const variables = Object.fromEntries(
    attempts.flatMap(({ contract, originTime, createdAt }, index) => {
      const atMs = Date.parse(originTime ?? createdAt);
      const [startDate, endDate] = [atMs - MAX_ATTEMPT_LATENESS_MS, atMs + MAX_ATTEMPT_EARLINESS_MS].map(
        (ms) => new Date(ms).toISOString(),
      );
      return [
        [`id${index}`, contractGid(contract, deps.platformGidNamespace)],
        [`range${index}`, { startDate, endDate }],
      ];
    }),
  );
  const expectedCost = search.points * attempts.length;
  const { data } = await readWithinBudget(deps, run, { document, variables, expectedCost });
  return attempts.map(({ id }, index) => {
    const cyclesPage = data?.[`cycles${index}`] as
      | { readonly nodes: readonly CycleWithAttempts[] }
      | null
      | undefined;
    const cycle = cyclesPage?.nodes.find(({ billingAttempts }) =>
      billingAttempts.nodes.some((one) => one.id === id),
    );
    return (
      cycle && { cycleIndex: cycle.cycleIndex, billingAttemptExpectedDate: cycle.billingAttemptExpectedDate }
    );
  });
}
