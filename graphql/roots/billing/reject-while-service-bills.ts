import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { blocksExternalAttempts } from '../../../lib/billing/settings/blocks-external-attempts.ts';
import { message } from '../../../lib/messages/message.ts';
import { createUserError, type OperationError } from '../../../lib/subscriptions/operation-error.ts';
import type { RunContext } from '../../plan/run-context.ts';

/**
 * Returns BILLING_ENABLED for billing attempts of the merchant's own server while the service bills the store.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function rejectWhileServiceBills({
  store,
  table,
  now,
}: Pick<RunContext, 'store' | 'table' | 'now'>): Promise<OperationError | undefined> {
  const settings = await createBillingSettings({ table, now }).read(store.shopId);
  if (!blocksExternalAttempts(settings, store, now())) return undefined;
  return createUserError('BILLING_ENABLED', { field: null, message: message('billingEnabled') });
}
