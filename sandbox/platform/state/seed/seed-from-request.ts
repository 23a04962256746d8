/** Adds products, plans and subscriptions that a test generates to a store, in addition to its seed. */
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
 * Adds the seeds in this order, with their own ids; an existing object with the same id is replaced. `nowMs` is epoch
 * milliseconds, and all money is in minor units of the store's currency.
 * @throws Error when a customer, plan or variant does not exist
 */
export function addRequestedSeeds(store: StoreState, seeds: RequestedSeeds, nowMs: number): void {
  const createdAt = formatIsoInstant(Math.floor(nowMs / HOUR_MS) * HOUR_MS - 400 * DAY_MS);
  for (const product of seeds.products ?? []) addProduct(store, product, createdAt);
  for (const group of seeds.sellingPlanGroups ?? []) addSellingPlanGroup(store, group, createdAt);
  for (const subscription of seeds.subscriptions ?? []) addContract(store, subscription, nowMs);
}
