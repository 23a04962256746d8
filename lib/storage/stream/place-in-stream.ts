/**
 * Places what happened at the next number of the store's stream: one write under the condition that nothing is there,
 * tried again where another was faster. Then the worker that tells merchants' servers is woken.
 */
import { createRecentlyUsed } from '../../domain/recently-used.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Table } from '../table.ts';
import {
  type Placing,
  STREAM_LIFE_MS,
  type StreamRecord,
  streamFrom,
  streamStartKey,
  toStreamItem,
  toStreamRecord,
} from './stream-record.ts';

/**
 * Places one, and wakes who delivers. Once it has returned, the placing is found, and only then may what it was made of
 * (an intent, a mark) go: a crash places it again. TEMPORARILY_UNAVAILABLE: perhaps it was placed.
 */
export type PlaceInStream = (placing: Placing) => Promise<void>;

type Deps = {
  readonly table: Pick<Table, 'put' | 'query'>;
  readonly wake: (shopId: ShopId) => Promise<void>;
  readonly now: () => number;
  /** Waits a little, at random, longer the more tries were in vain. */
  readonly backOff: (tries: number) => Promise<void>;
};

const MOST_TRIES = 20;
const MOST_STORES = 1_000;
/** Far less than records live: a number behind the head is taken, never free again. */
const REMEMBER_MS = 600_000;
/** The last records are looked at for one's own, whose answer was lost. */
const LAST_RECORDS = 10;

/** A container's placing. Those of one store follow one another, so they never stand in each other's way. */
export function createPlacing(deps: Deps): PlaceInStream {
  const heads = createRecentlyUsed<ShopId, { readonly number: number; readonly seenAtMs: number }>(
    MOST_STORES,
  );
  const lasts = new Map<ShopId, Promise<void>>();

  async function place(placing: Placing): Promise<void> {
    const { shopId } = placing;
    const head = heads.get(shopId);
    const isFresh = head !== undefined && deps.now() - head.seenAtMs < REMEMBER_MS;
    const number = await placeFrom(deps, placing, isFresh ? head.number + 1 : undefined);
    heads.set(shopId, { number, seenAtMs: deps.now() });
  }

  return async (placing) => {
    const { shopId } = placing;
    const before = lasts.get(shopId) ?? Promise.resolve();
    const placed = before.catch(() => undefined).then(() => place(placing));
    lasts.set(shopId, placed);
    try {
      await placed;
    } finally {
      if (lasts.get(shopId) === placed) lasts.delete(shopId);
    }
    await deps.wake(shopId);
  };
}

/** The head once it is placed; `remembered`: the number behind what was the head a while ago. */
async function placeFrom(deps: Deps, placing: Placing, remembered?: number): Promise<number> {
  const { table, now, backOff } = deps;
  let number = remembered ?? (await nextNumber(deps, placing.shopId));
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const item = toStreamItem({ ...placing, number, placedAtMs: now() });
    if ((await table.put(item, { condition: 'attribute_not_exists(pk)' })) === 'done') return number;
    await backOff(tries);
    const last = await readLast(deps, placing.shopId);
    const head = last[0]?.number ?? number;
    // A second try of the same request is refused by the first, whose answer was lost.
    if (last.some((record) => record.id === placing.id && record.number >= number)) return head;
    number = head + 1;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'too many place in this stream at once' });
}

async function nextNumber(deps: Deps, shopId: ShopId): Promise<number> {
  const [head] = await readLast(deps, shopId);
  return head === undefined ? startOf(deps, shopId) : head.number + 1;
}

/** Newest first, consistently read. */
async function readLast({ table }: Deps, shopId: ShopId): Promise<StreamRecord[]> {
  const { items } = await table.query({ ...streamFrom(shopId), descending: true, limit: LAST_RECORDS });
  return items.map(toStreamRecord);
}

/**
 * The first number of a stream that is empty: because it is new, or because all that it held has expired. It is the time
 * in milliseconds, and so above all before it: nobody places a thousand a second for a month. All who find the stream
 * empty agree on it by one item, which counts as long as what was placed at it would be there.
 */
async function startOf({ table, now }: Deps, shopId: ShopId): Promise<number> {
  const key = streamStartKey(shopId);
  const start = { ...key, shopId, number: now(), startedAtMs: now() };
  const outcome = await table.put(start, {
    condition: 'attribute_not_exists(pk) OR startedAtMs < :expired',
    values: { ':expired': now() - STREAM_LIFE_MS },
  });
  if (outcome === 'done') return start.number;
  const values = { ':pk': key.pk, ':sk': key.sk };
  const { items } = await table.query({ keyCondition: 'pk = :pk AND sk = :sk', values, consistent: true });
  return Number(items[0]?.number ?? start.number);
}
