/** The discounts of a contract, as the operations on them compare them. */
import { parseGid } from '../../domain/gid.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { DISCOUNT_FACTS, type DiscountFacts } from '../discount-facts.ts';

/** The selection below a contract. One holds at most 100 discounts. */
export const DISCOUNTS = `discounts(first: 250) { nodes { id title ${DISCOUNT_FACTS} } }`;

export type ContractDiscount = DiscountFacts & { readonly id: string; readonly title: string | null };

export type DiscountedState = {
  readonly contract: ContractFacts & { readonly discounts: { readonly nodes: readonly ContractDiscount[] } };
};

/** The discount of that id. A code's has another type in drafts than in contracts; the tail is the same. */
export function discountById({ contract }: DiscountedState, id: string): ContractDiscount | undefined {
  const tail = parseGid(id)?.tail;
  return contract.discounts.nodes.find((discount) => parseGid(discount.id)?.tail === tail);
}

/** The discount that a code made and that counts. Codes are compared as the platform does, without case. */
export function discountByCode({ contract }: DiscountedState, code: string): ContractDiscount | undefined {
  const normalized = code.trim().toUpperCase();
  return contract.discounts.nodes.find(
    ({ type, title, rejectionReason }) =>
      type === 'CODE_DISCOUNT' && title?.toUpperCase() === normalized && rejectionReason === null,
  );
}
