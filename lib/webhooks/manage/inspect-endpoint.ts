/** An endpoint for operators: the store's view, the worker's position, and the backlogs. */
import { readHead as readStreamHead } from '../../storage/stream/read-stream.ts';
import type { Table } from '../../storage/table.ts';
import { type Backlog, listBacklogs } from '../deliver/backlog.ts';
import { type DeliveryHead, readHead } from '../deliver/delivery-head.ts';
import type { EndpointRecord, SealedSecret } from '../endpoints.ts';
import { type EndpointView, showEndpoint } from './show-endpoint.ts';

export type InspectedEndpoint = EndpointView &
  Pick<DeliveryHead, 'failingSinceMs' | 'pausedUntilMs'> & {
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
export type WaitingEvents = Pick<Backlog, 'refusals' | 'answer'> & {
  /** The contract's number; undefined when the event belongs to none. */
  readonly contract: string | undefined;
  readonly state: 'RETRYING' | 'PARKED' | 'LEFT';
  readonly number: number | undefined;
  readonly count: number;
  readonly refusedAtMs: number | undefined;
  readonly nextAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Reads the endpoint's full state.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function inspectEndpoint(deps: Deps, endpoint: EndpointRecord): Promise<InspectedEndpoint> {
  const { id: endpointId, shopId, startsAt, secrets } = endpoint;
  const of = { shopId, endpointId };
  const head = await readHead(deps.table, { ...of, startsAt });
  const parked = await listBacklogs(deps.table, { ...of, place: 'PARKED' });
  const retrying = await listBacklogs(deps.table, { ...of, place: 'RETRYING' });
  const view = await showEndpoint(deps, endpoint);
  const { failingSinceMs, pausedUntilMs, disabled, passed } = head;
  const isDisabled = view.status === 'DISABLED_BY_FAILURES' && disabled !== undefined;
  return {
    ...view,
    ...{ failingSinceMs, pausedUntilMs },
    disabled: isDisabled ? { reason: disabled.reason, atMs: disabled.atMs } : undefined,
    secrets: secrets.map(({ box: _sealed, ...times }) => times),
    ...{ cursor: passed.cursor, aboveCursor: passed.above.size },
    streamEnd: (await readStreamHead(deps, shopId))?.number,
    held: [...parked, ...retrying].map(toWaitingEvents),
  };
}

/** A backlog that is being moved is shown in its target state. */
function toWaitingEvents({
  of,
  state,
  numbers,
  refusals,
  answer,
  refusedAtMs,
  nextAtMs,
}: Backlog): WaitingEvents {
  const place = state === 'PARKING' ? 'PARKED' : state === 'RELEASING' ? 'RETRYING' : state;
  return {
    contract: of.startsWith('#') ? undefined : of,
    ...{ state: place, number: numbers[0], count: numbers.length, refusals, answer, refusedAtMs },
    nextAtMs: place === 'RETRYING' && nextAtMs > 0 ? nextAtMs : undefined,
  };
}
