/**
 * A store gives delivery for free by a discount by hand. The store then pays for the option that a customer chooses, so
 * the customer cannot choose a more expensive one. A key in the store's own name is not bound.
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
 * For a customer to whom the store gives delivery for free: keeps the cheapest option, and those that cost no more than
 * the present one, now and at the new address. At another place, or for other goods, the present option may be one that
 * was taken because no other was offered: then no delivery that is offered may be cheaper. Otherwise a move and back would
 * end at a more expensive option.
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

/** Whether no offered delivery costs less. Pick-ups count for a pick-up only: a customer does not have to fetch goods. */
export function isCheapest(option: PricedOption, offered: readonly DeliveryOption[]): boolean {
  return offered
    .filter(hasPrice)
    .filter(({ __typename }) => __typename !== TYPES.pickup || option.__typename === TYPES.pickup)
    .every((other) => amountOf(option) <= amountOf(other));
}

function amountOf({ price }: PricedOption): number {
  return Number(price.amount);
}
