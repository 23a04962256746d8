/**
 * The state that an interval change reads in one platform request, the state that it aims at, and comparisons of the
 * two.
 */

import { type Instant, parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import type { ContractFacts } from '../contract-facts.ts';
import {
  buildCyclesRootField,
  CYCLES_UNTIL_VARIABLE_TYPE,
  cyclesUntilNowRange,
  ORIGIN_ORDER_SELECTION,
  type PaidOrdersState,
} from '../count-paid-orders.ts';
import {
  DELIVERY_SELECTION,
  DENIABLE_DELIVERY_FIELDS,
  type DeliveredContract,
} from '../delivery/delivery-price-adjustment.ts';
import type { OfferedInterval } from '../error-details.ts';
import type { OperationRequest } from '../operation.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { StateSelection } from '../read-contract-state.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import type { SellingPlan } from '../selling-plans/selling-plan.ts';
import { haveNewPlans, PLANNED_LINE_SELECTION, type PlannedLine } from './build-line-updates.ts';
import type { IntervalChoice } from './choose-interval.ts';
import { type ContractPolicies, type DeliveryPolicy, isSamePolicy } from './contract-policies.ts';
import { NAMED_PLAN_ROOT_FIELD } from './read-offered-plans.ts';
import { type CyclePages, upcomingCyclesSelection } from './read-upcoming-cycles.ts';
import { PAYMENT_FIELDS_SELECTION, type PaymentContract } from './scale-discounts.ts';

export type IntervalContract = ContractFacts &
  ContractPolicies &
  PaymentContract & {
    readonly nextBillingDate: string | null;
    readonly currencyCode: string;
    readonly originOrder: PaidOrdersState['originOrder'];
    readonly lines: { readonly nodes: readonly PlannedLine[] };
  } & Pick<DeliveredContract, 'deliveryMethod' | 'customer'>;

export type IntervalState = CyclePages & {
  readonly contract: IntervalContract;
  readonly _svcShop: { readonly currencyCode: string };
  readonly _svcCycles: PaidOrdersState['cycles'];
  /** Selected only if the client names a plan. Null, or an object without fields, when that plan does not exist. */
  readonly _svcPlan?: SellingPlan | Record<string, never> | null;
};

export type IntervalInput = {
  readonly interval: Frequency | undefined;
  readonly sellingPlanId: string | undefined;
  readonly dateMs: Instant | undefined;
};

/** Parses the client's arguments. Null counts as omitted. `dateMs`: the requested date, which depends on the orders. */
export function parseIntervalInput({ args }: OperationRequest, dateMs?: Instant): IntervalInput {
  const { interval, sellingPlanId } = args;
  return {
    interval: (interval ?? undefined) as Frequency | undefined,
    sellingPlanId: typeof sellingPlanId === 'string' ? sellingPlanId : undefined,
    dateMs,
  };
}

/** The largest `intervalCount` of each interval: three years. */
const MAX_COUNT_BY_INTERVAL: Readonly<Record<string, number>> = { DAY: 1095, WEEK: 156, MONTH: 36, YEAR: 3 };

/** Returns INVALID when the client sent neither interval nor plan, or a count below one or above three years. */
export function findIntervalInputError({
  interval,
  sellingPlanId,
}: IntervalInput): OperationError | undefined {
  if (interval === undefined && sellingPlanId === undefined) {
    return createUserError('INVALID', { field: ['interval'], message: message('intervalOrPlanMissing') });
  }
  if (interval === undefined) return undefined;
  const maxCount = MAX_COUNT_BY_INTERVAL[interval.interval] ?? 1;
  if (interval.intervalCount >= 1 && interval.intervalCount <= maxCount) return undefined;
  const rangeMessage = message('intervalCountRange', { least: 1, most: maxCount });
  const counts = { limit: maxCount, actual: interval.intervalCount };
  return createUserError('INVALID', { field: ['interval', 'intervalCount'], message: rangeMessage }, counts);
}

const ANCHORED_POLICY_FIELDS = 'interval intervalCount anchors { type day month cutoffDay }';

/**
 * Returns the selection of the first request. It reads 250 lines, which is more than the platform allows on a contract.
 */
export function buildIntervalReads(
  { sellingPlanId }: IntervalInput,
  { nowMs, isCustomer }: { readonly nowMs: number; readonly isCustomer: boolean },
): StateSelection {
  const cycles = upcomingCyclesSelection(nowMs);
  const namesPlan = sellingPlanId !== undefined;
  return {
    contractSelection: `nextBillingDate currencyCode billingPolicy { ${ANCHORED_POLICY_FIELDS} minCycles maxCycles } deliveryPolicy { ${ANCHORED_POLICY_FIELDS} } ${ORIGIN_ORDER_SELECTION}
      ${PAYMENT_FIELDS_SELECTION} ${isCustomer ? DELIVERY_SELECTION : ''} lines(first: 250) { nodes { ${PLANNED_LINE_SELECTION} } }`,
    deniableFields: DENIABLE_DELIVERY_FIELDS,
    rootFields: `_svcShop: shop { currencyCode } _svcCycles: ${buildCyclesRootField('$_svcContractId', '$_svcUntil')} ${namesPlan ? NAMED_PLAN_ROOT_FIELD : ''} ${cycles.rootFields}`,
    declarations: [
      ...cycles.declarations,
      `$_svcUntil: ${CYCLES_UNTIL_VARIABLE_TYPE}`,
      ...(namesPlan ? ['$_svcPlanId: ID!'] : []),
    ],
    variables: {
      ...cycles.variables,
      _svcUntil: cyclesUntilNowRange(nowMs),
      ...(namesPlan && { _svcPlanId: sellingPlanId }),
    },
  };
}

/** Returns the client's argument that determines the interval. User errors name it. */
export function intervalArgumentName({ sellingPlanId }: IntervalInput): 'interval' | 'sellingPlanId' {
  return sellingPlanId === undefined ? 'interval' : 'sellingPlanId';
}

/**
 * Returns the plan that the client named.
 * @returns undefined when the client named none, null when the plan does not exist
 */
export function findNamedPlan(
  { _svcPlan }: IntervalState,
  { sellingPlanId }: IntervalInput,
): SellingPlan | null | undefined {
  if (sellingPlanId === undefined) return undefined;
  return _svcPlan?.id === undefined ? null : (_svcPlan as SellingPlan);
}

/** The target of an interval change: the state that the contract will have after it. */
export type IntervalTarget = ContractPolicies &
  Pick<IntervalChoice, 'plans'> & {
    /** The intervals that INTERVAL_NOT_OFFERED lists as alternatives. Empty if the plans were not read. */
    readonly offered: readonly OfferedInterval[];
    /** The plan that the client named, if any. */
    readonly plan: SellingPlan | undefined;
    /**
     * The date of the next order: the date that the client requested, else the date until which deliveries are paid.
     */
    readonly dateMs: Instant | undefined;
    /** Until when deliveries are paid. Set only when the frequencies change and the time is known. */
    readonly paidUntilMs?: Instant | undefined;
  };

/**
 * Whether the contract has the policies, plans and date of the target. Does not check whether the next order is on
 * that date.
 */
export function isTargetInForce(
  { contract }: { readonly contract: IntervalContract },
  target: IntervalTarget,
): boolean {
  return (
    arePoliciesInForce(contract, target) &&
    isDateInForce(contract, target) &&
    haveNewPlans(contract.lines.nodes, target.plans)
  );
}

/** Whether the contract already has the billing and delivery policy of the target, except limits of cycles. */
export function arePoliciesInForce(contract: ContractPolicies, target: ContractPolicies): boolean {
  const policyPairs: [DeliveryPolicy, DeliveryPolicy][] = [
    [contract.billingPolicy, target.billingPolicy],
    [contract.deliveryPolicy, target.deliveryPolicy],
  ];
  return policyPairs.every(([one, other]) => isSamePolicy(one, other));
}

/** Whether the contract's `nextBillingDate` is the requested date. At the platform this date alone moves no order. */
export function isDateInForce(
  { nextBillingDate }: Pick<IntervalContract, 'nextBillingDate'>,
  { dateMs }: Pick<IntervalTarget, 'dateMs'>,
): boolean {
  return dateMs === undefined || parseInstant(nextBillingDate) === dateMs;
}

/**
 * Returns the date to which the change moves the next order.
 * @returns undefined when the target has no date, or the contract is not active: its date is then only stored
 */
export function targetOrderDate(
  { status }: Pick<IntervalContract, 'status'>,
  { dateMs }: Pick<IntervalTarget, 'dateMs'>,
): Instant | undefined {
  return status === 'ACTIVE' ? dateMs : undefined;
}
