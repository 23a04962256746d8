/**
 * A contract's events from the first one that an endpoint refused: later events wait behind it to preserve the order,
 * and no other contract waits. A backlog is retried on a schedule, or parked until the store requests it again.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { queryAllPages } from '../../storage/query-all.ts';
import { type Item, type ItemKey, type Table, versionCondition } from '../../storage/table.ts';
import { type EndpointRef, endpointDeliveryPartition } from './endpoint-delivery-state.ts';

/**
 * RETRYING and PARKED have different keys, so that backlogs to retry are found without the parked ones. While a backlog is
 * moved, both items exist; the state of the item to retry shows the direction: PARKING or RELEASING.
 */
export type Backlog = {
  readonly shopId: ShopId;
  readonly endpointId: string;
  /** The ordering key: the contract's number, or `#` and the event's number if the event belongs to no contract. */
  readonly of: string;
  readonly state: 'RETRYING' | 'PARKING' | 'RELEASING' | 'PARKED' | 'LEFT';
  /** The stream numbers of the backlog's events, in order; the first is that of the refused event. */
  readonly numbers: readonly number[];
  /** The number of consecutive refusals of the first event; 0 when the event before it was accepted. */
  readonly refusals: number;
  /**
   * Whether the count of refusals was already reset once because the endpoint had been down. A second reset could
   * postpone parking forever.
   */
  readonly isForgiven: boolean;
  /** When the first event was first refused, epoch milliseconds, as are all times. */
  readonly firstRefusedAtMs?: number | undefined;
  /** When the first event was last refused. */
  readonly refusedAtMs?: number | undefined;
  /** When the first event is sent next. */
  readonly nextAtMs: number;
  /** Until when the endpoint's `Retry-After` postpones the first event; 0 without one. */
  readonly notBeforeMs: number;
  /** The endpoint's last response to the first event: an HTTP status, or why there was no response. */
  readonly answer?: number | string | undefined;
  /** 0 if the backlog was never written. */
  readonly version: number;
};

/** Whether the backlog blocks later events of its contract. Not LEFT: a replay began behind its events, which can be resent. */
export function isBacklogBlocking({ state }: Backlog): boolean {
  return state !== 'LEFT';
}

/** Whether the backlog's events are retried on a schedule. */
export function isBacklogRetried({ state }: Backlog): boolean {
  return state === 'RETRYING' || state === 'RELEASING';
}

type BacklogKeyState = 'RETRYING' | 'PARKED';
const BACKLOG_TTL_SECONDS = 40 * 86_400;

/**
 * Writes the backlog as the next version and returns it.
 * @returns undefined when another worker has written
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function writeBacklog(
  table: Pick<Table, 'put'>,
  backlog: Backlog,
  nowMs: number,
): Promise<Backlog | undefined> {
  const nextVersion = { ...backlog, version: backlog.version + 1 };
  const item = {
    ...backlogKey(backlog),
    ...nextVersion,
    expiresAt: Math.ceil(nowMs / 1000) + BACKLOG_TTL_SECONDS,
  };
  return (await table.put(item, versionCondition(backlog.version))) === 'done' ? nextVersion : undefined;
}

/**
 * Removes the backlog of one contract at one endpoint. `refused`: another worker has written it since it was read, and it
 * stays.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function removeBacklog(table: Pick<Table, 'delete'>, backlog: Backlog): Promise<'done' | 'refused'> {
  return table.delete(backlogKey(backlog), versionCondition(backlog.version));
}

/**
 * Lists all backlogs to retry, or all parked ones.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listBacklogs(
  table: Pick<Table, 'query'>,
  { shopId, id }: EndpointRef,
  keyState: BacklogKeyState,
): Promise<Backlog[]> {
  const keyPrefix = `${id}#${keyState}#`;
  const values = { ':pk': endpointDeliveryPartition(shopId), ':from': keyPrefix, ':to': `${keyPrefix}~` };
  const selection = { keyCondition: 'pk = :pk AND sk BETWEEN :from AND :to', values, consistent: true };
  return (await Array.fromAsync(queryAllPages(table, selection))).map(toBacklog);
}

/**
 * Finds the parked backlogs of these contracts.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findParkedBacklogs(
  table: Pick<Table, 'batchGet'>,
  endpoint: EndpointRef,
  contractKeys: readonly string[],
): Promise<Backlog[]> {
  const parkedItems = await table.batchGet(
    contractKeys.map((of) => backlogKeyInState(endpoint, 'PARKED', of)),
  );
  return parkedItems.filter((item) => item !== undefined).map(toBacklog);
}

function backlogKey({ shopId, endpointId: id, state, of }: Backlog): ItemKey {
  return backlogKeyInState(
    { shopId, id },
    state === 'PARKED' || state === 'LEFT' ? 'PARKED' : 'RETRYING',
    of,
  );
}

function backlogKeyInState({ shopId, id }: EndpointRef, keyState: BacklogKeyState, of: string): ItemKey {
  return { pk: endpointDeliveryPartition(shopId), sk: `${id}#${keyState}#${of}` };
}

function toBacklog({ pk: _pk, sk: _sk, expiresAt: _expiresAt, ...backlog }: Item): Backlog {
  return backlog as unknown as Backlog;
}
