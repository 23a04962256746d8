/** The identity of a request's sender: it decides whether an object may be shown. */
import type { CustomerId } from '../../lib/domain/customer-id.ts';

export type GidNamespaces = { readonly client: string; readonly platform: string };

export type RequestIdentity = {
  readonly namespaces: GidNamespaces;
  /** The acting customer, or undefined when the key acts for the whole store. */
  readonly actingCustomerId: CustomerId | undefined;
};
