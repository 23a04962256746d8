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
export function seedState(options: { nowMs: number; contracts?: number; customers?: number }): PlatformState {
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

/** Adds contracts (to Carla) and customers (without contracts) to the first store; returns these customers. */
export function seedMore(state: PlatformState, more: { contracts?: number; customers?: number }): Guest[] {
  const [store] = state.stores.values();
  if (store === undefined) throw new Error('The platform has no store to seed.');
  seedCarla(store, state.seededAtMs, more.contracts ?? 0);
  return Array.from({ length: more.customers ?? 0 }, () => addGuest(store, state.seededAtMs));
}

function addGuest(store: StoreState, nowMs: number): Guest {
  const id = nextId(store);
  const email = `guest-${id}@example.com`;
  newCustomer(store, {
    id,
    name: ['Guest', String(id)],
    email,
    createdAt: isoInstant(nowMs),
  });
  return { id, email };
}
