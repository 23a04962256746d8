/**
 * Reads the next billing cycles of several contracts in one request, with a root for each contract, because the
 * platform has no list of them. It needs further requests only when a document would cost too much, or all cycles of a
 * page are skipped.
 */
import { splitIntoBatches } from '../../lib/domain/split-into-batches.ts';
import type { ServiceError } from '../../lib/errors/service-error.ts';
import type { PlatformError } from '../../lib/platform/admin-api/admin-response.ts';
import { failedReadError } from '../../lib/platform/admin-api/missing-access.ts';
import { countConnectionPoints, maxPartsPerDocument } from '../../lib/platform/admin-api/query-points.ts';
import type { NextCycle } from '../../lib/subscriptions/cycles/next-order.ts';
import { findNextOrder } from '../../lib/subscriptions/order-content.ts';
import type { CyclePage } from '../plan/cycle-prefetch.ts';
import type { RunContext } from '../plan/run-context.ts';
import { HORIZON_DAYS } from '../run/send-upstream.ts';
import { buildNextCyclesRootField, FIRST_PAGE_CYCLES } from './next-cycles-root.ts';

/** The sizes of the pages after the first. Together they have more cycles than a year has days. */
const LATER_PAGE_SIZES = [50, 250, 250];

/** A contract, with the platform's id, and the data that was read of it so far. */
export type ContractToRead = {
  readonly id: string;
  readonly page: CyclePage | undefined;
  /** The end of the contract's pause: orders before it are not charged. Undefined when the contract is active. */
  readonly notBeforeMs: number | undefined;
};

/**
 * The next cycles by the contract's id. Undefined when no order is charged within a year; a ServiceError when the
 * cycles cannot be read.
 */
export type NextCycles = ReadonlyMap<string, NextCycle | undefined | ServiceError>;

/**
 * Reads the cycle that is charged next, for each contract. `prefetchedPages`: the contracts' first pages of cycles from the
 * present time on, by contract id, if an earlier request has read them.
 * @throws ServiceError when the platform does not respond
 */
export async function readNextCycles(
  context: RunContext,
  contracts: readonly ContractToRead[],
  prefetchedPages: ReadonlyMap<string, CyclePage> = new Map(),
): Promise<NextCycles> {
  const nextCycleById = new Map<string, NextCycle | undefined | ServiceError>();
  const nowMs = context.now();
  const contractsToRead = selectContractsWithinYear(contracts, nowMs).map((contract) => {
    const isReadFromNow = chooseReadStartMs(contract, nowMs) === nowMs;
    return isReadFromNow && contract.page === undefined
      ? { ...contract, page: prefetchedPages.get(contract.id) }
      : contract;
  });
  let unreadContracts = recordFoundCycles(nextCycleById, contractsToRead, nowMs);
  const contractsWithoutPage = unreadContracts.filter(({ page }) => page === undefined);
  const contractsWithFirstPage = await readCyclePages(
    context,
    contractsWithoutPage,
    { nowMs, size: FIRST_PAGE_CYCLES },
    nextCycleById,
  );
  unreadContracts = recordFoundCycles(
    nextCycleById,
    [...unreadContracts.filter(({ page }) => page !== undefined), ...contractsWithFirstPage],
    nowMs,
  );
  for (const size of LATER_PAGE_SIZES) {
    unreadContracts = recordFoundCycles(
      nextCycleById,
      await readCyclePages(context, unreadContracts, { nowMs, size }, nextCycleById),
      nowMs,
    );
  }
  for (const { id } of unreadContracts) nextCycleById.set(id, createCyclesUnreadableError([]));
  return nextCycleById;
}

const DAY_MS = 86_400_000;

/**
 * Returns the contracts that have an order within a year. Drops a page that starts too late: it was read for a pause
 * that has ended since.
 */
function selectContractsWithinYear(contracts: readonly ContractToRead[], nowMs: number): ContractToRead[] {
  return contracts
    .filter((contract) => chooseReadStartMs(contract, nowMs) < nowMs + HORIZON_DAYS * DAY_MS)
    .map((contract) => {
      const firstCycle = contract.page?.nodes[0];
      const isPageUsable =
        firstCycle !== undefined && Date.parse(firstCycle.cycleStartAt) <= chooseReadStartMs(contract, nowMs);
      return isPageUsable ? contract : { ...contract, page: undefined };
    });
}

/** Returns the date from which a contract's cycles are read. */
function chooseReadStartMs({ notBeforeMs }: ContractToRead, nowMs: number): number {
  return Math.max(notBeforeMs ?? nowMs, nowMs);
}

type FoundCycles = Map<string, NextCycle | undefined | ServiceError>;

/** Stores the cycles that were found. Returns the contracts that need another page. */
function recordFoundCycles(
  found: FoundCycles,
  contracts: readonly ContractToRead[],
  nowMs: number,
): ContractToRead[] {
  return contracts.filter((contract) => {
    const { id, page } = contract;
    if (page === undefined) return true;
    const cycle = findNextOrder(page.nodes, chooseReadStartMs(contract, nowMs));
    if (cycle === undefined && page.pageInfo.hasNextPage) return true;
    found.set(id, cycle);
    return false;
  });
}

type PageRequest = { readonly nowMs: number; readonly size: number };

async function readCyclePages(
  context: RunContext,
  contracts: readonly ContractToRead[],
  request: PageRequest,
  found: FoundCycles,
): Promise<ContractToRead[]> {
  const batchSize = maxContractsPerDocument(request.size);
  const contractsWithPage: ContractToRead[] = [];
  for (const contractBatch of splitIntoBatches(contracts, batchSize)) {
    contractsWithPage.push(...(await readCyclesDocument(context, contractBatch, request, found)));
  }
  return contractsWithPage;
}

/**
 * Reads one document. Its roots are non-null, so one contract that cannot be read removes the whole response. The
 * other contracts are then read again.
 */
async function readCyclesDocument(
  context: RunContext,
  contracts: readonly ContractToRead[],
  request: PageRequest,
  found: FoundCycles,
): Promise<ContractToRead[]> {
  if (contracts.length === 0) return [];
  const { data, errors } = await context.send(createCyclesOperation(context, contracts, request));
  if (data !== null) {
    return contracts.map((contract, index) => ({ ...contract, page: data[`c${index}`] as CyclePage }));
  }
  const failedAliases = new Set(errors.map(({ path }) => String(path?.[0])));
  const remainingContracts = contracts.filter((_, index) => !failedAliases.has(`c${index}`));
  if (remainingContracts.length === contracts.length) throw createCyclesUnreadableError(errors);
  for (const one of contracts)
    if (!remainingContracts.includes(one)) found.set(one.id, createCyclesUnreadableError(errors));
  return readCyclesDocument(context, remainingContracts, request, found);
}

/** The prefetched pages, and the contracts that could not be read. */
export type PrefetchedPages = {
  readonly pages: ReadonlyMap<string, CyclePage>;
  readonly unreadable: readonly string[];
};

/** The time limit of the request that reads the pages. */
const MAX_PREFETCH_MS = 1_000;

/**
 * Reads the first page of each contract from now on, in one request that is not repeated. Returns no pages when the
 * request fails, because each page can be read later.
 */
export async function prefetchPages(context: RunContext, ids: readonly string[]): Promise<PrefetchedPages> {
  const nowMs = context.now();
  const contractsToRead = ids.map((id) => ({ id, page: undefined, notBeforeMs: undefined }));
  const operation = createCyclesOperation(context, contractsToRead, { nowMs, size: FIRST_PAGE_CYCLES });
  const deadlineAtMs = Math.min(context.deadlineAtMs, nowMs + MAX_PREFETCH_MS);
  const response = await context
    .send({ ...operation, deadlineAtMs, isOptional: true })
    .catch(() => undefined);
  const { data = null, errors = [] } = response ?? {};
  const failedAliases = new Set(errors.map(({ path }) => String(path?.[0])));
  const unreadable = ids.filter((_, index) => failedAliases.has(`c${index}`));
  if (data === null || errors.length > 0) return { pages: new Map(), unreadable };
  return { pages: new Map(ids.map((id, index) => [id, data[`c${index}`] as CyclePage])), unreadable };
}

function createCyclesUnreadableError(errors: readonly PlatformError[]): ServiceError {
  return failedReadError('the cycles of a contract cannot be read', errors);
}

function createCyclesOperation(
  context: RunContext,
  contracts: readonly ContractToRead[],
  { nowMs, size }: PageRequest,
) {
  const { store, deadlineAtMs } = context;
  const rootFields = contracts.map((_, index) => {
    const dateRange = { from: `$from${index}`, to: '$to' };
    const { args, selection } = buildNextCyclesRootField(dateRange, `first: ${size}, after: $after${index}`);
    return `c${index}: subscriptionBillingCycles(contractId: $id${index}, ${args}) ${selection}`;
  });
  const variableDeclarations = contracts.map(
    (_, index) => `$id${index}: ID!, $from${index}: DateTime!, $after${index}: String`,
  );
  const variableEntries = contracts.flatMap((contract, index) => [
    [`id${index}`, contract.id],
    [`from${index}`, new Date(chooseReadStartMs(contract, nowMs)).toISOString()],
    [`after${index}`, contract.page?.pageInfo.endCursor ?? null],
  ]);
  const horizonDate = new Date(nowMs + HORIZON_DAYS * DAY_MS).toISOString();
  return {
    store,
    document: `query NextOrders($to: DateTime!, ${variableDeclarations.join(', ')}) { ${rootFields.join(' ')} }`,
    variables: { to: horizonDate, ...Object.fromEntries(variableEntries) },
    mutates: false,
    deadlineAtMs,
    costKey: `next orders ${contracts.length} ${size}`,
  };
}

/** The points of an edited contract with its lines and discounts, and of its cycle. */
const CYCLE_POINTS = 14;

/** Returns the number of contracts in one document. */
function maxContractsPerDocument(size: number): number {
  return maxPartsPerDocument(countConnectionPoints(CYCLE_POINTS, size));
}
