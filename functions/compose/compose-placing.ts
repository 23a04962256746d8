/** Events and entries are placed in stores' streams by the workers alone. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createPlacing, type PlaceInStream } from '../../lib/storage/stream/place-in-stream.ts';
import type { Table } from '../../lib/storage/table.ts';
import { createWakeMarks } from '../../lib/storage/wakes/wake-marks.ts';

/** Many containers at once may place in one store's stream. */
const BACK_OFF_MS = { first: 10, most: 320 };

type Deps = { readonly table: Table; readonly now: () => number };

/** The placing of one container, which wakes who delivers. */
export function composePlacing(deps: Deps): PlaceInStream {
  return createPlacing({ ...deps, wake: wakesDelivery(deps), backOff });
}

/** The placing of the worker that wakes a store by itself, once for many. */
export function composeSilentPlacing(deps: Deps): PlaceInStream {
  return createPlacing({ ...deps, wake: async () => undefined, backOff });
}

/** Wakes the delivery to a store's endpoints. TEMPORARILY_UNAVAILABLE. */
export function wakesDelivery(deps: Deps): (shopId: ShopId) => Promise<void> {
  const { wake } = createWakeMarks({ ...deps, newId: randomUUID });
  return (shopId) => wake('webhook-deliveries', shopId);
}

async function backOff(tries: number): Promise<void> {
  await wait(Math.random() * Math.min(BACK_OFF_MS.first * 2 ** tries, BACK_OFF_MS.most));
}
