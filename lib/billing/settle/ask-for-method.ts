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
const RETRY_AFTER_MS = 15 * MINUTE_MS;
const METHOD_QUERY = `query MethodToUpdate($id: ID!) {
  contract: subscriptionContract(id: $id) { customerPaymentMethod { id } } }`;
const EMAIL_DOCUMENT = `mutation AskForMethod($id: ID!) {
  sent: ${EMAIL_MUTATION}(customerPaymentMethodId: $id) { userErrors { field message } } }`;

type ContractWithMethod = { readonly customerPaymentMethod: { readonly id: string } | null };

/**
 * Sends the e-mail, unless the contract has no method or one was sent in the last minutes. The charge's next reminder is
 * the end of the order; when the platform does not answer, it is in 15 minutes.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function askForMethod(
  deps: AskForMethodDeps,
  turn: Pick<BillingTurn, 'endAtMs' | 'store'>,
  charge: BillingCharge,
): Promise<void> {
  const isRequestDecided = await sendOnce(deps, turn, charge).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    // After a lost answer the e-mail may have been sent: the customer gets none twice.
    return error.code === 'OUTCOME_UNKNOWN';
  });
  const nowMs = deps.now();
  const endsAtMs = charge.endsAtMs ?? nowMs;
  const reminderChange = isRequestDecided
    ? { methodRequestedAtMs: nowMs, remindAtMs: endsAtMs }
    : { remindAtMs: Math.min(nowMs + RETRY_AFTER_MS, endsAtMs) };
  await deps.charges.replace(charge, withChargeChange(charge, reminderChange));
}

/** Returns true when the e-mail was sent, or none can be. */
async function sendOnce(
  deps: AskForMethodDeps,
  turn: Pick<BillingTurn, 'endAtMs' | 'store'>,
  charge: BillingCharge,
): Promise<boolean> {
  const { shopId, contractNumber, cycleIndex } = charge;
  const readAtMs = deps.now();
  const contractId = contractGid(contractNumber, deps.platformGidNamespace);
  const read = await readWithinBudget(deps, turn, { document: METHOD_QUERY, variables: { id: contractId } });
  if (read.data === null) throw failedReadError('the payment method', read.errors);
  const { customerPaymentMethod: method } = (read.data.contract ?? {}) as Partial<ContractWithMethod>;
  if (!method) return true;
  const holder = `billing-${contractNumber}-${cycleIndex}`;
  const cooldown = { holder, durationMs: EMAIL_COOLDOWN_MINUTES * MINUTE_MS };
  const ref = { shopId, action: EMAIL_MUTATION, subject: method.id };
  if ((await createCooldownRepository(deps).start(ref, cooldown)) !== undefined) return true;
  const begin = deps.timeline.begin({ shopId, actor: { kind: 'SERVICE' }, requestId: holder, readAtMs });
  const open = await begin({
    ...{ action: 'payment_method_update_email_sent', contractId, details: {}, changes: [] },
  });
  const { store, endAtMs } = turn;
  const variables = { id: method.id };
  const sent = {
    store,
    endAtMs,
    document: EMAIL_DOCUMENT,
    costKey: EMAIL_DOCUMENT,
    variables,
    mutates: true,
  };
  const { data } = await deps.sendWithinBudget(sent);
  const payload = data?.sent as { readonly userErrors: readonly unknown[] } | null | undefined;
  await (payload?.userErrors.length === 0 ? open.done() : open.notDone());
  return true;
}
