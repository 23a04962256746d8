/** Identifies a contract in keys of the table: by the store's id and the contract's number. */
import type { ShopId } from '../domain/shop-id.ts';
import { type ContractNumber, contractNumberOfGid } from '../timeline/event-record.ts';

export type ContractRef = { readonly shopId: ShopId; readonly contractNumber: ContractNumber };

/**
 * Parses a contract's global id, whatever its namespace (`gid://{namespace}/SubscriptionContract/{number}`).
 * @returns undefined when the id is not a contract's
 */
export function parseContractRef(shopId: ShopId, contractId: string): ContractRef | undefined {
  const contractNumber = contractNumberOfGid(contractId);
  return contractNumber && { shopId, contractNumber };
}
