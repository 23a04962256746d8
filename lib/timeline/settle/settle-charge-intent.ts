/** Settles the open intent of a charge: an attempt of the order with the intent's idempotency key shows that it was made. */
import { ServiceError } from '../../errors/service-error.ts';
import { isNotFoundError } from '../../platform/admin-api/admin-response.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { ATTEMPT_SELECTION, type ObservedAttempt } from '../attempt-outcome.ts';
import { contractGid } from '../event-record.ts';
import {
  INTENT_GIVE_UP_AFTER_MS,
  type OpenIntent,
  removeIntent,
  settleIntentAsEntry,
  type TimelineWriteDeps,
} from '../intent.ts';
import { recordCharge } from '../record-charge.ts';
import type { FinishDeps } from './finish-change.ts';

/** Selects the last 100 attempts: fewer can have been made since the intent, which is only some minutes old. */
const LAST_ATTEMPTS_SELECTION = `billingAttempts(first: 100, reverse: true) { nodes { ${ATTEMPT_SELECTION} } }`;
const ATTEMPTS_OF_CONTRACT_DOCUMENT = `query($id: ID!) { contract: subscriptionContract(id: $id) { ${LAST_ATTEMPTS_SELECTION} } }`;
/** Reads only attempts of the intent's order: another client can have used the key for another order of the contract. */
const ATTEMPTS_OF_ORDER_DOCUMENT = `query($id: ID!, $index: Int!) { contract: subscriptionContract(id: $id) { id }
  cycle: subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: $index } }) { ${LAST_ATTEMPTS_SELECTION} } }`;

type WithAttempts = { readonly billingAttempts: { readonly nodes: readonly ObservedAttempt[] } };
type AttemptsResponse = {
  readonly contract?: Partial<WithAttempts> | null;
  readonly cycle?: WithAttempts | null;
};

/** Whether the intent is that of a charge whose attempt can be found by its idempotency key. */
export function isChargeIntent({ action, contract, details }: OpenIntent): boolean {
  return (
    action === 'billing_cycle_charged' && contract !== undefined && typeof details.idempotencyKey === 'string'
  );
}

/**
 * Records the attempt of a charge's intent, or removes the intent when there is no attempt. The charge is recorded as UNKNOWN
 * when the contract does not exist, or cannot be read for a week.
 * @throws the errors of the platform's client
 */
export async function settleChargeIntent(
  finishDeps: FinishDeps,
  deps: TimelineWriteDeps,
  intent: OpenIntent,
): Promise<void> {
  const attempts = await readAttempts(finishDeps, intent).catch((error: unknown) => {
    if (error instanceof ServiceError && deps.now() - intent.createdAtMs > INTENT_GIVE_UP_AFTER_MS)
      return undefined;
    throw error;
  });
  if (attempts === undefined) {
    const { changes } = intent;
    await settleIntentAsEntry(deps, intent, { outcome: 'UNKNOWN', changes, isDirectlyObserved: false });
    return;
  }
  const attempt = attempts.find((one) => one.idempotencyKey === intent.details.idempotencyKey);
  await (attempt ? recordCharge(deps, intent, attempt) : removeIntent(deps, intent));
}

/**
 * Reads the order's attempts, or the contract's for an intent that names no order, newest first; undefined when the contract
 * does not exist.
 */
async function readAttempts(
  { sendToPlatform, platformGidNamespace }: FinishDeps,
  { contract, details: { billingCycleIndex: cycleIndex } }: OpenIntent,
): Promise<readonly ObservedAttempt[] | undefined> {
  if (contract === undefined) return undefined;
  const id = contractGid(contract, platformGidNamespace);
  const namesOrder = typeof cycleIndex === 'number';
  const { data, errors } = await sendToPlatform({
    document: namesOrder ? ATTEMPTS_OF_ORDER_DOCUMENT : ATTEMPTS_OF_CONTRACT_DOCUMENT,
    variables: namesOrder ? { id, index: cycleIndex } : { id },
    mutates: false,
  });
  const response = data as AttemptsResponse | null;
  const attemptsParent = namesOrder ? response?.cycle : response?.contract;
  const hasReadFailed =
    response === null || (!attemptsParent && errors.some((error) => !isNotFoundError(error)));
  if (hasReadFailed) throw failedReadError('no attempts', errors);
  return response.contract ? (attemptsParent?.billingAttempts?.nodes ?? []) : undefined;
}
