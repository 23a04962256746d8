/** The discounts of a contract, and how to find one of them by id or code. */
import { parseGid } from '../../domain/gid.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { DISCOUNT_FACTS_SELECTION, type DiscountFacts } from '../discount-facts.ts';

/** The selection of a contract's discounts. One page is enough, because the platform allows at most 100. */
export const DISCOUNTS_SELECTION = `discounts(first: 250) { nodes { id title ${DISCOUNT_FACTS_SELECTION} } }`;

export type ContractDiscount = DiscountFacts & { readonly id: string; readonly title: string | null };

export type DiscountedState = {
  readonly contract: ContractFacts & { readonly discounts: { readonly nodes: readonly ContractDiscount[] } };
};

/**
 * Returns the discount with this id. Compares only the tail of the global id, because a code discount has one type in a
 * draft and another in a contract (`gid://shopify/{type}/{tail}`).
 */
export function findDiscountById({ contract }: DiscountedState, id: string): ContractDiscount | undefined {
  const tail = parseGid(id)?.tail;
  return contract.discounts.nodes.find((discount) => parseGid(discount.id)?.tail === tail);
}

/**
 * Returns the contract's discount with this code, unless the platform has rejected it. Like the platform, ignores
 * upper and lower case.
 */
export function findDiscountByCode(
  { contract }: DiscountedState,
  code: string,
): ContractDiscount | undefined {
  const normalizedCode = code.trim().toUpperCase();
  return contract.discounts.nodes.find(
    ({ type, title, rejectionReason }) =>
      type === 'CODE_DISCOUNT' && title?.toUpperCase() === normalizedCode && rejectionReason === null,
  );
}
