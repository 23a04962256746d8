import { isOpenCharge } from '../../../lib/billing/records/charge-record.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { externalAttemptsFromMs } from '../../../lib/billing/settings/external-attempts.ts';
import { message } from '../../../lib/messages/message.ts';
import { parseContractRef } from '../../../lib/subscriptions/contract-ref.ts';
import { createUserError, type OperationError } from '../../../lib/subscriptions/operation-error.ts';
import type { RunContext } from '../../plan/run-context.ts';
import { createBillingDeps } from './billing-deps.ts';

const MINUTE_MS = 60_000;

/**
 * Returns BILLING_ENABLED for billing attempts of the merchant's own server while the service bills the store, and for the
 * hour after billing was switched off.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function rejectWhileServiceBills({
  store,
  table,
  now,
}: Pick<RunContext, 'store' | 'table' | 'now'>): Promise<OperationError | undefined> {
  const settings = await createBillingSettings({ table, now }).read(store.shopId);
  const nowMs = now();
  const attemptsAllowedFromMs = externalAttemptsFromMs(settings, store, nowMs) ?? nowMs;
  if (attemptsAllowedFromMs <= nowMs) return undefined;
  const reasonMessage = Number.isFinite(attemptsAllowedFromMs)
    ? message('billingSwitchedOff', { minutes: Math.ceil((attemptsAllowedFromMs - nowMs) / MINUTE_MS) })
    : message('billingEnabled');
  return createUserError('BILLING_ENABLED', { field: null, message: reasonMessage });
}

/**
 * Returns ATTEMPT_IN_PROGRESS while a charge of the order by the service is open: an attempt that was sent before billing was
 * switched off can end a week later. A request without a cycle may be for any order of the contract.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function rejectSecondAttempt(
  context: RunContext,
  { contractId, cycleIndex }: { readonly contractId: string; readonly cycleIndex: number | undefined },
): Promise<OperationError | undefined> {
  const ref = parseContractRef(context.store.shopId, contractId);
  const charges = ref === undefined ? [] : await createBillingDeps(context).charges.listOfContract(ref);
  const isOpen = charges.some(
    (charge) => isOpenCharge(charge) && charge.cycleIndex === (cycleIndex ?? charge.cycleIndex),
  );
  if (!isOpen) return undefined;
  return createUserError('ATTEMPT_IN_PROGRESS', { field: null, message: message('billingAttemptOpen') });
}
