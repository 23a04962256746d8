/** The contracts of a customer, as items of the table tell them: who acted on one, or stands in its snapshot, owned it. */
import { isCustomersSnapshot } from '../storage/stream/snapshot-key.ts';
import type { Item } from '../storage/table.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { OpenIntent } from '../timeline/open-intent.ts';
import type { Whom } from './whom.ts';

/** The number of the customer's contract that the item tells; undefined: none. */
export function contractToldBy(item: Item, { isPerson }: Whom): string | undefined {
  const didIt = (...actors: readonly (EventActor | undefined)[]) =>
    actors.some((actor) => actor?.kind === 'CUSTOMER' && isPerson(actor.customerId));
  // A note may be of a contract that has gone to somebody else.
  if (isCustomersSnapshot(item)) return undefined;
  if (item.pk.startsWith('SNAPSHOT#')) return isPerson(item.customerId) ? item.sk : undefined;
  if (item.pk.startsWith('PAUSE#')) {
    const { pausedBy, setBy, contractNumber } = item;
    return didIt(pausedBy as EventActor, setBy as EventActor) ? String(contractNumber) : undefined;
  }
  const payload = item.payload as (Partial<OpenIntent> & { readonly intent?: OpenIntent }) | undefined;
  const told = item.pk.startsWith('DUE#') ? (payload?.intent ?? payload) : (item as Partial<OpenIntent>);
  return didIt(told?.actor) ? told?.contract : undefined;
}
