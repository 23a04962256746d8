/** The order of the event `order.not_charged`, and what the final action changed. */
import type { EventRecord } from '../timeline/event-record.ts';
import { createFact, type FactChange } from '../timeline/facts.ts';

/**
 * Returns the facts that the final action of an order changed. The entry has none, because the action has an entry of
 * its own.
 */
export function listFinalActionFacts({
  finalAction,
  billingCycleIndex,
}: EventRecord['details']): readonly FactChange[] {
  switch (finalAction) {
    case 'PAUSE':
      return [createFact('status', { before: 'ACTIVE', after: 'PAUSED' })];
    case 'CANCEL':
      return [createFact('status', { before: 'ACTIVE', after: 'CANCELLED' })];
    case 'SKIP':
      return [createFact(`billingCycles.${billingCycleIndex}.skipped`, { before: 'false', after: 'true' })];
    default:
      return [];
  }
}
