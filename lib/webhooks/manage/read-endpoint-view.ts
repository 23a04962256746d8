/**
 * Reads the state of an endpoint: a view for the store, and in full for operators. The view counts the events of a replay
 * request as waiting at once, although the worker applies the request only at its next run.
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
   * The number of events that wait for the endpoint. Exact within the next 1,000 events of the store; all later events count,
   * even those that the endpoint does not receive.
   */
  readonly waitingCount: number;
  readonly oldestWaitingAtMs: number | undefined;
};

export type InspectedEndpoint = EndpointView &
  Pick<EndpointDeliveryState, 'failingSinceMs' | 'pausedUntilMs'> & {
    readonly disabled: { readonly reason: 'GONE' | 'FAILING'; readonly atMs: number } | undefined;
    /** When each secret was created, and until when a replaced secret signs; never the secrets themselves. */
    readonly secrets: readonly Omit<SealedSecret, 'box'>[];
    /** The lowest unprocessed number of the store's stream. */
    readonly cursor: number;
    /** The number of processed events beyond the cursor. */
    readonly aboveCursor: number;
    /** The last number of the stream; undefined when it is empty. */
    readonly streamEnd: number | undefined;
    /** The refused events of each contract, with the events that wait behind them: parked ones first. */
    readonly held: readonly WaitingEvents[];
  };

/**
 * A backlog as operators see it. `number`: that of the refused event, by which it can be resent. `answer`: the status of the
 * last response, or why there was none. `count`: the number of events, with the refused one.
 */
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

/** Counts the unprocessed events from the cursor on, and the events in backlogs to retry. */
async function countWaitingEvents(
  deps: Deps,
  endpoint: EndpointRecord,
  deliveryState: EndpointDeliveryState,
) {
  const { processedNumbers } = deliveryState;
  const backlogs = await listBacklogsAfterRequestedReplay(deps.table, endpoint, {
    deliveryState,
    keyState: 'RETRYING',
  });
  const waitingNumbers = backlogs.flatMap(({ numbers }) => numbers).sort((one, other) => one - other);
  const eventsAhead = await countDeliverableRecords(deps, endpoint, {
    fromNumber: processedNumbers.cursor,
    excludedNumbers: processedNumbers.above,
  });
  const [oldestWaitingRecord] =
    waitingNumbers[0] === undefined
      ? []
      : await readStream(deps, endpoint.shopId, { fromNumber: waitingNumbers[0], limit: 1 });
  return {
    waitingCount: eventsAhead.count + waitingNumbers.length,
    oldestWaitingAtMs: (oldestWaitingRecord ?? eventsAhead.firstRecord)?.placedAtMs,
  };
}

/**
 * Reads the endpoint's full state for operators, as the worker has it.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function inspectEndpoint(deps: Deps, endpoint: EndpointRecord): Promise<InspectedEndpoint> {
  const deliveryState = await readEndpointDeliveryState(deps.table, endpoint);
  const parkedBacklogs = await listBacklogs(deps.table, endpoint, 'PARKED');
  const retryingBacklogs = await listBacklogs(deps.table, endpoint, 'RETRYING');
  const endpointView = await readEndpointView(deps, endpoint);
  const { failingSinceMs, pausedUntilMs, disabled, processedNumbers } = deliveryState;
  const isDisabledByFailures = endpointView.status === 'DISABLED_BY_FAILURES' && disabled !== undefined;
  return {
    ...endpointView,
    ...{ failingSinceMs, pausedUntilMs },
    disabled: isDisabledByFailures ? { reason: disabled.reason, atMs: disabled.atMs } : undefined,
    secrets: endpoint.secrets.map(({ box: _sealed, ...times }) => times),
    ...{ cursor: processedNumbers.cursor, aboveCursor: processedNumbers.above.size },
    streamEnd: (await readStreamHead(deps, endpoint.shopId))?.number,
    held: [...parkedBacklogs, ...retryingBacklogs].map(toWaitingEvents),
  };
}

/** Converts a backlog to the operators' form. A backlog that is being moved is shown in its target state. */
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
 * Reads the worker's state, in which no event of a requested replay counts as processed, although it may not be applied yet.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readStateAfterRequestedReplay(
  table: Pick<Table, 'get'>,
  endpoint: EndpointRecord,
): Promise<EndpointDeliveryState> {
  const deliveryState = await readEndpointDeliveryState(table, endpoint);
  const replay = findUnappliedReplay(endpoint, deliveryState);
  if (replay !== undefined) markNumbersUnprocessedFrom(deliveryState.processedNumbers, replay.fromNumber);
  return deliveryState;
}

/**
 * Lists the backlogs to retry, or the parked ones, without the events that a requested replay will send again.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listBacklogsAfterRequestedReplay(
  table: Pick<Table, 'query'>,
  endpoint: EndpointRecord,
  {
    deliveryState,
    keyState,
  }: { readonly deliveryState: EndpointDeliveryState; readonly keyState: 'RETRYING' | 'PARKED' },
): Promise<Backlog[]> {
  const unappliedReplay = findUnappliedReplay(endpoint, deliveryState);
  const replayStartNumber = Math.min(
    unappliedReplay?.fromNumber ?? Infinity,
    deliveryState.replayingFrom ?? Infinity,
  );
  const backlogs = await listBacklogs(table, endpoint, keyState);
  return backlogs.flatMap((backlog) => {
    const remainingNumbers = backlog.numbers.filter((number) => number < replayStartNumber);
    return remainingNumbers.length === 0 ? [] : [{ ...backlog, numbers: remainingNumbers }];
  });
}

/** Returns the endpoint's replay request if the worker has not applied it yet. */
export function findUnappliedReplay(
  { replay }: EndpointRecord,
  { replayId }: Pick<EndpointDeliveryState, 'replayId'>,
): EndpointRecord['replay'] {
  return replay?.id === replayId ? undefined : replay;
}
