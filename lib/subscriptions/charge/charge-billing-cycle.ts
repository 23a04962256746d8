/**
 * Charges one order at most once. The platform's mutation that charges a cycle has no idempotency key, so this
 * operation creates a billing attempt, which has one. If the order is being billed, is already billed, or was
 * declined less than a minute ago, the operation returns the existing attempt.
 */

import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { provesNothingChanged } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { message } from '../../messages/message.ts';
import type { ObservedAttempt } from '../../timeline/attempt-outcome.ts';
import { type ContractRef, parseContractRef } from '../contract-ref.ts';
import type { Operation, OperationDeps, OperationRequest, PlannedChange } from '../operation.ts';
import {
  createRefusedOutcome,
  createUserError,
  type OperationError,
  type OperationOutcome,
} from '../operation-error.ts';
import { runOperation } from '../run-operation.ts';
import { recoverLostResponse } from '../send-change.ts';
import type { ChargeDeps } from './charge-claims.ts';
import { chooseOriginTime } from './choose-origin-time.ts';
import { createBillingAttempt } from './create-billing-attempt.ts';
import { findChargeError } from './find-charge-error.ts';
import {
  findExistingAttempt,
  idempotencyKeyOfCharge,
  type RequestedCharge,
} from './find-existing-attempt.ts';
import {
  type BillingAttempt,
  type CycleSelector,
  readAttemptForClient,
  readAttemptsOfOrder,
} from './read-attempts-of-order.ts';

/** How often the operation tries to claim the contract while another charge of it is in progress. */
const MAX_CLAIM_TRIES = 20;
const CHARGE_POLL_INTERVAL_MS = 500;

/**
 * Returns the billing attempt, or userErrors with the platform's codes for billing attempts. Sends two platform
 * requests, two more if the response to the second is lost, and one per half second while another charge of the
 * contract is in progress.
 * @throws TEMPORARILY_UNAVAILABLE when another charge is still in progress after ten seconds
 */
export const chargeBillingCycle: Operation<ChargeDeps> = async (deps, request) => {
  const { billingCycleSelector, idempotencyKey } = request.args;
  const argumentError = findChargeArgumentError(billingCycleSelector as CycleSelector, idempotencyKey);
  if (argumentError !== undefined) return createRefusedOutcome([argumentError]);
  let attemptIdsBeforeWait: RequestedCharge['attemptIdsBeforeWait'];
  for (let tryCount = 0; tryCount < MAX_CLAIM_TRIES; tryCount++) {
    const chargeOutcome = await tryChargeOrder(deps, request, attemptIdsBeforeWait);
    if ('selectedFields' in chargeOutcome) return chargeOutcome;
    attemptIdsBeforeWait ??= new Set(chargeOutcome.attempts.map(({ id }) => id));
    await deps.wait(CHARGE_POLL_INTERVAL_MS);
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'another charge of the contract is under way',
  });
};

/**
 * The result when another charge of the contract is in progress. `attempts` are the attempts of the order that were
 * read before that charge was detected.
 */
type ChargeInProgress = { readonly attempts: readonly BillingAttempt[] };

async function tryChargeOrder(
  deps: ChargeDeps,
  request: OperationRequest,
  attemptIdsBeforeWait: RequestedCharge['attemptIdsBeforeWait'],
): Promise<OperationOutcome | ChargeInProgress> {
  const { args, selection } = request;
  const contractId = String(args.subscriptionContractId);
  const cycleSelector = args.billingCycleSelector as CycleSelector;
  const readAtMs = deps.now();
  const { contract, cycle } = await readAttemptsOfOrder(deps, { contractId, selector: cycleSelector });
  const charge = contract &&
    cycle && { contract, cycle, idempotencyKey: args.idempotencyKey, attemptIdsBeforeWait };
  const existingOutcome = await respondWithExistingCharge(deps, charge, selection);
  if (existingOutcome !== undefined) return existingOutcome;
  const chargeError = findChargeError(contract, cycle, { args, nowMs: deps.now() });
  if (chargeError !== undefined) return createRefusedOutcome([chargeError]);
  const ref = parseContractRef(deps.store.shopId, contractId);
  if (charge === undefined || ref === undefined) throw new Error('neither found nor refused');
  const idempotencyKey = idempotencyKeyOfCharge(charge);
  // The claim's key includes the cycle: two concurrent charges of different orders with one idempotency key must not
  // share a claim.
  const claimKey = `${charge.cycle.cycleIndex} ${idempotencyKey}`;
  const claimOutcome = await deps.chargeClaims.claim(ref, { idempotencyKey: claimKey, readAtMs });
  if (claimOutcome === 'refused') return { attempts: charge.cycle.billingAttempts.nodes };
  try {
    const plannedAttempt = planBillingAttempt(deps, request, { ...charge, idempotencyKey });
    const chargeOutcome = await runOperation(deps, async () => plannedAttempt);
    await releaseClaimQuietly(deps, ref, claimKey);
    if (chargeOutcome.userErrors.length === 0) return chargeOutcome;
    // The platform refused the attempt. A request that created an attempt directly with an admin key, and therefore
    // without a claim, may have been first: return that attempt.
    const attemptsAfter = await readAttemptsOfOrder(deps, {
      contractId,
      selector: { index: charge.cycle.cycleIndex },
    });
    const chargeAfterRefusal = attemptsAfter.contract &&
      attemptsAfter.cycle && { ...charge, ...attemptsAfter };
    return (
      (await respondWithExistingCharge(deps, chargeAfterRefusal as RequestedCharge | undefined, selection)) ??
      chargeOutcome
    );
  } catch (error) {
    if (provesNothingChanged(error)) await releaseClaimQuietly(deps, ref, claimKey);
    throw error;
  }
}

/**
 * Returns the existing attempt that this charge would duplicate, in the client's selection.
 * @returns undefined when there is no such attempt
 */
async function respondWithExistingCharge(
  deps: ChargeDeps,
  charge: RequestedCharge | undefined,
  selection: OperationRequest['selection'],
): Promise<OperationOutcome | undefined> {
  const existingAttempt = charge && findExistingAttempt(charge, deps.now());
  if (existingAttempt === undefined) return undefined;
  const operationOutcome = await readAttemptForClient(deps, existingAttempt, selection);
  return { ...operationOutcome, returnedObjectIds: { subscriptionBillingAttempt: existingAttempt.id } };
}

/** Releases the claim. Ignores a failure, because the claim then expires after half a minute. */
async function releaseClaimQuietly(
  { chargeClaims }: ChargeDeps,
  ref: ContractRef,
  claimKey: string,
): Promise<void> {
  await ignoreServiceError(() => chargeClaims.release(ref, claimKey));
}

function planBillingAttempt(
  deps: OperationDeps,
  request: OperationRequest,
  requestedCharge: RequestedCharge & { readonly idempotencyKey: string },
): PlannedChange {
  const { contract, cycle, idempotencyKey } = requestedCharge;
  const { id: contractId } = contract;
  const { cycleIndex } = cycle;
  const originTime = chooseOriginTime(cycle, deps.now());
  return {
    intent: createChargeIntent(requestedCharge),
    apply: () =>
      recoverLostResponse(
        () => createBillingAttempt(deps, request, { contractId, cycleIndex, idempotencyKey, originTime }),
        async () => {
          const attemptsAfter = await readAttemptsOfOrder(deps, {
            contractId,
            selector: { index: cycleIndex },
          });
          const attempt = attemptsAfter.cycle?.billingAttempts.nodes.find(
            (one) => one.idempotencyKey === idempotencyKey,
          );
          // Record the attempt as pending: the scheduled work reads its result later.
          return (
            attempt && {
              ...(await readAttemptForClient(deps, attempt, request.selection)),
              attempt: toPendingAttempt(attempt),
            }
          );
        },
      ),
  };
}

function findChargeArgumentError(
  { index, date }: CycleSelector,
  idempotencyKey: unknown,
): OperationError | undefined {
  if ((index == null) === (date == null)) {
    return createUserError('INVALID', {
      field: ['billingCycleSelector'],
      message: message('cycleIndexOrDate'),
    });
  }
  if (typeof idempotencyKey !== 'string' || idempotencyKey.trim() !== '') return undefined;
  return createUserError('BLANK', { field: ['idempotencyKey'], message: message('idempotencyKeyBlank') });
}

function toPendingAttempt({ id, idempotencyKey, createdAt }: BillingAttempt): ObservedAttempt {
  return { id, idempotencyKey, createdAt, state: { __typename: 'SubscriptionBillingAttemptPendingState' } };
}

/** The intent contains the idempotency key: after a crash, the scheduled work finds the attempt by it. */
function createChargeIntent({
  contract,
  cycle,
  idempotencyKey,
}: RequestedCharge & { readonly idempotencyKey: string }) {
  const { cycleIndex: billingCycleIndex, billingAttemptExpectedDate: expectedDate } = cycle;
  const chargeDetails = { billingCycleIndex, expectedDate, idempotencyKey };
  return { action: 'billing_cycle_charged', contractId: contract.id, details: chargeDetails, changes: [] };
}
