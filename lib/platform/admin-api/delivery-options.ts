/** The platform's delivery options for an address: their selection in a draft, and the type of the result. */

import type { PlatformText } from './admin-response.ts';

export type DeliveryOption = {
  readonly __typename: string;
  readonly code: string;
  readonly title: string;
  readonly presentmentTitle: string | null;
  readonly description: string | null;
  /** Null when the platform cannot calculate it; the option cannot be chosen then. */
  readonly price: { readonly amount: string; readonly currencyCode: string } | null;
  /** The location of a pick-up option. */
  readonly location?: { readonly id: string };
};

/** Null without an error: the platform is still calculating. */
export type DeliveryOptionsResult =
  | { readonly deliveryOptions: readonly DeliveryOption[] }
  | { readonly message: PlatformText | null }
  | null;

const DELIVERY_OPTION_FIELDS = 'code title presentmentTitle description price { amount currencyCode }';

/**
 * Returns the selection below a draft. Locations are selected only for a pick-up: without the scope for them the
 * whole response would be null.
 */
export function writeDeliveryOptionsSelection({ kind }: { readonly kind: string }): string {
  return `deliveryOptions(deliveryAddress: $_svcAddress) {
    ... on SubscriptionDeliveryOptionResultSuccess { deliveryOptions { __typename
      ... on SubscriptionShippingOption { ${DELIVERY_OPTION_FIELDS} }
      ... on SubscriptionLocalDeliveryOption { ${DELIVERY_OPTION_FIELDS} }
      ... on SubscriptionPickupOption { ${DELIVERY_OPTION_FIELDS} ${kind === 'pickup' ? 'location { id }' : ''} }
    } }
    ... on SubscriptionDeliveryOptionResultFailure { message }
  }`;
}
