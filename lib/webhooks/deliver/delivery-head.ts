/** The worker's state of an endpoint as a whole. The store's configuration has its own item. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import { type Passed, readPassed, writeAbove } from './passed-numbers.ts';

/** Times in epoch milliseconds. */
export type DeliveryHead = {
  readonly shopId: ShopId;
  readonly endpointId: string;
  /** 0 if it was never written. */
  version: number;
  readonly passed: Passed;
  lastAcceptedAtMs: number | undefined;
  /** The first refusal since the last accepted event. */
  failingSinceMs: number | undefined;
  /** When the service resumed after hours of inactivity: earlier refusals do not count. */
  resumedAtMs: number | undefined;
  /** When the endpoint, after refusing many contracts' events, accepted one again: earlier refusals do not count. */
  recoveredAtMs: number | undefined;
  /** When the store changed the endpoint, or enabled it again: earlier `Retry-After` times do not count. */
  changedAtMs: number | undefined;
  /** When an endpoint that is down last received a probe outside the schedule. */
  probedAtMs: number | undefined;
  /** No event is sent before, because the endpoint requested a delay. */
  pausedUntilMs: number | undefined;
  /** False when no contract is parked, so no read is necessary. */
  mayHaveParked: boolean;
  /** The endpoint's version in the last run. */
  endpointVersion: number | undefined;
  /** Valid while the endpoint has this version: enabling it again creates another version. */
  disabled: Disabled | undefined;
  /** The last replay request that was applied, and while it is in progress its first number. */
  replayId: string | undefined;
  replayingFrom: number | undefined;
  /** The resend requests that were applied. */
  resendIds: readonly string[];
};

export type Disabled = {
  readonly endpointVersion: number;
  /** GONE: the endpoint returned 410. FAILING: it accepted nothing for 24 hours. */
  readonly reason: 'GONE' | 'FAILING';
  readonly atMs: number;
  /** Whether the store's timeline and the operators were notified. */
  readonly isTold: boolean;
};

/** Returns the partition of the worker's state of a store's endpoints. */
export function deliveryPartition(shopId: ShopId): string {
  return `DELIVERY#${shopId}`;
}

function headKey(shopId: ShopId, endpointId: string): ItemKey {
  return { pk: deliveryPartition(shopId), sk: endpointId };
}

/**
 * Removes the head with its endpoint: a running worker then detects another version.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function removeHead(
  table: Pick<Table, 'delete'>,
  { shopId, endpointId }: Omit<HeadOf, 'startsAt'>,
): Promise<void> {
  await table.delete(headKey(shopId, endpointId));
}

type HeadOf = { readonly shopId: ShopId; readonly endpointId: string; readonly startsAt: number };

/**
 * Reads the state, or the initial state of a new endpoint.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readHead(
  table: Pick<Table, 'get'>,
  { shopId, endpointId, startsAt }: HeadOf,
): Promise<DeliveryHead> {
  const item: Item | undefined = await table.get(headKey(shopId, endpointId));
  const { pk: _pk, sk: _sk, cursor = startsAt, above = '', ...known } = item ?? { pk: '', sk: '' };
  return {
    version: 0,
    lastAcceptedAtMs: undefined,
    failingSinceMs: undefined,
    resumedAtMs: undefined,
    recoveredAtMs: undefined,
    changedAtMs: undefined,
    probedAtMs: undefined,
    pausedUntilMs: undefined,
    mayHaveParked: false,
    endpointVersion: undefined,
    disabled: undefined,
    replayId: undefined,
    replayingFrom: undefined,
    resendIds: [],
    ...known,
    shopId,
    endpointId,
    passed: readPassed(Number(cursor), String(above)),
  };
}

/**
 * Writes the head as the next version. `refused`: another worker has written since it was read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function writeHead(table: Pick<Table, 'put'>, head: DeliveryHead): Promise<'done' | 'refused'> {
  const { shopId, endpointId, passed, version, ...known } = head;
  const item = {
    ...headKey(shopId, endpointId),
    ...{ shopId, endpointId, ...known },
    ...{ cursor: passed.cursor, above: writeAbove(passed), version: version + 1 },
  };
  const condition = version === 0 ? 'attribute_not_exists(pk)' : 'version = :version';
  const outcome = await table.put(item, {
    condition,
    ...(version > 0 && { values: { ':version': version } }),
  });
  if (outcome === 'done') head.version = version + 1;
  return outcome;
}
