/** What the worker knows of an endpoint as a whole. What the store configures lies in an item of its own. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import { type Passed, readPassed, writeAbove } from './passed-numbers.ts';

/** Times in epoch milliseconds. */
export type DeliveryHead = {
  readonly shopId: ShopId;
  readonly endpointId: string;
  /** 0: it was never written. */
  version: number;
  readonly passed: Passed;
  lastAcceptedAtMs: number | undefined;
  /** The first refusal since the last event that was accepted. */
  failingSinceMs: number | undefined;
  /** The service had sent nothing for hours: refusals before that do not count. */
  resumedAtMs: number | undefined;
  /** An endpoint that refused many contracts' events accepted one again: refusals before that do not count. */
  recoveredAtMs: number | undefined;
  /** The store changed it, or enabled it again: what it had wanted before does not count. */
  changedAtMs: number | undefined;
  /** While it was down, when it was last asked with an event that no schedule called for. */
  probedAtMs: number | undefined;
  /** Nothing is sent before, for the endpoint asked for time. */
  pausedUntilMs: number | undefined;
  /** False: no contract is parked, and nobody has to look. */
  mayHaveParked: boolean;
  /** The version of the endpoint that was served last. */
  endpointVersion: number | undefined;
  /** Counts while the endpoint has this version: whoever enables it again makes another. */
  disabled: Disabled | undefined;
  /** The wish to replay that was taken up last, and while it is under way the number from which on. */
  replayId: string | undefined;
  replayingFrom: number | undefined;
  /** The wishes to send again that were taken up. */
  resendIds: readonly string[];
};

export type Disabled = {
  readonly endpointVersion: number;
  /** GONE: it answered 410. FAILING: it accepted nothing for 24 hours. */
  readonly reason: 'GONE' | 'FAILING';
  readonly atMs: number;
  /** Whether the store's timeline and the operators know. */
  readonly isTold: boolean;
};

/** The partition of all that the worker knows of a store's endpoints. */
export function deliveryPartition(shopId: ShopId): string {
  return `DELIVERY#${shopId}`;
}

function headKey(shopId: ShopId, endpointId: string): ItemKey {
  return { pk: deliveryPartition(shopId), sk: endpointId };
}

/** Removes it with its endpoint: a worker that is at it finds another version. TEMPORARILY_UNAVAILABLE. */
export async function removeHead(
  table: Pick<Table, 'delete'>,
  { shopId, endpointId }: Omit<HeadOf, 'startsAt'>,
): Promise<void> {
  await table.delete(headKey(shopId, endpointId));
}

type HeadOf = { readonly shopId: ShopId; readonly endpointId: string; readonly startsAt: number };

/** What is known, or where an endpoint begins. TEMPORARILY_UNAVAILABLE. */
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

/** Writes it as the next version. `refused`: another worker has written since it was read. TEMPORARILY_UNAVAILABLE. */
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
