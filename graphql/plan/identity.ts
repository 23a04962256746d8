/** The identity behind a request decides whether an object may be shown. */
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import { parseCustomerGid } from '../../lib/domain/gid.ts';

export type GidNamespaces = { readonly client: string; readonly platform: string };

/** The identity of who asks, as far as ids and ownership go. */
export type Identity = {
  readonly namespaces: GidNamespaces;
  /** The customer who acts; undefined: nobody does, and the key reaches the whole store. */
  readonly actingCustomerId: CustomerId | undefined;
};

/** The acting customer's id, as the platform names it; undefined: nobody acts. */
export function actingCustomerGid({ actingCustomerId, namespaces }: Identity): string | undefined {
  return actingCustomerId === undefined
    ? undefined
    : `gid://${namespaces.platform}/Customer/${actingCustomerId}`;
}

/** Whether an id, as the platform names it, is the acting customer's. */
export function isActingCustomer(id: unknown, identity: Identity): boolean {
  const { actingCustomerId, namespaces } = identity;
  if (actingCustomerId === undefined || typeof id !== 'string') return false;
  // The platform nearly always writes the id just so.
  if (id === actingCustomerGid(identity)) return true;
  return parseCustomerGid(id, namespaces.platform) === actingCustomerId;
}
