/** The client of a customer's app: the session, `request`, and the common operations as functions. */
import { type CustomerClientOptions, type CustomerCore, createCustomerCore } from './customer-core.ts';
import { type CustomerOperations, customerOperations } from './operations/customer-operations.ts';
import { customerGid } from './session/customer-gid.ts';

/** The client of a customer's app: the session, `request`, and the common operations as functions. */
export type CustomerClient = CustomerCore & CustomerOperations;

/** Creates the client of a customer's app. Use one client for the whole app: it shares its token refreshes. */
export function createCustomerClient(options: CustomerClientOptions): CustomerClient {
  const core = createCustomerCore(options);
  return { ...core, ...customerOperations({ request: core.request, customerId: () => customerGid(core) }) };
}
