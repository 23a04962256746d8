/** Charges a cycle: the attempt is pending at first, and a later request settles it (settle-attempts.ts). */
import { type BillingCycle, cycleAt } from '../../../state/billing-cycles.ts';
import type { AttemptRecord, ContractRecord } from '../../../state/contract-records.ts';
import { dayMs, isoInstant } from '../../../state/instant.ts';
import { nextId } from '../../../state/opaque-id.ts';
import { wayOf } from '../../../state/unpublished.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { numberOf } from '../../gid.ts';
import { isUserError, type UserError, userError, userErrorPayload } from '../../user-error.ts';
import { isTerminated } from '../contracts/contract-changes.ts';
import { type CycleSelector, isCycle, selectCycle } from './billing-cycles.ts';

/** The platform does not document how long it stores an idempotency key: here it is a day. */
const keysRememberedMs = dayMs;

type AttemptTerms = {
  idempotencyKey: string;
  originTime?: string | null;
  inventoryPolicy: string;
  paymentProcessingPolicy?: string | null;
};
type AttemptInput = AttemptTerms & { billingCycleSelector?: CycleSelector | null };
type AttemptArgs = { subscriptionContractId: string; subscriptionBillingAttemptInput: AttemptInput };

function attemptCreate(_parent: unknown, args: AttemptArgs, context: AdminContext) {
  const input = args.subscriptionBillingAttemptInput;
  const contract = findChargeableContract(args.subscriptionContractId, context);
  if (input.idempotencyKey.trim() === '') {
    return userErrorPayload(
      ['subscriptionBillingAttemptInput', 'idempotencyKey'],
      "Idempotency key can't be blank",
      'BLANK',
    );
  }
  // The same key returns the same attempt, whatever happened to the contract since, as long as the key is stored.
  const rememberedFromMs = context.nowMs - keysRememberedMs;
  const present = [...context.store.attempts.values()].findLast(
    ({ idempotencyKey, createdAt }) =>
      idempotencyKey === input.idempotencyKey && Date.parse(createdAt) >= rememberedFromMs,
  );
  if (present !== undefined) return { subscriptionBillingAttempt: present };
  if (isUserError(contract)) return { userErrors: [contract] };
  const cycle = cycleToCharge(contract, input, context);
  if (isUserError(cycle)) return { userErrors: [cycle] };
  return { subscriptionBillingAttempt: newAttempt(cycle, input, context) };
}

type ChargeArgs = {
  subscriptionContractId: string;
  billingCycleSelector: CycleSelector;
  inventoryPolicy: string;
  paymentProcessingPolicy?: string | null;
};

function cycleCharge(_parent: unknown, args: ChargeArgs, context: AdminContext) {
  const contract = findChargeableContract(args.subscriptionContractId, context);
  if (isUserError(contract)) return { userErrors: [contract] };
  const cycle = cycleToCharge(contract, args, context);
  if (isUserError(cycle)) return { userErrors: [{ ...cycle, field: ['billingCycleSelector'] }] };
  const idempotencyKey = `charge-${contract.id}-${cycle.index}-${nextId(context.store)}`;
  const originTime = cycle.expectedMs < context.nowMs ? isoInstant(cycle.expectedMs) : null;
  return { subscriptionBillingAttempt: newAttempt(cycle, { ...args, idempotencyKey, originTime }, context) };
}

function findChargeableContract(id: string, { store }: AdminContext): ContractRecord | UserError {
  const field = ['subscriptionContractId'];
  const contract = store.contracts.get(numberOf(id, 'SubscriptionContract'));
  if (contract === undefined)
    return userError(field, 'Subscription contract does not exist', 'CONTRACT_NOT_FOUND');
  if (isTerminated(contract))
    return userError(field, 'Subscription contract cannot be billed once terminated', 'CONTRACT_TERMINATED');
  if (contract.content.status === 'PAUSED')
    return userError(field, 'Subscription contract cannot be billed if paused', 'CONTRACT_PAUSED');
  return contract;
}

const selectorCodes = [
  'CYCLE_INDEX_OUT_OF_RANGE',
  'CYCLE_START_DATE_OUT_OF_RANGE',
  'UPCOMING_CYCLE_LIMIT_EXCEEDED',
];

type RequestedCycle = { billingCycleSelector?: CycleSelector | null; originTime?: string | null };

/**
 * Returns the selected cycle, if it can be charged now. Without a selector it is the cycle at the origin time, or the
 * current one.
 */
function cycleToCharge(
  contract: ContractRecord,
  input: RequestedCycle,
  context: AdminContext,
): BillingCycle | UserError {
  const field = ['subscriptionBillingAttemptInput', 'billingCycleSelector'];
  const { originTime, billingCycleSelector } = input;
  const originField = ['subscriptionBillingAttemptInput', 'originTime'];
  if (originTime != null && Date.parse(originTime) < Date.parse(contract.createdAt)) {
    return userError(
      originField,
      'Origin time cannot be before the contract creation time',
      'ORIGIN_TIME_BEFORE_CONTRACT_CREATION',
    );
  }
  const atMs = originTime == null ? context.nowMs : Date.parse(originTime);
  const found =
    billingCycleSelector == null
      ? cycleAt(contract, atMs)
      : selectCycle(contract, billingCycleSelector, context.nowMs);
  if (found === null)
    return userError(field, 'There is no billing cycle at that time', 'CYCLE_START_DATE_OUT_OF_RANGE');
  if (!isCycle(found)) {
    return userError(field, found.message, selectorCodes.includes(found.code) ? found.code : 'INVALID');
  }
  if (originTime != null && (atMs < found.startMs - 1000 || atMs > found.endMs)) {
    return userError(
      originField,
      "Origin time needs to be within the selected billing cycle's start and end at date",
      'ORIGIN_TIME_OUT_OF_RANGE',
    );
  }
  return cycleProblem(found, field, context) ?? found;
}

/** Returns the reason why a cycle cannot be charged now, or null. */
export function cycleProblem(
  cycle: BillingCycle,
  field: string[],
  { store, nowMs }: AdminContext,
): UserError | null {
  if (cycle.skipped) return userError(field, 'Billing cycle must not be skipped', 'BILLING_CYCLE_SKIPPED');
  if (cycle.billed) return userError(field, 'Billing cycle is already billed', 'INVALID');
  if (cycle.expectedMs - nowMs > dayMs) {
    const message =
      'Billing cycle charge attempt made more than 24 hours before the billing cycle expected date';
    return userError(field, message, 'BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE');
  }
  if (wayOf(store, 'openAttempts') === 'one' && hasPending(cycle, store.attempts.values())) {
    return userError(field, 'Billing cycle has a billing attempt in progress', 'INVALID');
  }
  return null;
}

/** Returns whether an attempt on the cycle is not settled yet. */
export function hasPending({ contract, index }: BillingCycle, attempts: Iterable<AttemptRecord>): boolean {
  for (const { contractId, cycleIndex, completedAt } of attempts) {
    if (completedAt === null && contractId === contract.id && cycleIndex === index) return true;
  }
  return false;
}

/** Adds a pending attempt. */
export function newAttempt(
  cycle: BillingCycle,
  terms: AttemptTerms,
  { store, nowMs }: AdminContext,
): AttemptRecord {
  const attempt: AttemptRecord = {
    __typename: 'SubscriptionBillingAttempt',
    id: nextId(store),
    contractId: cycle.contract.id,
    cycleIndex: cycle.index,
    idempotencyKey: terms.idempotencyKey,
    createdAt: isoInstant(nowMs),
    completedAt: null,
    originTime: terms.originTime ?? null,
    orderId: null,
    errorCode: null,
    errorMessage: null,
    respectInventoryPolicy: terms.inventoryPolicy === 'PRODUCT_VARIANT_INVENTORY_POLICY',
    settleAt: isoInstant(nowMs + store.chargeDelaySeconds * 1000),
    allowUnpaid: terms.paymentProcessingPolicy === 'SKIP_PAYMENT_AND_CREATE_UNPAID_ORDER',
  };
  store.attempts.set(attempt.id, attempt);
  return attempt;
}

export const chargeResolvers: ResolverMap = {
  Mutation: {
    subscriptionBillingAttemptCreate: attemptCreate,
    subscriptionBillingCycleCharge: cycleCharge,
  },
};
