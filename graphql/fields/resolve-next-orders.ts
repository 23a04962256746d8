/** Resolves `SubscriptionContract.nextOrder` for all contracts of a response together. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { CountOrdersBefore } from '../../lib/subscriptions/count-paid-orders.ts';
import { type NextOrder, toNextOrder } from '../../lib/subscriptions/cycles/next-order.ts';
import {
  applyStepsToContent,
  type SteppedContent,
} from '../../lib/subscriptions/selling-plans/step-prices.ts';
import type { CyclePage, ListedContracts } from '../plan/cycle-prefetch.ts';
import type { ReadPauses, ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { readCountsOfSteppedContracts } from '../run/read-counts-of-stepped-contracts.ts';
import { NEXT_CYCLES_KEY } from './next-cycles-root.ts';
import { type ContractToRead, type NextCycles, readNextCycles } from './read-next-cycles.ts';
import { readPauses } from './read-pauses.ts';

/** The maximum number of contracts in one response that have their next order selected. */
const MAX_NEXT_ORDERS = 25;

/**
 * Returns the next orders. Null unless the contract has one within a year, and is active or in a pause that ends;
 * QUERY_TOO_COMPLEX for each field when the response has too many contracts.
 */
export const resolveNextOrders: ResolveServiceField = async (
  context,
  tasks,
  { earlierTaskCount, pauses },
) => {
  const contractCount = earlierTaskCount + new Set(tasks.map(({ parent }) => parent._svcContract)).size;
  if (contractCount > MAX_NEXT_ORDERS) return tasks.map(() => createTooManyNextOrdersError(contractCount));
  const cycles = await readNextCyclesOrError(context, tasks, pauses);
  const countsById = await readOrderCountsOfTasks(context, tasks, { cycles, pauses });
  return tasks.map((task) => toNextOrderValue(context, task, { cycles, countsById }));
};

type NextOrderReads = {
  readonly cycles: NextCycles | ServiceError;
  readonly countsById: ReadonlyMap<string, CountOrdersBefore>;
};

/** Reads what counts the orders of the contracts whose next order has the contract's prices, if the total is selected. */
async function readOrderCountsOfTasks(
  context: RunContext,
  tasks: readonly ServiceTask[],
  { cycles, pauses }: Pick<NextOrderReads, 'cycles'> & { readonly pauses: ReadPauses },
): Promise<NextOrderReads['countsById']> {
  const contracts = tasks.flatMap(({ parent, field }) => {
    const id = String(parent._svcContract);
    const cycle = cycles instanceof ServiceError ? undefined : cycles.get(id);
    const isTotalSelected = field.selection?.fields.some(({ name }) => name === 'total') === true;
    if (!isTotalSelected || cycle === undefined || cycle instanceof ServiceError) return [];
    if (cycle.editedContract !== null) return [];
    const content = parent as unknown as SteppedContent;
    const pauseEndMs = parent._svcStatus === 'PAUSED' ? pauses.get(id)?.resumesAtMs : undefined;
    return [{ id, content, notBeforeMs: pauseEndMs ?? context.now() }];
  });
  return readCountsOfSteppedContracts(context, contracts);
}

function createTooManyNextOrdersError(actual: number): ServiceError {
  const message =
    `The response has ${actual} contracts with "nextOrder", but the limit is ${MAX_NEXT_ORDERS}. ` +
    'Request fewer contracts at a time.';
  return new ServiceError('QUERY_TOO_COMPLEX', { message });
}

/**
 * Reads the next cycles of the contracts. In the response to a change, an error becomes that of these fields: the change
 * was made, and the client must get the rest of the response.
 */
async function readNextCyclesOrError(
  context: RunContext,
  tasks: readonly ServiceTask[],
  pauses: ReadPauses,
): Promise<NextCycles | ServiceError> {
  try {
    const contractsToRead = await findContractsToRead(context, tasks, pauses);
    const pages = await context.cyclePrefetch?.readPages();
    context.cyclePrefetch?.remember(toListedContracts(tasks, contractsToRead));
    return await readNextCycles(context, contractsToRead, pages);
  } catch (error) {
    if (context.isAfterChange && error instanceof ServiceError) return error;
    throw error;
  }
}

function toListedContracts(
  tasks: readonly ServiceTask[],
  readings: readonly ContractToRead[],
): ListedContracts {
  const chargedIds = readings.filter(({ notBeforeMs }) => notBeforeMs === undefined).map(({ id }) => id);
  return { all: tasks.map(({ parent }) => String(parent._svcContract)), charged: chargedIds };
}

/** Returns the contracts that will be charged: active ones, and paused ones from the end of their pause. */
async function findContractsToRead(
  context: RunContext,
  tasks: readonly ServiceTask[],
  knownPauses: ReadPauses,
): Promise<ContractToRead[]> {
  const statusById = new Map(tasks.map(({ parent }) => [String(parent._svcContract), parent._svcStatus]));
  const pausedIds = [...statusById].filter(([, status]) => status === 'PAUSED').map(([id]) => id);
  const pauseByContract = await readPauses(context, pausedIds, knownPauses);
  const pageById = new Map(
    tasks.flatMap(({ parent }) => {
      const page = parent[NEXT_CYCLES_KEY] as CyclePage | undefined;
      return page === undefined ? [] : [[String(parent._svcContract), page] as const];
    }),
  );
  return [...statusById].flatMap(([id, status]): ContractToRead[] => {
    const resumesAtMs = pauseByContract.get(id)?.resumesAtMs;
    const willBeCharged = status === 'ACTIVE' || resumesAtMs !== undefined;
    return willBeCharged ? [{ id, page: pageById.get(id), notBeforeMs: resumesAtMs }] : [];
  });
}

function toNextOrderValue(
  { now }: RunContext,
  { parent }: ServiceTask,
  { cycles, countsById }: NextOrderReads,
): NextOrder | ServiceError | null {
  if (parent._svcStatus !== 'ACTIVE' && parent._svcStatus !== 'PAUSED') return null;
  if (cycles instanceof ServiceError) return cycles;
  const contractId = String(parent._svcContract);
  const cycle = cycles.get(contractId);
  if (cycle === undefined || cycle instanceof ServiceError) return cycle ?? null;
  const counts = countsById.get(contractId)?.(cycle);
  return toNextOrder(cycle, applyStepsToContent(parent as unknown as SteppedContent, counts), now());
}
