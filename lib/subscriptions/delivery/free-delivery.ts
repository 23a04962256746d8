/**
 * Limits the delivery options of a contract with a manual discount that makes delivery free: the store pays for the
 * option, so the customer cannot choose a more expensive one. Store credentials are not limited.
 */
import type { DeliveryOption } from '../../platform/admin-api/delivery-options.ts';
import { hasPrice, type PricedOption, TYPES } from './await-options.ts';
import type { DeliveryInput } from './delivery-input.ts';

type Offer = {
  /** All options that the platform offers for the address. */
  readonly offered: readonly DeliveryOption[];
  /** The present delivery of the contract; undefined when it is not known. */
  readonly present: DeliveryInput | undefined;
  readonly contract: { readonly deliveryPrice?: { readonly amount: string } };
  /** Whether the present option was chosen for this address and these lines. */
  readonly isSettled: boolean;
};

/**
 * Returns the options that such a customer may choose: the cheapest one, and those that cost no more than the present
 * option costs now and at the new address. After a change of address or lines, the present option may have been the only
 * one on offer, so then only the cheapest options are allowed. Otherwise a customer could get a more expensive option by
 * changing the address and changing it back.
 */
export function affordableOptions(
  options: readonly PricedOption[],
  { offered, present, contract: { deliveryPrice }, isSettled }: Offer,
): PricedOption[] {
  const priced = offered.filter(hasPrice);
  const presentAmounts = priced
    .filter(({ __typename, code }) => present?.optionCode === code && TYPES[present.kind] === __typename)
    .map(amountOf);
  return options.filter((option) => {
    const costsNoMoreThan = (amount: number) => amountOf(option) <= amount;
    if (priced.map(amountOf).every(costsNoMoreThan)) return true;
    if (presentAmounts.length === 0) return isCheapest(option, offered);
    const isCheapEnough = isSettled || isCheapest(option, offered);
    return isCheapEnough && [...presentAmounts, Number(deliveryPrice?.amount)].every(costsNoMoreThan);
  });
}

/** Whether no offered option costs less. Offered pick-ups only count for a pick-up: a customer need not collect. */
export function isCheapest(option: PricedOption, offered: readonly DeliveryOption[]): boolean {
  return offered
    .filter(hasPrice)
    .filter(({ __typename }) => __typename !== TYPES.pickup || option.__typename === TYPES.pickup)
    .every((other) => amountOf(option) <= amountOf(other));
}

function amountOf({ price }: PricedOption): number {
  return Number(price.amount);
}
