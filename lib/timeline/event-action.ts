/** The stable names of what the timeline tells. present/event-words.ts has their words, docs/operations.md lists them. */
import type { ChangedFact } from './changed-fact.ts';

export type EventAction =
  | 'billing_cycle_skipped'
  | 'billing_cycle_unskipped'
  | 'billing_cycle_rescheduled'
  | 'billing_cycle_charged'
  | 'billing_cycle_declined'
  | 'billing_cycle_action_required'
  | 'billing_cycle_edited'
  | 'billing_cycle_edits_deleted'
  | 'billing_cycles_charged'
  | 'subscription_created'
  | 'subscription_paused'
  | 'subscription_resumed'
  | 'subscription_cancelled'
  | 'subscription_expired'
  | 'subscription_failed'
  | 'subscription_updated'
  | 'subscription_lines_updated'
  | 'subscription_interval_updated'
  | 'subscription_next_billing_date_updated'
  | 'subscription_delivery_updated'
  | 'subscription_payment_method_updated'
  | 'subscription_discount_applied'
  | 'subscription_discount_removed'
  | 'subscription_note_updated'
  | 'customer_address_updated'
  | 'payment_method_update_email_sent';

/** The action of what is left of a change of several facts, when another change has told the rest at the same time. */
export function remainingAction(
  action: string,
  { length: before }: readonly unknown[],
  own: readonly Pick<ChangedFact, 'field' | 'after'>[],
): string {
  const [fact] = own;
  if (before === own.length || own.length !== 1 || fact === undefined) return action;
  if (action === 'subscription_resumed' && fact.field === 'nextBillingDate') {
    return 'subscription_next_billing_date_updated';
  }
  if (action !== 'billing_cycle_rescheduled' || !fact.field.endsWith('.skipped')) return action;
  return fact.after === 'true' ? 'billing_cycle_skipped' : 'billing_cycle_unskipped';
}
