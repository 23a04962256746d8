/** The client of a merchant's server: an admin key, `request`, and the common operations as functions. */
import { type AppInfo, checkOptions } from './device/check-options.ts';
import { createEnvironment, type Environment } from './device/environment.ts';
import { ServiceError } from './errors/service-error.ts';
import { type CustomerOperations, customerOperations } from './operations/customer-operations.ts';
import { type StoreOperations, storeOperations } from './operations/store-operations.ts';
import { createRequest } from './request/create-request.ts';
import type { RequestInfo, ResponseInfo } from './request/observer.ts';
import type { Request, RequestOptions } from './request/request.ts';

const ADMIN_API_PATH = '/api/admin/unstable/graphql.json';
const ACTING_CUSTOMER_HEADER = 'x-platform-customer-gid';
const REQUEST_DEADLINE_MS = 60_000;

/** The options of `createMerchantClient`. */
export type MerchantClientOptions = {
  /** The address of the service, such as `https://subscriptions.example.com`. */
  readonly serviceUrl: string;
  /** The store's admin key; it must stay on the server. */
  readonly adminKey: string;
  /** The time limit of one call with all its attempts and waits: 60,000 if absent. */
  readonly deadlineMs?: number;
  /** Receives each attempt of each request before it is sent. */
  readonly onRequest?: (request: RequestInfo) => unknown;
  /** Receives the outcome of each attempt. */
  readonly onResponse?: (response: ResponseInfo) => unknown;
  /**
   * The app's name (at most 40 characters) and version (at most 20) for the log of the service: letters, digits, and
   * `.`, `_`, `-`, `+`.
   */
  readonly appInfo?: AppInfo;
  /** The runtime's functions, for tests and for servers without one of them. */
  readonly environment?: Partial<Environment>;
};

/** The operations of a server for one customer. Ids of other customers' objects are rejected. */
export type ActingClient = CustomerOperations & {
  /** Sends a document of your own for this customer. */
  readonly request: Request;
};

/** The client of a merchant's server. */
export type MerchantClient = StoreOperations & {
  /** Sends a document of your own. */
  readonly request: Request;
  /** Returns the operations for one customer: `gid://platform/Customer/…`. */
  forCustomer(customerGid: string): ActingClient;
};

/**
 * Creates the client of a merchant's server.
 * @throws TypeError for an invalid URL or key.
 */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const { adminKey, deadlineMs = REQUEST_DEADLINE_MS } = options;
  checkOptions(options);
  if (!adminKey) throw new TypeError('There is no admin key: read it from the secret store of your server.');
  const environment = createEnvironment(options.environment);
  const request = createRequest({
    ...options,
    ...{ environment, deadlineMs, path: ADMIN_API_PATH },
    authorize: async () => adminKey,
  });
  return {
    request,
    ...storeOperations({ request, customerId: rejectWithoutCustomer }, environment),
    forCustomer(customerGid) {
      const actingRequest = withActingCustomerHeader(request, customerGid);
      return {
        request: actingRequest,
        ...customerOperations({ request: actingRequest, customerId: async () => customerGid }),
      };
    },
  };
}

/** Sends each request with the header by which the service limits the key to this customer's data. */
function withActingCustomerHeader(request: Request, customerGid: string): Request {
  const requestAsCustomer = (
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ) =>
    request(document, variables, {
      ...options,
      headers: { ...options?.headers, [ACTING_CUSTOMER_HEADER]: customerGid },
    });
  return requestAsCustomer as Request;
}

async function rejectWithoutCustomer(): Promise<string> {
  throw new ServiceError('CUSTOMER_REQUIRED', { message: 'Ask for one customer: forCustomer(customerGid).' });
}
