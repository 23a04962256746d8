/** How a subscription is delivered: shipped, by a local courier, or picked up. */
import type { DeliveryMethod } from '../../../state/contract-records.ts';
import type { AdminContext } from '../../context.ts';

/** Returns the delivery method as the platform's union type. */
export function toDeliveryMethodView(method: DeliveryMethod | null, { store }: AdminContext) {
  if (method === null) return null;
  if (method.kind === 'shipping') {
    const shippingOption = { ...method.option, carrierService: null };
    return { __typename: 'SubscriptionDeliveryMethodShipping', address: method.address, shippingOption };
  }
  if (method.kind === 'localDelivery') {
    return {
      __typename: 'SubscriptionDeliveryMethodLocalDelivery',
      address: method.address,
      localDeliveryOption: method.option,
    };
  }
  const location = store.locations.get(method.locationId);
  return { __typename: 'SubscriptionDeliveryMethodPickup', pickupOption: { ...method.option, location } };
}
