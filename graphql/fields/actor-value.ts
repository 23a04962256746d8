/** Builds a `SubscriptionEventActor`, for the timeline and for a pause. */
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import { formatGid } from '../../lib/domain/gid.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { PlatformPartSource } from '../response/project-service-value.ts';

/** The actor as records store it. */
export type RecordedActor = {
  readonly kind: 'CUSTOMER' | 'MERCHANT' | 'SERVICE' | 'UNKNOWN';
  readonly customerId?: CustomerId;
  readonly label?: string;
};

/**
 * Returns the fields of `SubscriptionEventActor`. `contract`: the location of the contract's customer in the
 * upstream response, used if that customer is the actor. Customers do not see labels.
 */
export function buildActorFields(
  { identity, isMerchant }: Pick<RunContext, 'identity' | 'isMerchant'>,
  { kind, customerId, label }: RecordedActor,
  contractSource: Omit<PlatformPartSource, 'id'>,
) {
  const platformNamespace = identity.namespaces.platform;
  return {
    kind,
    label: isMerchant ? (label ?? null) : null,
    customer:
      customerId === undefined
        ? null
        : {
            ...contractSource,
            id: formatGid({ namespace: platformNamespace, type: 'Customer', tail: `${customerId}` }),
          },
  };
}
