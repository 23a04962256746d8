/** The discounts of a contract, as the operations on them compare them. */
import { parseGid } from '../../domain/gid.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { DISCOUNT_FACTS, type DiscountFacts } from '../discount-facts.ts';

/** The selection on a contract. The platform allows at most 100 discounts. */
export const DISCOUNTS = `discounts(first: 250) { nodes { id title ${DISCOUNT_FACTS} } }`;

export type ContractDiscount = DiscountFacts & { readonly id: string; readonly title: string | null };

export type DiscountedState = {
  readonly contract: ContractFacts & { readonly discounts: { readonly nodes: readonly ContractDiscount[] } };
};

/**
 * Finds the discount with the id. A code discount has another type in a draft than in a contract, but the same id
 * tail.
 */
export function discountById({ contract }: DiscountedState, id: string): ContractDiscount | undefined {
  const tail = parseGid(id)?.tail;
  return contract.discounts.nodes.find((discount) => parseGid(discount.id)?.tail === tail);
}

/**
 * Finds the discount of a code that the platform has not rejected. Codes are compared without case, as the platform
 * does.
 */
export function discountByCode({ contract }: DiscountedState, code: string): ContractDiscount | undefined {
  const normalized = code.trim().toUpperCase();
  return contract.discounts.nodes.find(
    ({ type, title, rejectionReason }) =>
      type === 'CODE_DISCOUNT' && title?.toUpperCase() === normalized && rejectionReason === null,
  );
}
