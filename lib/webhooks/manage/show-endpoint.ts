/** The store's view of an endpoint: its configuration, and the worker's state. */
import { readStream } from '../../storage/stream/read-stream.ts';
import type { Table } from '../../storage/table.ts';
import type { DeliveryHead } from '../deliver/delivery-head.ts';
import type { EndpointRecord } from '../endpoints.ts';
import { countDeliverable } from './deliverable-records.ts';
import { listRequestedBacklogs, readRequestedHead } from './requested-delivery.ts';

export type EndpointView = Pick<EndpointRecord, 'id' | 'url' | 'description' | 'types' | 'createdAtMs'> & {
  readonly status: EndpointRecord['status'] | 'DISABLED_BY_FAILURES';
  readonly lastDeliveredAtMs: number | undefined;
  /** Exact for the store's next thousand unsent events; all later ones are counted. */
  readonly waitingCount: number;
  readonly oldestWaitingAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Builds the view.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function showEndpoint(deps: Deps, endpoint: EndpointRecord): Promise<EndpointView> {
  const { id, url, description, types, createdAtMs } = endpoint;
  const head = await readRequestedHead(deps.table, endpoint);
  const waiting = await countWaiting(deps, endpoint, head);
  return {
    ...{ id, url, description, types, createdAtMs, ...waiting },
    status: isDisabled(endpoint, head) ? 'DISABLED_BY_FAILURES' : endpoint.status,
    lastDeliveredAtMs: head.lastAcceptedAtMs,
  };
}

function isDisabled({ status, version }: EndpointRecord, { disabled }: DeliveryHead): boolean {
  return status === 'ENABLED' && disabled?.endpointVersion === version;
}

/** Counts the events after the cursor, and those in backlogs to retry. */
async function countWaiting(deps: Deps, endpoint: EndpointRecord, head: DeliveryHead) {
  const { passed } = head;
  const backlogs = await listRequestedBacklogs(deps.table, endpoint, { head, place: 'RETRYING' });
  const waitingNumbers = backlogs.flatMap(({ numbers }) => numbers).sort((one, other) => one - other);
  const ahead = await countDeliverable(deps, endpoint, { fromNumber: passed.cursor, without: passed.above });
  const [refused] =
    waitingNumbers[0] === undefined
      ? []
      : await readStream(deps, endpoint.shopId, { fromNumber: waitingNumbers[0], limit: 1 });
  return {
    waitingCount: ahead.count + waitingNumbers.length,
    oldestWaitingAtMs: (refused ?? ahead.first)?.placedAtMs,
  };
}
