/**
 * The state of an endpoint: for the store, and in full for operators. A replay request counts immediately, although
 * the worker applies it at its next run.
 */
import { readStream, readLastStreamRecord as readStreamHead } from '../../storage/stream/read-stream.ts';
import type { Table } from '../../storage/table.ts';
import { type Backlog, listBacklogs } from '../deliver/backlog.ts';
import {
  type EndpointDeliveryState,
  markNumbersUnprocessedFrom,
  readEndpointDeliveryState,
} from '../deliver/endpoint-delivery-state.ts';
import type { EndpointRecord, SealedSecret } from '../endpoints.ts';
import { countDeliverableRecords } from './read-stream-page.ts';

export type EndpointView = Pick<EndpointRecord, 'id' | 'url' | 'description' | 'types' | 'createdAtMs'> & {
  readonly status: EndpointRecord['status'] | 'DISABLED_BY_FAILURES';
  readonly lastDeliveredAtMs: number | undefined;
  /**
   * Exact within the store's next 1,000 events. Later events all count, even those that the endpoint does not receive.
   */
  readonly waitingCount: number;
  readonly oldestWaitingAtMs: number | undefined;
};

export type InspectedEndpoint = EndpointView &
  Pick<EndpointDeliveryState, 'failingSinceMs' | 'pausedUntilMs'> & {
    readonly disabled: { readonly reason: 'GONE' | 'FAILING'; readonly atMs: number } | undefined;
    /** When the secrets were created and until when the older one signs; never the secrets. */
    readonly secrets: readonly Omit<SealedSecret, 'box'>[];
    /** The lowest unprocessed number of the store's stream. */
    readonly cursor: number;
    /** The number of processed events beyond the cursor. */
    readonly aboveCursor: number;
    /** The last number of the stream; undefined when it is empty. */
    readonly streamEnd: number | undefined;
    /** By contract, the events that wait behind a refused one: parked ones first. */
    readonly held: readonly WaitingEvents[];
  };

/** `number`: the refused event's, with which it can be resent. `answer`: a status, or why there was none. */
export type WaitingEvents = Pick<Backlog, 'refusals' | 'answer' | 'refusedAtMs'> & {
  /** The contract's number; undefined when the events belong to none. */
  readonly contract: string | undefined;
  readonly state: 'RETRYING' | 'PARKED' | 'LEFT';
  readonly number: number | undefined;
  readonly count: number;
  readonly nextAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Returns the store's view of an endpoint.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readEndpointView(deps: Deps, endpoint: EndpointRecord): Promise<EndpointView> {
  const { id, url, description, types, createdAtMs } = endpoint;
  const deliveryState = await readStateAfterRequestedReplay(deps.table, endpoint);
  const waitingEvents = await countWaitingEvents(deps, endpoint, deliveryState);
  return {
    ...{ id, url, description, types, createdAtMs, ...waitingEvents },
    status: isDisabledByWorker(endpoint, deliveryState) ? 'DISABLED_BY_FAILURES' : endpoint.status,
    lastDeliveredAtMs: deliveryState.lastAcceptedAtMs,
  };
}

function isDisabledByWorker(
  { status, version }: EndpointRecord,
  { disabled }: EndpointDeliveryState,
): boolean {
  return status === 'ENABLED' && disabled?.endpointVersion === version;
}

/** Counts the events after the cursor, and those in backlogs to retry. */
async function countWaitingEvents(
  deps: Deps,
  endpoint: EndpointRecord,
  deliveryState: EndpointDeliveryState,
) {
  const { passed } = deliveryState;
  const backlogs = await listBacklogsAfterRequestedReplay(deps.table, endpoint, {
    head: deliveryState,
    keyState: 'RETRYING',
  });
  const waitingNumbers = backlogs.flatMap(({ numbers }) => numbers).sort((one, other) => one - other);
  const eventsAhead = await countDeliverableRecords(deps, endpoint, {
    fromNumber: passed.cursor,
    without: passed.above,
  });
  const [oldestWaitingRecord] =
    waitingNumbers[0] === undefined
      ? []
      : await readStream(deps, endpoint.shopId, { fromNumber: waitingNumbers[0], limit: 1 });
  return {
    waitingCount: eventsAhead.count + waitingNumbers.length,
    oldestWaitingAtMs: (oldestWaitingRecord ?? eventsAhead.first)?.placedAtMs,
  };
}

/**
 * Reads the endpoint's full state, as the worker has it.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function inspectEndpoint(deps: Deps, endpoint: EndpointRecord): Promise<InspectedEndpoint> {
  const deliveryState = await readEndpointDeliveryState(deps.table, endpoint);
  const parkedBacklogs = await listBacklogs(deps.table, endpoint, 'PARKED');
  const retryingBacklogs = await listBacklogs(deps.table, endpoint, 'RETRYING');
  const endpointView = await readEndpointView(deps, endpoint);
  const { failingSinceMs, pausedUntilMs, disabled, passed } = deliveryState;
  const isDisabledByFailures = endpointView.status === 'DISABLED_BY_FAILURES' && disabled !== undefined;
  return {
    ...endpointView,
    ...{ failingSinceMs, pausedUntilMs },
    disabled: isDisabledByFailures ? { reason: disabled.reason, atMs: disabled.atMs } : undefined,
    secrets: endpoint.secrets.map(({ box: _sealed, ...times }) => times),
    ...{ cursor: passed.cursor, aboveCursor: passed.above.size },
    streamEnd: (await readStreamHead(deps, endpoint.shopId))?.number,
    held: [...parkedBacklogs, ...retryingBacklogs].map(toWaitingEvents),
  };
}

/** A backlog that is being moved is shown in its target state. */
function toWaitingEvents({ of, state, numbers, nextAtMs, ...backlog }: Backlog): WaitingEvents {
  const { refusals, answer, refusedAtMs } = backlog;
  const targetState = state === 'PARKING' ? 'PARKED' : state === 'RELEASING' ? 'RETRYING' : state;
  return {
    contract: of.startsWith('#') ? undefined : of,
    ...{ state: targetState, number: numbers[0], count: numbers.length, refusals, answer, refusedAtMs },
    nextAtMs: targetState === 'RETRYING' && nextAtMs > 0 ? nextAtMs : undefined,
  };
}

/**
 * Reads the head: no event of the requested replay counts as processed.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readStateAfterRequestedReplay(
  table: Pick<Table, 'get'>,
  endpoint: EndpointRecord,
): Promise<EndpointDeliveryState> {
  const head = await readEndpointDeliveryState(table, endpoint);
  const replay = findUnappliedReplay(endpoint, head);
  if (replay !== undefined) markNumbersUnprocessedFrom(head.passed, replay.fromNumber);
  return head;
}

/**
 * Lists the backlogs with one kind of key, without the events of the requested replay.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listBacklogsAfterRequestedReplay(
  table: Pick<Table, 'query'>,
  endpoint: EndpointRecord,
  { head, keyState }: { readonly head: EndpointDeliveryState; readonly keyState: 'RETRYING' | 'PARKED' },
): Promise<Backlog[]> {
  const unappliedReplay = findUnappliedReplay(endpoint, head);
  const replayStartNumber = Math.min(unappliedReplay?.fromNumber ?? Infinity, head.replayingFrom ?? Infinity);
  const backlogs = await listBacklogs(table, endpoint, keyState);
  return backlogs.flatMap((backlog) => {
    const remainingNumbers = backlog.numbers.filter((number) => number < replayStartNumber);
    return remainingNumbers.length === 0 ? [] : [{ ...backlog, numbers: remainingNumbers }];
  });
}

/** Returns the replay request that the worker has not applied. */
export function findUnappliedReplay(
  { replay }: EndpointRecord,
  { replayId }: Pick<EndpointDeliveryState, 'replayId'>,
): EndpointRecord['replay'] {
  return replay?.id === replayId ? undefined : replay;
}
