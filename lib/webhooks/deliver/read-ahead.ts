/** Reads the stream ahead of what is under way, until there is enough to choose from. */
import { findParked } from './backlog.ts';
import { type EndpointRun, orderOf, type StreamEvent } from './endpoint-run.ts';
import { isPassed, pass, skipTo, WINDOW } from './passed-numbers.ts';

const PAGE = 100;
/** So many contracts to choose from are enough. */
const ENOUGH = 64;

/** Queues the next events of the stream, unless there are enough or none. TEMPORARILY_UNAVAILABLE. */
export async function readAhead(run: EndpointRun): Promise<void> {
  const { deps, endpoint, head } = run;
  while (!run.isAtEnd && run.queues.size < ENOUGH && run.readTo < head.passed.cursor + WINDOW) {
    const events = await deps.readEvents(endpoint.shopId, run.readTo, PAGE);
    run.isAtEnd = events.length < PAGE;
    for (const event of events) {
      if (event.number > run.readTo) {
        // What lay between has expired. What is under way below it ends first.
        if (head.passed.cursor < run.readTo) {
          run.isAtEnd = false;
          return;
        }
        skipTo(head.passed, event.number);
        run.unsaved++;
      }
      run.readTo = event.number + 1;
      if (!isPassed(head.passed, event.number)) take(run, event);
    }
    await meetParked(run);
  }
}

function take(run: EndpointRun, event: StreamEvent): void {
  if (!isWanted(run, event)) {
    pass(run.head.passed, event.number);
    run.unsaved++;
    return;
  }
  const order = orderOf(event);
  const queue = run.queues.get(order);
  if (queue === undefined) run.queues.set(order, [event]);
  else queue.push(event);
}

/** Whether there is something to tell, of a type that the endpoint is for. */
export function isWanted({ endpoint: { types } }: EndpointRun, { webhook }: StreamEvent): boolean {
  return webhook !== undefined && (types === undefined || types.includes(webhook.type));
}

/** Finds out which of the queued contracts are parked. */
async function meetParked({ deps, endpoint, head, ...run }: EndpointRun): Promise<void> {
  if (!head.mayHaveParked) return;
  const unknown = [...run.queues.keys()].filter(
    (order) => !run.lookedUp.has(order) && !run.backlogs.has(order),
  );
  const of = { shopId: endpoint.shopId, endpointId: endpoint.id };
  const parked = await findParked(deps.table, of, unknown);
  for (const order of unknown) run.lookedUp.add(order);
  // One that was parked meanwhile is known better.
  for (const backlog of parked) if (!run.backlogs.has(backlog.of)) run.backlogs.set(backlog.of, backlog);
}
