/**
 * Finds the contracts of a customer in items of the table: the customer has changed a contract, or the contract's
 * snapshot names the customer.
 */
import { isCustomerSnapshotItem } from '../storage/stream/snapshot-key.ts';
import type { Item } from '../storage/table.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { OpenIntent } from '../timeline/intent.ts';
import type { ErasureSubject } from './erasure-subject.ts';

/**
 * Returns the number of the contract that the item shows to be the customer's.
 * @returns undefined when the item shows none
 */
export function findContractOfCustomer(
  item: Item,
  { isSubjectCustomer: isPerson }: ErasureSubject,
): string | undefined {
  const isCustomerIn = (...actors: readonly (EventActor | undefined)[]) =>
    actors.some((actor) => actor?.kind === 'CUSTOMER' && isPerson(actor.customerId));
  // Skip index items by customer: their contract may have been transferred to another customer since.
  if (isCustomerSnapshotItem(item)) return undefined;
  if (item.pk.startsWith('SNAPSHOT#')) return isPerson(item.customerId) ? item.sk : undefined;
  if (item.pk.startsWith('PAUSE#')) {
    const { pausedBy, setBy, contractNumber } = item;
    return isCustomerIn(pausedBy as EventActor, setBy as EventActor) ? String(contractNumber) : undefined;
  }
  const payload = item.payload as (Partial<OpenIntent> & { readonly intent?: OpenIntent }) | undefined;
  const payloadOrItem = item.pk.startsWith('DUE#')
    ? (payload?.intent ?? payload)
    : (item as Partial<OpenIntent>);
  return isCustomerIn(payloadOrItem?.actor) ? payloadOrItem?.contract : undefined;
}
