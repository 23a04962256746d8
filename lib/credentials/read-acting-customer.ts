import { parseCustomerGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HandlerStep } from '../http/exchange.ts';
import type { StoreActor } from './actor.ts';
import type { WithActor } from './verify-credential.ts';

const ACTING_CUSTOMER_HEADER = 'x-platform-customer-gid';

/**
 * Reads the customer that a store's key acts for from `X-Platform-Customer-GID`.
 * @throws INVALID_CUSTOMER_GID when malformed
 */
export function readActingCustomer({
  gidNamespace,
}: {
  gidNamespace: string;
}): HandlerStep<WithActor<StoreActor>> {
  return {
    name: 'readActingCustomer',
    before: ({ event: { exchange } }) => {
      const headerText = exchange.request.headers[ACTING_CUSTOMER_HEADER];
      if (headerText === undefined) return;
      const actingCustomerId = parseCustomerGid(headerText, gidNamespace);
      if (actingCustomerId === undefined) throw new ServiceError('INVALID_CUSTOMER_GID');
      exchange.actor = { ...exchange.actor, actingCustomerId };
    },
  };
}
