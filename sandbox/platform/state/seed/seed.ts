/** Creates the seed of a new platform: two stores, always the same for the same instant. */

import { formatIsoInstant, HOUR_MS } from '../instant.ts';
import { takeNextId } from '../opaque-id.ts';
import type { PlatformState, StoreState } from '../state.ts';
import { seedCatalogue } from './seed-catalogue.ts';
import { seedCarla, seedHarborCustomers } from './seed-harbor.ts';
import { seedJuniperCustomers } from './seed-juniper.ts';
import { addCustomer, createEmptyStore } from './seed-store.ts';

/**
 * Creates the state of a new platform. All times are relative to `nowMs` (epoch milliseconds, rounded down to the
 * hour). `contracts` is the number of Carla's contracts (250), and `customers` the number of additional customers of
 * the first store (0).
 */
export function createSeededState(options: {
  nowMs: number;
  contracts?: number | undefined;
  customers?: number;
}): PlatformState {
  const seededAtMs = Math.floor(options.nowMs / HOUR_MS) * HOUR_MS;
  const platformState: PlatformState = { stores: new Map(), mails: [], seededAtMs };
  const harbor = createEmptyStore('harbor', seededAtMs);
  const juniper = createEmptyStore('juniper', seededAtMs);
  for (const store of [harbor, juniper]) {
    platformState.stores.set(store.shop, store);
    seedCatalogue(store, seededAtMs);
  }
  seedHarborCustomers(harbor, seededAtMs);
  seedJuniperCustomers(juniper, seededAtMs);
  addSeededRecords(platformState, { contracts: options.contracts ?? 250, customers: options.customers ?? 0 });
  return platformState;
}

export type SeededCustomer = { readonly id: number; readonly email: string };

type SeedCounts = { contracts?: number; customers?: number };

/** Adds contracts (to Carla, of the first store) and customers (with an address and a card); returns these customers. */
export function addSeededRecords(
  state: PlatformState,
  { contracts = 0, customers = 0 }: SeedCounts,
  shop?: string,
): SeededCustomer[] {
  const [firstStore] = state.stores.values();
  const store = shop === undefined ? firstStore : state.stores.get(shop);
  if (firstStore === undefined || store === undefined) throw new Error('The platform has no store to seed.');
  seedCarla(firstStore, state.seededAtMs, contracts);
  return Array.from({ length: customers }, () => addSeededCustomer(store, state.seededAtMs));
}

function addSeededCustomer(store: StoreState, nowMs: number): SeededCustomer {
  const id = takeNextId(store);
  const email = `guest-${id}@example.com`;
  addCustomer(store, {
    id,
    name: ['Guest', String(id)],
    email,
    home: ['12 Harbor Road', 'Portland', '04101'],
    createdAt: formatIsoInstant(nowMs),
  });
  return { id, email };
}
