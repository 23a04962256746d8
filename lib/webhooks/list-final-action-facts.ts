/** The facts that the event `order.not_charged` reports about the order's final action. */
import type { EventRecord } from '../timeline/event-record.ts';
import { createFact, type FactChange } from '../timeline/facts.ts';

/**
 * Returns the facts that an unpaid order's final action changed, by the details of the order's entry. That entry has no facts,
 * because the action has an entry of its own.
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
