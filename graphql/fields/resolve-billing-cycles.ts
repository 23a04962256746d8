/**
 * Resolves `SubscriptionContract.billingCycles` with a further request for each contract: the platform has no such field
 * of a contract. The client's selection is sent, and the response is walked like any other.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { failedReadError } from '../../lib/platform/admin-api/missing-access.ts';
import { toPlatformInput } from '../compile/ownership/global-ids.ts';
import {
  FURTHER_READ_CONTRACT_VARIABLE,
  FURTHER_READ_DATES_VARIABLE,
  FURTHER_READ_KEY,
  FURTHER_READ_OVERDUE_KEY,
} from '../compile/selection/further-read.ts';
import type { OverdueCycles } from '../compile/selection/overdue-cycles.ts';
import type { FurtherRead } from '../plan/response-shape.ts';
import type { ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { convertFieldValue, REMOVED_OBJECT } from '../response/walk-response.ts';
import { findOverdueStart } from '../run/find-overdue-start.ts';
import { HORIZON_DAYS, sendUpstream } from '../run/send-upstream.ts';
import { createIdMapping } from '../run/start-root.ts';

/** The maximum number of contracts in one response that have their billing cycles selected: each is a request. */
const MAX_CYCLE_LISTS = 5;
const DAY_MS = 86_400_000;

/** Returns the orders of each contract, or QUERY_TOO_COMPLEX for each when the response has too many contracts. */
export const resolveBillingCycles: ResolveServiceField = async (context, tasks, { earlierTaskCount }) => {
  const listCount = earlierTaskCount + tasks.length;
  if (listCount > MAX_CYCLE_LISTS) return tasks.map(() => createTooManyCycleListsError(listCount));
  const cycleLists: unknown[] = [];
  for (const task of tasks) cycleLists.push(await readCycleList(context, task));
  return cycleLists;
};

function createTooManyCycleListsError(actual: number): ServiceError {
  const message =
    `The response has ${actual} contracts with "billingCycles", but the limit is ${MAX_CYCLE_LISTS}. ` +
    'Request fewer contracts at a time.';
  return new ServiceError('QUERY_TOO_COMPLEX', { message });
}

/**
 * Reads the billing cycles of one contract. In the response to a change, an error becomes that of this field: the change
 * was made, and the client must get the rest of the response.
 */
async function readCycleList(context: RunContext, task: ServiceTask): Promise<unknown> {
  const { field, walk } = task;
  if (field.furtherRead === undefined) throw new Error(`${field.coordinate} has no request`);
  try {
    const { data, errors } = await sendCycleList(context, task, field.furtherRead);
    const locatedErrors = errors.map((error) => ({
      error,
      path: [...task.path, ...(error.path ?? []).slice(1)],
    }));
    walk.furtherErrors.push(...locatedErrors);
    const value = data?.[FURTHER_READ_KEY] ?? null;
    if (value === null && errors.length === 0) return failedReadError('the cycles cannot be read', errors);
    return walkCycleList(task, field.furtherRead, value);
  } catch (error) {
    if (context.isAfterChange && error instanceof ServiceError) return error;
    throw error;
  }
}

/** Reads the cycles from now on; if an earlier order is not paid yet, again from that order on. */
async function sendCycleList(
  context: RunContext,
  task: ServiceTask,
  furtherRead: FurtherRead,
): Promise<AdminResponse> {
  const { upstream } = furtherRead;
  const { variables } = task.walk;
  const internalVariables = buildCycleListVariables(context, task, furtherRead);
  const request = { planId: upstream.text, upstream, variables, internalVariables, mutates: false };
  const response = await sendUpstream(context, request);
  const overdueCycles = response.data?.[FURTHER_READ_OVERDUE_KEY] as OverdueCycles | null | undefined;
  const startDate = await findOverdueStart(context, overdueCycles);
  if (startDate === undefined) return response;
  const dateRange = { ...internalVariables[FURTHER_READ_DATES_VARIABLE], startDate };
  return sendUpstream(context, {
    ...request,
    internalVariables: { ...internalVariables, [FURTHER_READ_DATES_VARIABLE]: dateRange },
  });
}

function buildCycleListVariables(
  { identity, now }: RunContext,
  { walk, parent }: ServiceTask,
  { injected }: FurtherRead,
) {
  // The root has checked the ownership of these ids.
  const idMapping = createIdMapping({ opensCatalogue: false }, identity, () => undefined);
  const variableEntries = injected.map(({ variable, entry, read }) => [
    variable,
    toPlatformInput(read(walk.variables), entry, idMapping),
  ]);
  const [startDate, endDate] = [now(), now() + HORIZON_DAYS * DAY_MS].map((ms) => new Date(ms).toISOString());
  return {
    ...Object.fromEntries(variableEntries),
    [FURTHER_READ_CONTRACT_VARIABLE]: parent._svcContract,
    [FURTHER_READ_DATES_VARIABLE]: { startDate, endDate },
  };
}

/** Walks the platform's list as if it were in the response at the field's place. */
function walkCycleList({ walk, path }: ServiceTask, { shape }: FurtherRead, value: unknown): unknown {
  walk.budget.take(JSON.stringify(value).length);
  const walkedValue = convertFieldValue(walk, value, { field: shape, path });
  return walkedValue === REMOVED_OBJECT ? null : walkedValue;
}
