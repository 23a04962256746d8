/** Adds to a store what a test draws: products, plans and subscriptions of any kind, beside those of the seed. */
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../instant.ts';
import type { StoreState } from '../state.ts';
import { addProduct, type ProductSeed } from './seed-catalogue.ts';
import { addContract, type ContractSeed } from './seed-contract.ts';
import { addSellingPlanGroup, type GroupSeed } from './seed-plans.ts';

export type RequestedSeeds = {
  readonly products?: readonly ProductSeed[];
  readonly sellingPlanGroups?: readonly GroupSeed[];
  readonly subscriptions?: readonly ContractSeed[];
};

/**
 * Adds them in this order, with the ids that they name; what was there under an id is replaced. `nowMs` is epoch
 * milliseconds, all money minor units of the store's currency. Throws if a customer, plan or variant is not there.
 */
export function addRequestedSeeds(store: StoreState, given: RequestedSeeds, nowMs: number): void {
  const createdAt = formatIsoInstant(Math.floor(nowMs / HOUR_MS) * HOUR_MS - 400 * DAY_MS);
  for (const product of given.products ?? []) addProduct(store, product, createdAt);
  for (const group of given.sellingPlanGroups ?? []) addSellingPlanGroup(store, group, createdAt);
  for (const subscription of given.subscriptions ?? []) addContract(store, subscription, nowMs);
}
