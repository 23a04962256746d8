/**
 * Derives a customer's contracts from items of the table: a customer who acted on a contract, or is named in its
 * snapshot, owned it.
 */
import { isCustomersSnapshot } from '../storage/stream/snapshot-key.ts';
import type { Item } from '../storage/table.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { OpenIntent } from '../timeline/intent.ts';
import type { ErasureSubject } from './erasure-subject.ts';

/** @returns the number of the customer's contract that the item shows; undefined when it shows none */
export function contractRecordedBy(item: Item, { isPerson }: ErasureSubject): string | undefined {
  const didIt = (...actors: readonly (EventActor | undefined)[]) =>
    actors.some((actor) => actor?.kind === 'CUSTOMER' && isPerson(actor.customerId));
  // The item may belong to a contract that was transferred to another customer.
  if (isCustomersSnapshot(item)) return undefined;
  if (item.pk.startsWith('SNAPSHOT#')) return isPerson(item.customerId) ? item.sk : undefined;
  if (item.pk.startsWith('PAUSE#')) {
    const { pausedBy, setBy, contractNumber } = item;
    return didIt(pausedBy as EventActor, setBy as EventActor) ? String(contractNumber) : undefined;
  }
  const payload = item.payload as (Partial<OpenIntent> & { readonly intent?: OpenIntent }) | undefined;
  const payloadOrItem = item.pk.startsWith('DUE#')
    ? (payload?.intent ?? payload)
    : (item as Partial<OpenIntent>);
  return didIt(payloadOrItem?.actor) ? payloadOrItem?.contract : undefined;
}
