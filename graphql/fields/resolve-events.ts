/** Resolves `SubscriptionContract.events` as pages of timelines, with one table request for each. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { type ContractNumber, contractNumberOfGid } from '../../lib/timeline/event-record.ts';
import type { EventPage, EventsArguments } from '../../lib/timeline/read-events.ts';
import type { ResolveServiceField, RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';
import { createPartSource } from '../response/project-service-value.ts';
import { buildEventFields, type TranslatedRecord } from './build-event-fields.ts';

/** The maximum number of `events` lists in one response. */
const MAX_EVENT_LISTS = 25;

/** Returns the page of each contract, or QUERY_TOO_COMPLEX for each field when the response has too many. */
export const resolveEvents: ResolveServiceField = async (context, tasks, { earlierTaskCount }) => {
  const listCount = earlierTaskCount + tasks.length;
  if (listCount > MAX_EVENT_LISTS) return tasks.map(() => createTooManyEventListsError(listCount));
  const translate = await context.loadTranslator();
  const connectionByTask = new Map<ServiceTask, unknown>();
  const tasksByArguments = Map.groupBy(tasks, ({ field, walk }) =>
    JSON.stringify(field.args(walk.variables)),
  );
  for (const [args, tasksOfGroup] of tasksByArguments) {
    const pages = await readEventPages(context, tasksOfGroup, JSON.parse(args) as EventsArguments);
    for (const [taskIndex, task] of tasksOfGroup.entries()) {
      const eventPage = Array.isArray(pages) ? pages[taskIndex] : pages;
      connectionByTask.set(
        task,
        eventPage instanceof ServiceError || eventPage === undefined
          ? eventPage
          : toEventConnection({ ...context, translate }, task, eventPage),
      );
    }
  }
  return tasks.map((task) => connectionByTask.get(task));
};

function createTooManyEventListsError(actual: number): ServiceError {
  const message =
    `The response has ${actual} lists of "events", but the limit is ${MAX_EVENT_LISTS}: ` +
    'each alias on each contract is one. Request fewer contracts at a time.';
  return new ServiceError('QUERY_TOO_COMPLEX', { message });
}

function parseContractNumber(id: unknown): ContractNumber {
  const contract = contractNumberOfGid(String(id));
  if (contract === undefined) throw new ServiceError('INTERNAL_ERROR', { internal: 'events of no contract' });
  return contract;
}

/** Reads the pages of some contracts. An error of the arguments is the error of these fields only. */
async function readEventPages(
  { timeline, store }: RunContext,
  tasks: readonly ServiceTask[],
  args: EventsArguments,
): Promise<readonly EventPage[] | ServiceError> {
  const contractNumbers = tasks.map(({ parent }) => parseContractNumber(parent._svcContract));
  try {
    return await timeline.readEvents({ shopId: store.shopId, contracts: contractNumbers, args });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'GRAPHQL_VALIDATION_FAILED') return error;
    throw error;
  }
}

function toEventConnection(
  context: RunContext & Pick<TranslatedRecord, 'translate'>,
  { parent, path }: ServiceTask,
  page: EventPage,
) {
  const contractSource = createPartSource(parent, path.slice(0, -1));
  const eventEdges = page.edges.map(({ cursor, record }) => ({
    cursor,
    node: buildEventFields(context, { record, translate: context.translate }, contractSource),
  }));
  const { hasNextPage, hasPreviousPage } = page;
  const [startCursor, endCursor] = [eventEdges[0]?.cursor ?? null, eventEdges.at(-1)?.cursor ?? null];
  return {
    edges: eventEdges,
    nodes: eventEdges.map(({ node }) => node),
    pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor },
  };
}
