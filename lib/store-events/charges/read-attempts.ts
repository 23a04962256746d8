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
/** Selects nine cycles, newest first, each with its 100 newest attempts: a faulty script may make many of one order. */
const buildCyclesAroundSelection = (
  index: number,
) => `cycles${index}: subscriptionBillingCycles(contractId: $id${index},
    billingCyclesDateRangeSelector: $range${index}, first: 9, reverse: true) {
  nodes { cycleIndex billingAttemptExpectedDate billingAttempts(first: 100, reverse: true) { nodes { id } } } }`;
const CYCLES_AROUND_COST_POINTS = 50;
/** The attempts in one document, so that it costs less than half of the smallest bucket of points. */
const ATTEMPTS_PER_CYCLES_DOCUMENT = 9;

/**
 * Finds the billing cycle of each attempt; undefined when the platform does not return it. The platform does not tell which
 * cycle an attempt is for. A cycle is due at its end, so a late attempt lies in the time of a later cycle. So the cycles around
 * the attempt are searched for it.
 */
export async function readBillingCyclesOfAttempts(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  attempts: readonly AttemptWithContract[],
): Promise<(CycleOfAttempt | undefined)[]> {
  const cycles: (CycleOfAttempt | undefined)[] = [];
  for (const attemptBatch of splitIntoBatches(attempts, ATTEMPTS_PER_CYCLES_DOCUMENT))
    cycles.push(...(await readBillingCyclesOfBatch(deps, run, attemptBatch)));
  return cycles;
}

async function readBillingCyclesOfBatch(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  attempts: readonly AttemptWithContract[],
): Promise<(CycleOfAttempt | undefined)[]> {
  const cycleSelections = attempts.map((_, index) => buildCyclesAroundSelection(index));
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
  const expectedCost = CYCLES_AROUND_COST_POINTS * attempts.length;
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
