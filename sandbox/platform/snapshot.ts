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
  const snapshotState = JSON.parse(JSON.stringify(json), (_key, value) =>
    Array.isArray(value?.$map) ? new Map(value.$map) : value,
  );
  if (!(snapshotState?.stores instanceof Map) || !Array.isArray(snapshotState.mails)) {
    throw new Error('The kept platform state cannot be read: remove the data folder and start again.');
  }
  for (const store of (snapshotState as PlatformState).stores.values()) {
    store.contracts = new TouchedMap(store.contracts);
    store.paymentMethods = new TouchedMap(store.paymentMethods);
    store.attempts = new AttemptTable(store.attempts);
    store.orders = createOrderTable(store.orders);
  }
  return snapshotState as PlatformState;
}
