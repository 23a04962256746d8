/** Settles an open charge: the attempts of its contract show by its idempotency key whether it was made. */
import { ServiceError } from '../../errors/service-error.ts';
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

/** The intent is some minutes old, so there are fewer later attempts. */
const ATTEMPTS_DOCUMENT = `query($id: ID!) { contract: subscriptionContract(id: $id) {
  billingAttempts(first: 100, reverse: true) { nodes { ${ATTEMPT_SELECTION} } } } }`;

type AttemptsResponse = {
  readonly contract: { readonly billingAttempts: { readonly nodes: readonly ObservedAttempt[] } } | null;
};

/** Whether it is a charge whose attempt can be found by its key. */
export function isChargeIntent({ action, contract, details }: OpenIntent): boolean {
  return (
    action === 'billing_cycle_charged' && contract !== undefined && typeof details.idempotencyKey === 'string'
  );
}

/**
 * Records the attempt, or drops the intent when there is none. The charge is UNKNOWN when the contract does not exist,
 * or cannot be read for a week.
 * @throws the errors of the platform's client
 */
export async function settleChargeIntent(
  finishDeps: FinishDeps,
  deps: TimelineWriteDeps,
  intent: OpenIntent,
): Promise<void> {
  const attempts = await readAttemptsOfContract(finishDeps, intent).catch((error: unknown) => {
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

/** Reads the contract's attempts, newest first; undefined when the contract does not exist. */
async function readAttemptsOfContract(
  { sendToPlatform, platformGidNamespace }: FinishDeps,
  { contract }: OpenIntent,
): Promise<readonly ObservedAttempt[] | undefined> {
  if (contract === undefined) return undefined;
  const variables = { id: contractGid(contract, platformGidNamespace) };
  const { data, errors } = await sendToPlatform({ document: ATTEMPTS_DOCUMENT, variables, mutates: false });
  const contractAttempts = (data as AttemptsResponse | null)?.contract;
  if (data === null || (!contractAttempts && errors.length > 0)) throw failedReadError('no attempts', errors);
  return contractAttempts?.billingAttempts.nodes;
}
