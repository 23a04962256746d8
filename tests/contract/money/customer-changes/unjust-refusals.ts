/** Refusals that protect the merchant's money need a reason: a gift, a discount or a used code. */
import type { Acting, Outcome } from '../../world/operation-world.ts';
import type { ContractMoney } from './contract-money.ts';

type Circumstances = {
  readonly as: Acting;
  readonly money: ContractMoney;
  /** Whether a code of the store was used for the contract. */
  readonly hasUsedCode: boolean;
  /** Whether only the code changes the price of goods. */
  readonly isCode: boolean;
};

/** Describes each refusal that the contract before the request does not explain. */
export function unjustRefusals(
  { refusals }: Outcome,
  { as, money, hasUsedCode, isCode }: Circumstances,
): string[] {
  return refusals.flatMap(({ code, details }) => {
    const isUsed = details?.rejectionReason === 'ALREADY_USED';
    const isOfMoney = isUsed || code === 'GOODS_WITHOUT_PRICE' || code === 'DISCOUNT_TIED_TO_INTERVAL';
    if (!isOfMoney) return [];
    if (as === 'store') return [`unjust: a key in its own name was refused with ${code}`];
    const isTied = money.unlimitedAmounts > 0 || money.lines.some(({ price }) => price === 0);
    const isExplained = {
      ALREADY_USED: hasUsedCode,
      GOODS_WITHOUT_PRICE: !isCode || money.hasManualDiscount,
      DISCOUNT_TIED_TO_INTERVAL: isTied,
    }[isUsed ? 'ALREADY_USED' : code];
    return isExplained ? [] : [`unjust: ${code} was refused without a reason`];
  });
}
