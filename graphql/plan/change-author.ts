/** In whose name a request changes something, as the timeline tells it. */
import type { Author } from '../../lib/timeline/timeline.ts';
import type { RunContext } from './run-context.ts';

/** A customer; a customer with the key that acted in their name; or the store, by its key's label. */
export function authorOf({ actor, requestId }: Pick<RunContext, 'actor' | 'requestId'>): Author {
  const { shopId } = actor;
  if (actor.kind === 'customer') {
    return { shopId, requestId, actor: { kind: 'CUSTOMER', customerId: actor.customerId } };
  }
  const { keyLabel: label, actingCustomerId: customerId } = actor;
  return customerId === undefined
    ? { shopId, requestId, actor: { kind: 'MERCHANT', label } }
    : { shopId, requestId, actor: { kind: 'CUSTOMER', customerId, label } };
}
