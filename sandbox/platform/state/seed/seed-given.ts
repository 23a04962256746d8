/** Adds to a store what a test draws: products, plans and subscriptions of any kind, beside those of the seed. */
import { dayMs, hourMs, isoInstant } from '../instant.ts';
import type { StoreState } from '../state.ts';
import { addProduct, type ProductSeed } from './seed-catalogue.ts';
import { type ContractSeed, newContract } from './seed-contract.ts';
import { addGroup, type GroupSeed } from './seed-plans.ts';

export type GivenSeeds = {
  readonly products?: readonly ProductSeed[];
  readonly sellingPlanGroups?: readonly GroupSeed[];
  readonly subscriptions?: readonly ContractSeed[];
};

/**
 * Adds them in this order, with the ids that they name; what was there under an id is replaced. `nowMs` is epoch
 * milliseconds, all money minor units of the store's currency. Throws if a customer, plan or variant is not there.
 */
export function seedGiven(store: StoreState, given: GivenSeeds, nowMs: number): void {
  const createdAt = isoInstant(Math.floor(nowMs / hourMs) * hourMs - 400 * dayMs);
  for (const product of given.products ?? []) addProduct(store, product, createdAt);
  for (const group of given.sellingPlanGroups ?? []) addGroup(store, group, createdAt);
  for (const subscription of given.subscriptions ?? []) newContract(store, subscription, nowMs);
}
