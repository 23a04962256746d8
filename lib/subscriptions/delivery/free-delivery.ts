/**
 * A store gives delivery for free by a discount by hand. The store then pays for the option that a customer chooses, so
 * the customer cannot choose a more expensive one. A key in the store's own name is not bound.
 */
import type { DeliveryOption } from '../../platform/admin-api/delivery-options.ts';
import { hasPrice, type PricedOption, TYPES } from './await-options.ts';
import type { DeliveryInput } from './delivery-input.ts';

type Offer = {
  /** Everything that the platform offers for the address. */
  readonly offered: readonly DeliveryOption[];
  /** How the contract is delivered now; undefined: in no way that is known. */
  readonly present: DeliveryInput | undefined;
  readonly contract: { readonly deliveryPrice?: { readonly amount: string } };
};

/**
 * For a customer to whom the store gives delivery for free: keeps the cheapest option, and those that cost no more than
 * the present one, now and at the new address. Otherwise a move to where everything is more expensive and back would end
 * at a more expensive option.
 */
export function affordableOptions(
  options: readonly PricedOption[],
  { offered, present, contract: { deliveryPrice } }: Offer,
): PricedOption[] {
  const priced = offered.filter(hasPrice);
  const presentAmounts = priced
    .filter(({ __typename, code }) => present?.optionCode === code && TYPES[present.kind] === __typename)
    .map(amountOf);
  return options.filter((option) => {
    const costsNoMoreThan = (amount: number) => amountOf(option) <= amount;
    if (priced.map(amountOf).every(costsNoMoreThan)) return true;
    return (
      presentAmounts.length > 0 && [...presentAmounts, Number(deliveryPrice?.amount)].every(costsNoMoreThan)
    );
  });
}

function amountOf({ price }: PricedOption): number {
  return Number(price.amount);
}
