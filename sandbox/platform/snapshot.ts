/** Serializes the state, so that it survives a restart: maps become tagged lists, all other values are JSON already. */
import { createOrderTable } from './state/add-order.ts';
import { AttemptTable } from './state/attempt-table.ts';
import type { PlatformState } from './state/state.ts';
import { TouchedMap } from './state/tables/touched-map.ts';

/** Returns a copy of the state that contains only JSON values. */
export function serializeState(state: PlatformState): unknown {
  return JSON.parse(
    JSON.stringify(state, (_key, value) => (value instanceof Map ? { $map: [...value] } : value)),
  );
}

/**
 * Restores the state from the result of `serializeState`.
 * @throws Error for any other value
 */
export function restoreState(json: unknown): PlatformState {
  const snapshotState = copyWithMaps(json) as PlatformState | undefined;
  if (!(snapshotState?.stores instanceof Map) || !Array.isArray(snapshotState.mails)) {
    throw new Error('The kept platform state cannot be read: remove the data folder and start again.');
  }
  for (const store of snapshotState.stores.values()) {
    store.contracts = new TouchedMap(store.contracts);
    store.paymentMethods = new TouchedMap(store.paymentMethods);
    store.attempts = new AttemptTable(store.attempts);
    store.orders = createOrderTable(store.orders);
  }
  return snapshotState;
}

/** Copies JSON and turns tagged lists into maps. A function that `JSON.parse` calls for each value takes several times as long. */
function copyWithMaps(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(copyWithMaps);
  if ('$map' in json && Array.isArray(json.$map)) {
    return new Map(json.$map.map(([key, value]) => [key, copyWithMaps(value)]));
  }
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(json)) copy[name] = copyWithMaps(value);
  return copy;
}
