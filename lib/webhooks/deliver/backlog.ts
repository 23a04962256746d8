/**
 * A contract's events from the one that an endpoint refused on: they wait behind it, so that their order holds, and no
 * other contract waits. A backlog is retried on a schedule, or parked until somebody sends it again.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import { deliveryPartition } from './delivery-head.ts';

/**
 * RETRYING and PARKED lie under keys of their own, so that those to retry are found without the parked ones. On the way
 * from one to the other both are there; the state of the first says where it goes.
 */
export type Backlog = {
  readonly shopId: ShopId;
  readonly endpointId: string;
  /** The contract's number; or the event's, for what belongs to no contract. */
  readonly of: string;
  readonly state: 'RETRYING' | 'PARKING' | 'RELEASING' | 'PARKED' | 'LEFT';
  /** Numbers of the stream, in order; the first is the one that was refused. */
  readonly numbers: readonly number[];
  /** In a row, of the first; 0 after one was accepted. */
  readonly refusals: number;
  /** Whether its count began anew once, after the endpoint had been down. A second time would keep it from being parked. */
  readonly isForgiven: boolean;
  /** Times in epoch milliseconds. */
  readonly firstRefusedAtMs: number | undefined;
  readonly refusedAtMs: number | undefined;
  readonly nextAtMs: number;
  /** The endpoint wants nothing of it before. */
  readonly notBeforeMs: number;
  /** What the endpoint answered last: a status, or why there was none. */
  readonly answer: number | string | undefined;
  /** 0: it was never written. */
  readonly version: number;
};

/** LEFT: a replay began behind these events; they can still be sent again, and hold nobody up. */
export function holdsUp({ state }: Backlog): boolean {
  return state !== 'LEFT';
}

type Place = 'RETRYING' | 'PARKED';
const LIFE_SECONDS = 40 * 86_400;

/** Writes it as the next version, and returns that; undefined: another worker has written. TEMPORARILY_UNAVAILABLE. */
export async function writeBacklog(
  table: Pick<Table, 'put' | 'delete'>,
  backlog: Backlog,
  nowMs: number,
): Promise<Backlog | undefined> {
  const next = { ...backlog, version: backlog.version + 1 };
  const item = { ...backlogKey(backlog), ...next, expiresAt: Math.ceil(nowMs / 1000) + LIFE_SECONDS };
  return (await table.put(item, ifUnchanged(backlog))) === 'done' ? next : undefined;
}

/** Removes it. `refused`: another worker has written. TEMPORARILY_UNAVAILABLE. */
export function removeBacklog(
  table: Pick<Table, 'put' | 'delete'>,
  backlog: Backlog,
): Promise<'done' | 'refused'> {
  return table.delete(backlogKey(backlog), ifUnchanged(backlog));
}

/** All that are to be retried, or all that are parked. TEMPORARILY_UNAVAILABLE. */
export async function listBacklogs(
  table: Pick<Table, 'query'>,
  { shopId, endpointId, place }: { shopId: ShopId; endpointId: string; place: Place },
): Promise<Backlog[]> {
  const prefix = `${endpointId}#${place}#`;
  const values = { ':pk': deliveryPartition(shopId), ':from': prefix, ':to': `${prefix}~` };
  const backlogs: Backlog[] = [];
  let startKey: Item | undefined;
  do {
    const { items, nextKey } = await table.query({
      keyCondition: 'pk = :pk AND sk BETWEEN :from AND :to',
      values,
      consistent: true,
      ...(startKey && { startKey }),
    });
    backlogs.push(...items.map(toBacklog));
    startKey = nextKey;
  } while (startKey !== undefined);
  return backlogs;
}

/** Those of these contracts that are parked. TEMPORARILY_UNAVAILABLE. */
export async function findParked(
  table: Pick<Table, 'batchGet'>,
  { shopId, endpointId }: { shopId: ShopId; endpointId: string },
  all: readonly string[],
): Promise<Backlog[]> {
  const items = await table.batchGet(all.map((of) => keyAt({ shopId, endpointId, of }, 'PARKED')));
  return items.filter((item) => item !== undefined).map(toBacklog);
}

function ifUnchanged({ version }: Backlog) {
  if (version === 0) return { condition: 'attribute_not_exists(pk)' };
  return { condition: 'version = :version', values: { ':version': version } };
}

function backlogKey(backlog: Backlog): ItemKey {
  const isParked = backlog.state === 'PARKED' || backlog.state === 'LEFT';
  return keyAt(backlog, isParked ? 'PARKED' : 'RETRYING');
}

function keyAt(
  { shopId, endpointId, of }: Pick<Backlog, 'shopId' | 'endpointId' | 'of'>,
  place: Place,
): ItemKey {
  return { pk: deliveryPartition(shopId), sk: `${endpointId}#${place}#${of}` };
}

function toBacklog({ pk: _pk, sk: _sk, expiresAt: _expiresAt, ...backlog }: Item): Backlog {
  const absent = { firstRefusedAtMs: undefined, refusedAtMs: undefined, answer: undefined };
  return { ...absent, ...backlog } as unknown as Backlog;
}
