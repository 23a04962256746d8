import type { OperationDeps, OperationRequest } from './operation.ts';

/** The platform's `actor`: a customer who is acting, else whom the merchant names, else the merchant. */
export function platformActor(
  { actingCustomerId }: Pick<OperationDeps, 'actingCustomerId'>,
  { actor }: OperationRequest['args'],
): unknown {
  return actingCustomerId === undefined ? (actor ?? 'MERCHANT') : 'CUSTOMER';
}
