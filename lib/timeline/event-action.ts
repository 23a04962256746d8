/**
 * The stable names of what the timeline tells. present/event-message.ts has their words, docs/operations.md lists them.
 */

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
  | 'payment_method_replaced'
  | 'payment_method_removed'
  | 'changed_elsewhere'
  | 'customer_address_updated'
  | 'payment_method_update_email_sent';
