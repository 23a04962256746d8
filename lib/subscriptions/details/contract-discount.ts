/** The discounts of a contract, as the operations on them compare them. */
import { parseGid } from '../../domain/gid.ts';
import type { ContractFacts } from '../contract-facts.ts';

/** The selection below a contract. One holds at most 100 discounts. */
export const DISCOUNTS =
  'discounts(first: 250) { nodes { id title type rejectionReason recurringCycleLimit usageCount } }';

export type ContractDiscount = {
  readonly id: string;
  readonly title: string | null;
  readonly type: string;
  readonly rejectionReason: string | null;
  /** The number of payments that the discount is for; null: all. */
  readonly recurringCycleLimit: number | null;
  /** The number of payments that it was used for. */
  readonly usageCount: number;
};

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
  const wanted = code.trim().toUpperCase();
  return contract.discounts.nodes.find(
    ({ type, title, rejectionReason }) =>
      type === 'CODE_DISCOUNT' && title?.toUpperCase() === wanted && rejectionReason === null,
  );
}

type Limited = Pick<ContractDiscount, 'recurringCycleLimit' | 'usageCount'>;

/** Whether a discount is for payments to come: for all of them, or for some that are left. */
export function hasPaymentsLeft({ recurringCycleLimit, usageCount }: Limited): boolean {
  return recurringCycleLimit === null || usageCount < recurringCycleLimit;
}
