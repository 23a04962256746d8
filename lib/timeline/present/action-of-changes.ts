/** What was done elsewhere is known by its facts alone: they say which of the service's own changes it comes to. */
import type { ChangedFact } from '../changed-fact.ts';
import type { EventAction } from '../event-action.ts';

const BY_STATUS: Readonly<Record<string, EventAction>> = {
  ACTIVE: 'subscription_resumed',
  CANCELLED: 'subscription_cancelled',
  EXPIRED: 'subscription_expired',
  FAILED: 'subscription_failed',
  PAUSED: 'subscription_paused',
};

const BY_FIELD: readonly (readonly [RegExp, EventAction])[] = [
  [/^lines\./, 'subscription_lines_updated'],
  [/^(?:billing|delivery)Policy$/, 'subscription_interval_updated'],
  [/^nextBillingDate$/, 'subscription_next_billing_date_updated'],
  [/^delivery(?:Method|Price)$/, 'subscription_delivery_updated'],
  [/^customerPaymentMethod$/, 'subscription_payment_method_updated'],
  [/^note$/, 'subscription_note_updated'],
  [/^billingCycles\.\d+\.billingAttemptExpectedDate$/, 'billing_cycle_rescheduled'],
  [/^billingCycles\.\d+\.editedContract$/, 'billing_cycle_edited'],
];

/** The action that these changes come to; `subscription_updated` if they come to several, or to none that has a name. */
export function actionOfChanges(
  changes: readonly Pick<ChangedFact, 'field' | 'before' | 'after'>[],
): Exclude<EventAction, 'changed_elsewhere'> {
  const actions = new Set(changes.map(actionOf));
  const [action] = actions;
  return actions.size === 1 && action !== undefined && action !== 'changed_elsewhere'
    ? action
    : 'subscription_updated';
}

function actionOf({ field, before, after }: Pick<ChangedFact, 'field' | 'before' | 'after'>): EventAction {
  if (field === 'status') return BY_STATUS[after ?? ''] ?? 'subscription_updated';
  if (field.startsWith('discounts.')) {
    if (before === null) return 'subscription_discount_applied';
    return after === null ? 'subscription_discount_removed' : 'subscription_updated';
  }
  if (field.endsWith('.skipped')) {
    return after === 'true' ? 'billing_cycle_skipped' : 'billing_cycle_unskipped';
  }
  return BY_FIELD.find(([fields]) => fields.test(field))?.[1] ?? 'subscription_updated';
}
