/** Whose request it is: what decides whether an object may be shown. */
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import { parseCustomerGid } from '../../lib/domain/gid.ts';
import type { GidNamespaces } from '../compile/proofs/rewrite-gid.ts';

/** Whose request it is, as far as ids and ownership go. */
export type Identity = {
  readonly namespaces: GidNamespaces;
  /** Undefined: nobody acts, the key reaches the whole store. */
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
  // Nearly always it is written just so.
  if (id === actingCustomerGid(identity)) return true;
  return parseCustomerGid(id, namespaces.platform) === actingCustomerId;
}
