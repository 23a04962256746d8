/** Sends the platform's e-mail that asks a customer for another payment method, once for an order. */
import { ServiceError } from '../../errors/service-error.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { createCooldownRepository } from '../../storage/cooldowns.ts';
import type { Table } from '../../storage/table.ts';
import { EMAIL_COOLDOWN_MINUTES, EMAIL_MUTATION } from '../../subscriptions/email-cooldown.ts';
import { contractGid } from '../../timeline/event-record.ts';
import { type BillingCharge, withChargeChange } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import type { BillingOperationDeps, BillingTurn } from './billing-operation.ts';

export type AskForMethodDeps = Pick<
  BillingOperationDeps,
  'now' | 'platformGidNamespace' | 'sendWithinBudget' | 'timeline'
> & { readonly charges: Pick<BillingCharges, 'replace'>; readonly table: Table };

const MINUTE_MS = 60_000;
const EMAIL_RETRY_DELAY_MS = 15 * MINUTE_MS;
const METHOD_QUERY = `query MethodToUpdate($id: ID!) {
  contract: subscriptionContract(id: $id) { customerPaymentMethod { id } } }`;
const EMAIL_DOCUMENT = `mutation AskForMethod($id: ID!) {
  sent: ${EMAIL_MUTATION}(customerPaymentMethodId: $id) { userErrors { field message } } }`;

type ContractWithMethod = { readonly customerPaymentMethod: { readonly id: string } | null };

/**
 * Sends the e-mail, unless the contract has no payment method, or an e-mail about it was sent in the last minutes. The
 * charge's next reminder is for the end of the order; if the e-mail could not be sent, it is in 15 minutes.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function askForMethod(
  deps: AskForMethodDeps,
  turn: Pick<BillingTurn, 'endAtMs' | 'store'>,
  charge: BillingCharge,
): Promise<void> {
  let isEmailDecided = true;
  try {
    await sendEmailIfPossible(deps, turn, charge);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    // After a lost response the e-mail may have been sent. It is not sent again, so that the customer never gets two.
    isEmailDecided = error.code === 'OUTCOME_UNKNOWN';
  }
  const nowMs = deps.now();
  const endsAtMs = charge.endsAtMs ?? nowMs;
  const reminderChange = isEmailDecided
    ? { methodRequestedAtMs: nowMs, remindAtMs: endsAtMs }
    : { remindAtMs: Math.min(nowMs + EMAIL_RETRY_DELAY_MS, endsAtMs) };
  await deps.charges.replace(charge, withChargeChange(charge, reminderChange));
}

/** Sends the e-mail, unless the contract has no payment method, or an e-mail about it was sent in the last minutes. */
async function sendEmailIfPossible(
  deps: AskForMethodDeps,
  turn: Pick<BillingTurn, 'endAtMs' | 'store'>,
  charge: BillingCharge,
): Promise<void> {
  const { shopId, contractNumber, cycleIndex } = charge;
  const readAtMs = deps.now();
  const contractId = contractGid(contractNumber, deps.platformGidNamespace);
  const methodRead = await readWithinBudget(deps, turn, {
    document: METHOD_QUERY,
    variables: { id: contractId },
  });
  if (methodRead.data === null) throw failedReadError('the payment method', methodRead.errors);
  const { customerPaymentMethod: method } = (methodRead.data.contract ?? {}) as Partial<ContractWithMethod>;
  if (!method) return;
  const requestId = `billing-${contractNumber}-${cycleIndex}`;
  const cooldown = { holder: requestId, durationMs: EMAIL_COOLDOWN_MINUTES * MINUTE_MS };
  const cooldownRef = { shopId, action: EMAIL_MUTATION, subject: method.id };
  if ((await createCooldownRepository(deps).start(cooldownRef, cooldown)) !== undefined) return;
  const beginChange = deps.timeline.begin({ shopId, actor: { kind: 'SERVICE' }, requestId, readAtMs });
  const openChange = await beginChange({
    ...{ action: 'payment_method_update_email_sent', contractId, details: {}, changes: [] },
  });
  const { store, endAtMs } = turn;
  const variables = { id: method.id };
  const emailRequest = {
    store,
    endAtMs,
    document: EMAIL_DOCUMENT,
    costKey: EMAIL_DOCUMENT,
    variables,
    mutates: true,
  };
  const { data } = await deps.sendWithinBudget(emailRequest);
  const payload = data?.sent as { readonly userErrors: readonly unknown[] } | null | undefined;
  await (payload?.userErrors.length === 0 ? openChange.settleAsDone() : openChange.settleAsNotDone());
}
