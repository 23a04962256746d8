/** A timeline entry as a `SubscriptionEvent`, with the fields that the requester may see. */
import type { Translate } from '../../lib/messages/translator.ts';
import type { EventRecord } from '../../lib/timeline/event-record.ts';
import { type EventReader, presentEvent } from '../../lib/timeline/present/present-event.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { PlatformPartSource } from '../response/project-service-value.ts';
import { findFieldPolicy } from '../schema/field-policy.ts';

/** A timeline entry, and the translator of its message. */
export type TranslatedRecord = { readonly record: EventRecord; readonly translate: Translate };

/**
 * Returns the fields of the entry, with ids in the platform's namespace. `contractSource` is the contract in the platform's
 * response. If a customer acted, the actor's `customer` is the contract's customer from there, if it has the same id.
 */
export function buildEventFields(
  { identity, isMerchant }: Pick<RunContext, 'identity' | 'isMerchant'>,
  { record, translate }: TranslatedRecord,
  contractSource: Omit<PlatformPartSource, 'id'>,
) {
  const eventReader: EventReader = {
    kind: isMerchant ? 'merchant' : 'customer',
    customerId: identity.actingCustomerId,
    gidNamespace: identity.namespaces.platform,
    translate,
    isOpenToCustomers,
  };
  const { actor, ...event } = presentEvent(record, eventReader);
  const customer = actor.customer && { ...contractSource, id: actor.customer.id };
  return { ...event, actor: { ...actor, customer } };
}

function isOpenToCustomers(coordinate: string): boolean {
  const [typeName = '', fieldName = ''] = coordinate.split('.');
  return findFieldPolicy(typeName, fieldName)?.isCustomer ?? false;
}
