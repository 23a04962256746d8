/** The author of a request's changes, as the timeline tells it. */
import type { Author } from '../../lib/timeline/timeline.ts';
import type { RunContext } from '../plan/run-context.ts';

/**
 * The author is a customer, a customer with the key that acted in their name, or the store, by its key. `readAtMs`:
 * when the state was read that the changes start from, or before.
 */
export function authorOf(
  { actor, requestId, idempotentRequest }: Pick<RunContext, 'actor' | 'requestId' | 'idempotentRequest'>,
  readAtMs: number,
): Author {
  const of = { shopId: actor.shopId, requestId, readAtMs, idempotentRequest };
  if (actor.kind === 'customer') {
    return { ...of, actor: { kind: 'CUSTOMER', customerId: actor.customerId } };
  }
  const { keyLabel: label, keyId, actingCustomerId: customerId } = actor;
  return customerId === undefined
    ? { ...of, actor: { kind: 'MERCHANT', label, keyId } }
    : { ...of, actor: { kind: 'CUSTOMER', customerId, label, keyId } };
}
