/** Charges a cycle: the attempt is pending at first, and a later request settles it (settle-due-attempts.ts). */

import { findOrderContent } from '../../../state/add-order.ts';
import type { AttemptTable } from '../../../state/attempt-table.ts';
import {
  isRefusalCode,
  REFUSAL_MESSAGES,
  type RefusalCode,
  takeOutcomeStep,
  takeRefusal,
} from '../../../state/attempts/outcome-script.ts';
import { type BillingCycle, findCycleAt } from '../../../state/billing-cycles.ts';
import type { AttemptRecord, ContractRecord } from '../../../state/contract-records.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../state/instant.ts';
import { takeNextId } from '../../../state/opaque-id.ts';
import type { StoreState } from '../../../state/state.ts';
import { behaviourOfStore } from '../../../state/unpublished-behaviour.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserError, createUserErrorPayload, isUserError, type UserError } from '../../user-error.ts';
import { isTerminated } from '../contracts/contract-changes.ts';
import { type CycleSelector, isSelectedCycle, selectCycle } from './billing-cycles.ts';

const KEY_RETENTION_MS = { day: DAY_MS, hour: HOUR_MS, forever: Number.POSITIVE_INFINITY };

type AttemptInputWithoutCycle = {
  idempotencyKey: string;
  originTime?: string | null;
  inventoryPolicy: string;
  paymentProcessingPolicy?: string | null;
};
type BillingAttemptInput = AttemptInputWithoutCycle & { billingCycleSelector?: CycleSelector | null };
type CreateAttemptArgs = {
  subscriptionContractId: string;
  subscriptionBillingAttemptInput: BillingAttemptInput;
};

function resolveAttemptCreate(_parent: unknown, args: CreateAttemptArgs, context: AdminContext) {
  const attemptInput = args.subscriptionBillingAttemptInput;
  const contract = findChargeableContract(args.subscriptionContractId, context);
  if (attemptInput.idempotencyKey.trim() === '') {
    return createUserErrorPayload(
      ['subscriptionBillingAttemptInput', 'idempotencyKey'],
      "Idempotency key can't be blank",
      'BLANK',
    );
  }
  // The same key returns the same attempt, whatever happened to the contract since, as long as the key is stored.
  const rememberedFromMs =
    context.nowMs - KEY_RETENTION_MS[behaviourOfStore(context.store, 'keysRemembered')];
  const existingAttempt = context.store.attempts
    .withKey(attemptInput.idempotencyKey)
    .findLast(({ createdAt }) => Date.parse(createdAt) >= rememberedFromMs);
  if (existingAttempt !== undefined)
    return toChargePayload(findRetryRefusal(existingAttempt, context) ?? existingAttempt);
  if (isUserError(contract)) return { userErrors: [contract] };
  const cycle = findCycleToCharge(contract, attemptInput, context);
  if (isUserError(cycle)) return { userErrors: [cycle] };
  return toChargePayload(createAttempt(cycle, attemptInput, context));
}

type ChargeCycleArgs = {
  subscriptionContractId: string;
  billingCycleSelector: CycleSelector;
  inventoryPolicy: string;
  paymentProcessingPolicy?: string | null;
};

function resolveCycleCharge(_parent: unknown, args: ChargeCycleArgs, context: AdminContext) {
  const contract = findChargeableContract(args.subscriptionContractId, context);
  if (isUserError(contract)) return { userErrors: [contract] };
  const cycle = findCycleToCharge(contract, args, context);
  if (isUserError(cycle)) return { userErrors: [{ ...cycle, field: ['billingCycleSelector'] }] };
  const idempotencyKey = `charge-${contract.id}-${cycle.index}-${takeNextId(context.store)}`;
  const originTime = cycle.expectedMs < context.nowMs ? formatIsoInstant(cycle.expectedMs) : null;
  return toChargePayload(createAttempt(cycle, { ...args, idempotencyKey, originTime }, context));
}

/** Returns the error of a retry with a known key, if the platform refuses such a request, too. */
function findRetryRefusal(
  { contractId, cycleIndex }: AttemptRecord,
  { store, nowMs }: AdminContext,
): UserError | undefined {
  const contract = store.contracts.peek(contractId);
  if (contract === undefined || behaviourOfStore(store, 'refusedKeys') === 'answered') return undefined;
  const code = takeRefusal(store, { contract, cycleIndex }, nowMs);
  return code === undefined ? undefined : createRefusal(code);
}

function createRefusal(code: RefusalCode): UserError {
  return createUserError(['subscriptionContractId'], REFUSAL_MESSAGES[code], code);
}

function toChargePayload(outcome: AttemptRecord | UserError) {
  return isUserError(outcome) ? { userErrors: [outcome] } : { subscriptionBillingAttempt: outcome };
}

function findChargeableContract(id: string, { store }: AdminContext): ContractRecord | UserError {
  const fieldPath = ['subscriptionContractId'];
  const contract = store.contracts.get(requireGidNumber(id, 'SubscriptionContract'));
  if (contract === undefined)
    return createUserError(fieldPath, 'Subscription contract does not exist', 'CONTRACT_NOT_FOUND');
  if (isTerminated(contract))
    return createUserError(
      fieldPath,
      'Subscription contract cannot be billed once terminated',
      'CONTRACT_TERMINATED',
    );
  if (contract.content.status === 'PAUSED')
    return createUserError(fieldPath, 'Subscription contract cannot be billed if paused', 'CONTRACT_PAUSED');
  return contract;
}

const KNOWN_SELECTION_ERROR_CODES = [
  'CYCLE_INDEX_OUT_OF_RANGE',
  'CYCLE_START_DATE_OUT_OF_RANGE',
  'UPCOMING_CYCLE_LIMIT_EXCEEDED',
];

type CycleToChargeInput = { billingCycleSelector?: CycleSelector | null; originTime?: string | null };

/**
 * Returns the selected cycle, if it can be charged now. Without a selector it is the cycle at the origin time, or the
 * current one.
 */
function findCycleToCharge(
  contract: ContractRecord,
  input: CycleToChargeInput,
  context: AdminContext,
): BillingCycle | UserError {
  const selectorField = ['subscriptionBillingAttemptInput', 'billingCycleSelector'];
  const { originTime, billingCycleSelector } = input;
  const originField = ['subscriptionBillingAttemptInput', 'originTime'];
  if (originTime != null && Date.parse(originTime) < Date.parse(contract.createdAt)) {
    return createUserError(
      originField,
      'Origin time cannot be before the contract creation time',
      'ORIGIN_TIME_BEFORE_CONTRACT_CREATION',
    );
  }
  const originMs = originTime == null ? context.nowMs : Date.parse(originTime);
  const choosesCurrentCycle = behaviourOfStore(context.store, 'attemptsWithoutIndex') === 'now';
  const cycleSelection =
    billingCycleSelector == null
      ? findCycleAt(contract, choosesCurrentCycle ? context.nowMs : originMs)
      : selectCycle(contract, billingCycleSelector, context.nowMs);
  if (cycleSelection === null)
    return createUserError(
      selectorField,
      'There is no billing cycle at that time',
      'CYCLE_START_DATE_OUT_OF_RANGE',
    );
  if (!isSelectedCycle(cycleSelection)) {
    return createUserError(
      selectorField,
      cycleSelection.message,
      KNOWN_SELECTION_ERROR_CODES.includes(cycleSelection.code) ? cycleSelection.code : 'INVALID',
    );
  }
  if (originTime != null && (originMs < cycleSelection.startMs - 1000 || originMs > cycleSelection.endMs)) {
    return createUserError(
      originField,
      "Origin time needs to be within the selected billing cycle's start and end at date",
      'ORIGIN_TIME_OUT_OF_RANGE',
    );
  }
  const isEarlyChargeAccepted =
    billingCycleSelector == null && behaviourOfStore(context.store, 'earlyWithoutIndex') === 'charged';
  const problem =
    findChargeProblem(cycleSelection, selectorField, context) ??
    (isEarlyChargeAccepted ? null : findEarlyProblem(cycleSelection, selectorField, context.nowMs));
  return problem ?? cycleSelection;
}

/**
 * Returns the error of a charge more than 24 hours before the order is due, or null.
 * @internal A model of a contract lists what can be charged.
 */
export function findEarlyProblem(
  { expectedMs }: BillingCycle,
  field: string[],
  nowMs: number,
): UserError | null {
  if (expectedMs - nowMs <= DAY_MS) return null;
  const message =
    'Billing cycle charge attempt made more than 24 hours before the billing cycle expected date';
  return createUserError(field, message, 'BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE');
}

/** Returns the reason why a cycle cannot be charged, except that it is too early, or null. */
export function findChargeProblem(
  cycle: BillingCycle,
  field: string[],
  { store }: AdminContext,
): UserError | null {
  if (cycle.skipped)
    return createUserError(field, 'Billing cycle must not be skipped', 'BILLING_CYCLE_SKIPPED');
  if (cycle.billed) return createUserError(field, 'Billing cycle is already billed', 'INVALID');
  if (behaviourOfStore(store, 'openAttempts') === 'one' && hasPendingAttempt(cycle, store.attempts)) {
    return createUserError(field, 'Billing cycle has a billing attempt in progress', 'INVALID');
  }
  if (behaviourOfStore(store, 'concatenatedOrders') === 'refused' && isConcatenated(cycle, store))
    return createUserError(field, 'Billing cycle is concatenated with another contract', 'INVALID');
  return null;
}

/** Returns whether the edited order of another contract contains the lines of this order. */
function isConcatenated({ contract, index }: BillingCycle, { contracts }: StoreState): boolean {
  for (const { cycleEdits } of contracts.values()) {
    for (const edit of Object.values(cycleEdits)) {
      const joinedContracts = edit.contract?.concatenated ?? [];
      if (joinedContracts.some((each) => each.contractId === contract.id && each.cycleIndex === index))
        return true;
    }
  }
  return false;
}

/** Returns whether an attempt on the cycle is not settled yet. */
export function hasPendingAttempt({ contract, index }: BillingCycle, attempts: AttemptTable): boolean {
  return attempts
    .ofContract(contract.id)
    .some(({ cycleIndex, completedAt }) => completedAt === null && cycleIndex === index);
}

/** Adds a pending attempt, unless the script of the charge refuses the request. */
export function createAttempt(
  cycle: BillingCycle,
  attemptInput: AttemptInputWithoutCycle,
  { store, nowMs }: AdminContext,
): AttemptRecord | UserError {
  const { contract, index } = cycle;
  const outcomeStep = takeOutcomeStep(store, { contract, cycleIndex: index }, nowMs);
  if (isRefusalCode(outcomeStep?.answer)) return createRefusal(outcomeStep.answer);
  const { lines, deliveryPriceMinor, discounts } = findOrderContent(contract, index);
  const attempt: AttemptRecord = {
    __typename: 'SubscriptionBillingAttempt',
    id: takeNextId(store),
    contractId: contract.id,
    cycleIndex: index,
    idempotencyKey: attemptInput.idempotencyKey,
    createdAt: formatIsoInstant(nowMs),
    completedAt: null,
    priced: structuredClone({ lines, deliveryPriceMinor, discounts }),
    originTime: attemptInput.originTime ?? null,
    orderId: null,
    errorCode: null,
    errorMessage: null,
    respectInventoryPolicy: attemptInput.inventoryPolicy === 'PRODUCT_VARIANT_INVENTORY_POLICY',
    settleAt: formatIsoInstant(nowMs + (outcomeStep?.delaySeconds ?? store.chargeDelaySeconds) * 1000),
    allowUnpaid: attemptInput.paymentProcessingPolicy === 'SKIP_PAYMENT_AND_CREATE_UNPAID_ORDER',
    ...(outcomeStep?.answer !== undefined && { answer: outcomeStep.answer }),
    ...(outcomeStep?.confirmSeconds !== undefined && { confirmSeconds: outcomeStep.confirmSeconds }),
  };
  store.attempts.set(attempt.id, attempt);
  return attempt;
}

export const chargeResolvers: ResolverMap = {
  Mutation: {
    subscriptionBillingAttemptCreate: resolveAttemptCreate,
    subscriptionBillingCycleCharge: resolveCycleCharge,
  },
};
