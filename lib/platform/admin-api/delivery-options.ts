/** The ways of delivery that the platform offers for an address, as a draft's `deliveryOptions` tells them. */

import type { PlatformWords } from './admin-answer.ts';

export type DeliveryOption = {
  readonly __typename: string;
  readonly code: string;
  readonly title: string;
  readonly presentmentTitle: string | null;
  readonly description: string | null;
  /** Null: it cannot be told, so the option cannot be taken. */
  readonly price: { readonly amount: string; readonly currencyCode: string } | null;
  /** Of a pick-up. */
  readonly location?: { readonly id: string };
};

/** Null without an error: the platform is still finding out. */
export type OptionsResult =
  | { readonly deliveryOptions: readonly DeliveryOption[] }
  | { readonly message: PlatformWords | null }
  | null;

const OPTION = 'code title presentmentTitle description price { amount currencyCode }';

/**
 * The selection below a draft. Places are asked for only where something is picked up: without the scope for them the
 * whole answer would be null.
 */
export function deliveryOptions({ kind }: { readonly kind: string }): string {
  return `deliveryOptions(deliveryAddress: $_svcAddress) {
    ... on SubscriptionDeliveryOptionResultSuccess { deliveryOptions { __typename
      ... on SubscriptionShippingOption { ${OPTION} }
      ... on SubscriptionLocalDeliveryOption { ${OPTION} }
      ... on SubscriptionPickupOption { ${OPTION} ${kind === 'pickup' ? 'location { id }' : ''} }
    } }
    ... on SubscriptionDeliveryOptionResultFailure { message }
  }`;
}
