/**
 * A store gives delivery for free by a discount by hand. The store then pays for the option that a customer chooses, so
 * the customer cannot choose a more expensive one. A key in the store's own name is not bound.
 */
import type { DeliveryOption } from '../../platform/admin-api/delivery-options.ts';
import { hasPaymentsLeft } from '../details/contract-discount.ts';
import { hasPrice, type PricedOption, TYPES } from './await-options.ts';
import type { DeliveryInput } from './delivery-input.ts';

/** The selection below a contract. A contract has at most 100 discounts. */
export const DELIVERY_DISCOUNTS =
  'discounts(first: 100) { nodes { type targetType recurringCycleLimit usageCount } }';

export type DeliveryDiscounts = {
  readonly nodes: readonly {
    readonly type: string;
    readonly targetType: string;
    readonly recurringCycleLimit: number | null;
    readonly usageCount: number;
  }[];
};

/** Whether the store gives delivery for free by hand in payments to come. */
export function isDeliveryFree({ nodes }: DeliveryDiscounts): boolean {
  return nodes.some(
    (discount) =>
      discount.type === 'MANUAL' && discount.targetType === 'SHIPPING_LINE' && hasPaymentsLeft(discount),
  );
}

type Offer = {
  /** Everything that the platform offers for the address. */
  readonly offered: readonly DeliveryOption[];
  /** How the contract is delivered now; undefined: in no way that is known. */
  readonly present: DeliveryInput | undefined;
};

/**
 * Keeps the options that cost no more than the present one costs at the same address, or no more than the cheapest: of
 * those that bring the goods, or of the pick-ups for a pick-up.
 */
export function affordableOptions(
  options: readonly PricedOption[],
  { offered, present }: Offer,
): PricedOption[] {
  const priced = offered.filter(hasPrice);
  const presentOptions = priced.filter(
    ({ __typename, code }) =>
      present !== undefined && code === present.optionCode && __typename === TYPES[present.kind],
  );
  const isPickup = ({ __typename }: DeliveryOption) => __typename === TYPES.pickup;
  return options.filter((option) => {
    const costsNoMoreThan = (other: PricedOption) =>
      Number(option.price.amount) <= Number(other.price.amount);
    const isCheapest = priced.filter((other) => isPickup(other) === isPickup(option)).every(costsNoMoreThan);
    return isCheapest || (presentOptions.length > 0 && presentOptions.every(costsNoMoreThan));
  });
}
