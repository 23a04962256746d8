/** A contract as the table's keys name it: pauses, charges under way and unfinished intervals are kept by it. */
import type { ShopId } from '../domain/shop-id.ts';
import { type ContractNumber, contractNumberOf } from '../timeline/event-number.ts';

export type ContractRef = { readonly shopId: ShopId; readonly contractNumber: ContractNumber };

/** The contract of a global id in any namespace; undefined: the id names no contract. */
export function contractRef(shopId: ShopId, contractId: string): ContractRef | undefined {
  const contractNumber = contractNumberOf(contractId);
  return contractNumber && { shopId, contractNumber };
}
