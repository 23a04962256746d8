/** The client of a customer's app: the session, `request`, and the common operations as functions. */
import { type CustomerClientOptions, type CustomerCore, createCustomerCore } from './customer-core.ts';

export type CustomerClient = CustomerCore;

/** One for the whole app: it refreshes tokens for all who ask. */
export function createCustomerClient(options: CustomerClientOptions): CustomerClient {
  return createCustomerCore(options);
}
