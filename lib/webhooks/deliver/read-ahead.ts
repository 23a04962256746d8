/** Reads the stream ahead of the attempts in progress, until there are enough contracts to choose from. */
import { findParked } from './backlog.ts';
import { type EndpointRun, orderOf, type StreamEvent } from './endpoint-run.ts';
import { isPassed, pass, skipTo, WINDOW } from './passed-numbers.ts';

const PAGE = 100;
/** The sufficient number of contracts to choose from. */
const ENOUGH = 64;

/**
 * Queues the next events of the stream, unless there are enough or none.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readAhead(run: EndpointRun): Promise<void> {
  const { deps, endpoint, head } = run;
  while (!run.isAtEnd && run.queues.size < ENOUGH && run.readTo < head.passed.cursor + WINDOW) {
    const events = await deps.readEvents(endpoint.shopId, run.readTo, PAGE);
    run.isAtEnd = events.length < PAGE;
    for (const event of events) {
      if (event.number > run.readTo) {
        // The events between have expired. Attempts below them have to end first.
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
  if (!isSubscribed(run, event)) {
    pass(run.head.passed, event.number);
    run.unsaved++;
    return;
  }
  const order = orderOf(event);
  const queue = run.queues.get(order);
  if (queue === undefined) run.queues.set(order, [event]);
  else queue.push(event);
}

/** Whether the event is sent, and has a type that the endpoint subscribes to. */
export function isSubscribed({ endpoint: { types } }: EndpointRun, { webhook }: StreamEvent): boolean {
  return webhook !== undefined && (types === undefined || types.includes(webhook.type));
}

/** Reads which of the queued contracts are parked. */
async function meetParked({ deps, endpoint, head, ...run }: EndpointRun): Promise<void> {
  if (!head.mayHaveParked) return;
  const unknown = [...run.queues.keys()].filter(
    (order) => !run.resolvedNames.has(order) && !run.backlogs.has(order),
  );
  const of = { shopId: endpoint.shopId, endpointId: endpoint.id };
  const parked = await findParked(deps.table, of, unknown);
  for (const order of unknown) run.resolvedNames.add(order);
  // A contract that was parked concurrently has a newer state in the run.
  for (const backlog of parked) if (!run.backlogs.has(backlog.of)) run.backlogs.set(backlog.of, backlog);
}
