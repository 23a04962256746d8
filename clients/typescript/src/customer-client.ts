/** The client of a customer's app: the session, `request`, and the common operations as functions. */
import { type CustomerClientOptions, type CustomerCore, createCustomerCore } from './customer-core.ts';
import { type CustomerOperations, customerOperations } from './operations/customer-operations.ts';
import { customerGid } from './session/customer-gid.ts';

export type CustomerClient = CustomerCore & CustomerOperations;

/** One for the whole app: it refreshes tokens for all who ask. */
export function createCustomerClient(options: CustomerClientOptions): CustomerClient {
  const core = createCustomerCore(options);
  return { ...core, ...customerOperations({ request: core.request, customerId: () => customerGid(core) }) };
}
