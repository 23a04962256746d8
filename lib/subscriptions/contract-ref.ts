/** A contract in the form of the table's keys, for pauses, charges in progress and unfinished interval changes. */
import type { ShopId } from '../domain/shop-id.ts';
import { type ContractNumber, contractNumberOf } from '../timeline/event-number.ts';

export type ContractRef = { readonly shopId: ShopId; readonly contractNumber: ContractNumber };

/**
 * Parses a contract's global id in any namespace.
 * @returns undefined when the id is not a contract's
 */
export function contractRef(shopId: ShopId, contractId: string): ContractRef | undefined {
  const contractNumber = contractNumberOf(contractId);
  return contractNumber && { shopId, contractNumber };
}
