import type { OperationDeps, OperationRequest } from './operation.ts';

/**
 * Returns the `actor` argument for the platform: CUSTOMER when a customer is acting, else the merchant's argument, else
 * MERCHANT.
 */
export function platformActorArgument(
  { actingCustomerId }: Pick<OperationDeps, 'actingCustomerId'>,
  { actor }: OperationRequest['args'],
): unknown {
  return actingCustomerId === undefined ? (actor ?? 'MERCHANT') : 'CUSTOMER';
}
