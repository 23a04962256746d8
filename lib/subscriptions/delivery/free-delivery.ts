/**
 * Limits the delivery options of a contract with a manual discount that makes delivery free. The store pays for the
 * option then, so a customer cannot choose a more expensive one. Requests with a merchant's key are not limited.
 */
import type { DeliveryOption } from '../../platform/admin-api/delivery-options.ts';
import type { DeliveryInput } from './delivery-input.ts';
import { hasOptionPrice, OPTION_TYPES_BY_KIND, type PricedOption } from './poll-delivery-options.ts';

type OfferedDelivery = {
  /** All options that the platform offers for the address. */
  readonly offered: readonly DeliveryOption[];
  /** The contract's present delivery. Undefined when it is unknown. */
  readonly presentDelivery: DeliveryInput | undefined;
  readonly contract: { readonly deliveryPrice?: { readonly amount: string } };
  /**
   * Whether the present option was chosen for this address and these lines. False after the address or the lines have
   * changed.
   */
  readonly isSettled: boolean;
};

/**
 * Returns the options that the customer may choose: the cheapest one, and those that cost no more than the present
 * option, both at the contract's price and at the option's price for the new address. If the address or the lines
 * have changed since the present option was chosen, only the cheapest option is allowed: the present option may have
 * been the only one that was offered. Otherwise a customer could change the address and back to get a more expensive
 * option.
 */
export function listAllowedOptions(
  options: readonly PricedOption[],
  { offered, presentDelivery, contract: { deliveryPrice }, isSettled }: OfferedDelivery,
): PricedOption[] {
  const pricedOptions = offered.filter(hasOptionPrice);
  const presentAmounts = pricedOptions
    .filter(
      ({ __typename, code }) =>
        presentDelivery?.optionCode === code && OPTION_TYPES_BY_KIND[presentDelivery.kind] === __typename,
    )
    .map(priceAmountOf);
  return options.filter((option) => {
    const costsNoMoreThan = (amount: number) => priceAmountOf(option) <= amount;
    if (pricedOptions.map(priceAmountOf).every(costsNoMoreThan)) return true;
    if (presentAmounts.length === 0) return isCheapestOption(option, offered);
    const isCheapEnough = isSettled || isCheapestOption(option, offered);
    return isCheapEnough && [...presentAmounts, Number(deliveryPrice?.amount)].every(costsNoMoreThan);
  });
}

/**
 * Whether no offered option costs less. Pickup options count only if the option is a pickup, too: a customer who has
 * the order delivered need not accept collecting it.
 */
export function isCheapestOption(option: PricedOption, offered: readonly DeliveryOption[]): boolean {
  return offered
    .filter(hasOptionPrice)
    .filter(
      ({ __typename }) =>
        __typename !== OPTION_TYPES_BY_KIND.pickup || option.__typename === OPTION_TYPES_BY_KIND.pickup,
    )
    .every((other) => priceAmountOf(option) <= priceAmountOf(other));
}

function priceAmountOf({ price }: PricedOption): number {
  return Number(price.amount);
}
