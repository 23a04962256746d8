/** Fills a new platform: two stores, always the same for the same instant. */

import { hourMs, isoInstant } from '../instant.ts';
import { nextId } from '../opaque-id.ts';
import type { PlatformState, StoreState } from '../state.ts';
import { seedCatalogue } from './seed-catalogue.ts';
import { seedCarla, seedHarborCustomers } from './seed-harbor.ts';
import { seedJuniperCustomers } from './seed-juniper.ts';
import { newCustomer, newStore } from './seed-store.ts';

/**
 * A new platform. `nowMs` is epoch milliseconds, rounded down to the hour, from which all times count;
 * `contracts` is how many Carla has (250), `customers` how many more customers the first store has (0).
 */
export function seedState(options: {
  nowMs: number;
  contracts?: number | undefined;
  customers?: number;
}): PlatformState {
  const seededAtMs = Math.floor(options.nowMs / hourMs) * hourMs;
  const state: PlatformState = { stores: new Map(), mails: [], seededAtMs };
  const harbor = newStore('harbor', seededAtMs);
  const juniper = newStore('juniper', seededAtMs);
  for (const store of [harbor, juniper]) {
    state.stores.set(store.shop, store);
    seedCatalogue(store, seededAtMs);
  }
  seedHarborCustomers(harbor, seededAtMs);
  seedJuniperCustomers(juniper, seededAtMs);
  seedMore(state, { contracts: options.contracts ?? 250, customers: options.customers ?? 0 });
  return state;
}

export type Guest = { readonly id: number; readonly email: string };

type MoreCounts = { contracts?: number; customers?: number };

/** Adds contracts (to Carla, of the first store) and customers (with an address and a card); returns these customers. */
export function seedMore(
  state: PlatformState,
  { contracts = 0, customers = 0 }: MoreCounts,
  shop?: string,
): Guest[] {
  const [first] = state.stores.values();
  const store = shop === undefined ? first : state.stores.get(shop);
  if (first === undefined || store === undefined) throw new Error('The platform has no store to seed.');
  seedCarla(first, state.seededAtMs, contracts);
  return Array.from({ length: customers }, () => addGuest(store, state.seededAtMs));
}

function addGuest(store: StoreState, nowMs: number): Guest {
  const id = nextId(store);
  const email = `guest-${id}@example.com`;
  newCustomer(store, {
    id,
    name: ['Guest', String(id)],
    email,
    home: ['12 Harbor Road', 'Portland', '04101'],
    createdAt: isoInstant(nowMs),
  });
  return { id, email };
}
