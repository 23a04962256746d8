/** All that is known of an endpoint, for operators: beyond what its store sees, where the worker stands and what it holds. */
import { readHead as readStreamHead } from '../../storage/stream/read-stream.ts';
import type { Table } from '../../storage/table.ts';
import { type Backlog, listBacklogs } from '../deliver/backlog.ts';
import { type DeliveryHead, readHead } from '../deliver/delivery-head.ts';
import type { EndpointRecord, SealedSecret } from '../endpoints.ts';
import { type ShownEndpoint, showEndpoint } from './show-endpoint.ts';

export type InspectedEndpoint = ShownEndpoint &
  Pick<DeliveryHead, 'failingSinceMs' | 'pausedUntilMs'> & {
    readonly disabled: { readonly reason: 'GONE' | 'FAILING'; readonly atMs: number } | undefined;
    /** When the secrets were made and until when the older one signs; never what they are. */
    readonly secrets: readonly Omit<SealedSecret, 'box'>[];
    /** The lowest number of the store's stream that the endpoint is not done with. */
    readonly cursor: number;
    /** How many numbers beyond the cursor it is done with. */
    readonly aboveCursor: number;
    /** The last number of the stream; undefined: nothing is in it. */
    readonly streamEnd: number | undefined;
    /** By contract, what waits behind a refused event: parked ones first. */
    readonly held: readonly HeldEvents[];
  };

/** `number`: of the refused event, by which it is sent again. `answer`: a status, or why there was none. */
export type HeldEvents = Pick<Backlog, 'refusals' | 'answer'> & {
  /** Its number; undefined: the event belongs to none. */
  readonly contract: string | undefined;
  readonly state: 'RETRYING' | 'PARKED' | 'LEFT';
  readonly number: number | undefined;
  readonly count: number;
  readonly refusedAtMs: number | undefined;
  readonly nextAtMs: number | undefined;
};

type Deps = { readonly table: Table; readonly now: () => number };

/** TEMPORARILY_UNAVAILABLE. */
export async function inspectEndpoint(deps: Deps, endpoint: EndpointRecord): Promise<InspectedEndpoint> {
  const { id: endpointId, shopId, startsAt, secrets } = endpoint;
  const of = { shopId, endpointId };
  const head = await readHead(deps.table, { ...of, startsAt });
  const parked = await listBacklogs(deps.table, { ...of, place: 'PARKED' });
  const retrying = await listBacklogs(deps.table, { ...of, place: 'RETRYING' });
  const shown = await showEndpoint(deps, endpoint);
  const { failingSinceMs, pausedUntilMs, disabled, passed } = head;
  const isDisabled = shown.status === 'DISABLED_BY_FAILURES' && disabled !== undefined;
  return {
    ...shown,
    ...{ failingSinceMs, pausedUntilMs },
    disabled: isDisabled ? { reason: disabled.reason, atMs: disabled.atMs } : undefined,
    secrets: secrets.map(({ box: _sealed, ...times }) => times),
    ...{ cursor: passed.cursor, aboveCursor: passed.above.size },
    streamEnd: (await readStreamHead(deps, shopId))?.number,
    held: [...parked, ...retrying].map(toHeld),
  };
}

/** A backlog between its two places is where it is on its way to. */
function toHeld({ of, state, numbers, refusals, answer, refusedAtMs, nextAtMs }: Backlog): HeldEvents {
  const place = state === 'PARKING' ? 'PARKED' : state === 'RELEASING' ? 'RETRYING' : state;
  return {
    contract: of.startsWith('#') ? undefined : of,
    ...{ state: place, number: numbers[0], count: numbers.length, refusals, answer, refusedAtMs },
    nextAtMs: place === 'RETRYING' && nextAtMs > 0 ? nextAtMs : undefined,
  };
}
