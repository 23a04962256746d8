/** Applies the input of a selling plan to a plan. Only recurring plans are emulated. */
import type { IntervalUnit, PricingPolicy, SellingPlanRecord } from '../../../state/catalogue-records.ts';
import { countDeliveriesPerPayment } from '../../../state/deliveries.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import { createApiError } from '../../api-error.ts';
import type { AdminContext } from '../../context.ts';
import { toMinorUnits } from '../../money.ts';
import { createUserError, type UserError } from '../../user-error.ts';
import { type AnchorInput, doAnchorDaysExist, doAnchorsFitInterval, parseAnchors } from './policies.ts';

type RecurringPolicyInput = {
  interval?: IntervalUnit | null;
  intervalCount?: number | null;
  anchors?: AnchorInput[] | null;
};
type PricingPolicyInput = {
  adjustmentType?: PricingPolicy['adjustmentType'] | null;
  adjustmentValue?: { percentage?: number | null; fixedValue?: string | null } | null;
  afterCycle?: number | null;
};

export type PlanInput = {
  id?: string | null;
  name?: string | null;
  description?: string | null;
  options?: string[] | null;
  position?: number | null;
  category?: string | null;
  inventoryPolicy?: { reserve?: string | null } | null;
  billingPolicy?: {
    fixed?: unknown;
    recurring?: (RecurringPolicyInput & { minCycles?: number | null; maxCycles?: number | null }) | null;
  } | null;
  deliveryPolicy?: {
    fixed?: unknown;
    recurring?: (RecurringPolicyInput & { cutoff?: number | null; preAnchorBehavior?: string | null }) | null;
  } | null;
  pricingPolicies?: { fixed?: PricingPolicyInput | null; recurring?: PricingPolicyInput | null }[] | null;
};

/**
 * Applies the given fields of the input to the plan.
 * @returns the user error, or null
 */
export function applyPlanInput(
  plan: SellingPlanRecord,
  input: PlanInput,
  context: AdminContext,
): UserError | null {
  const billingPolicy = input.billingPolicy?.recurring;
  const deliveryPolicy = input.deliveryPolicy?.recurring;
  if (input.billingPolicy?.fixed != null || input.deliveryPolicy?.fixed != null) {
    throw createApiError(
      'Fixed policies of a selling plan do not behave in this emulator yet',
      'NOT_EMULATED',
    );
  }
  if (input.name != null) plan.name = input.name;
  if (input.description !== undefined) plan.description = input.description;
  if (input.options != null) plan.options = input.options;
  if (input.position != null) plan.position = input.position;
  if (input.category !== undefined) plan.category = input.category;
  if (input.inventoryPolicy?.reserve != null) plan.reserve = input.inventoryPolicy.reserve;
  if (billingPolicy != null) {
    const frequency = parseFrequency(billingPolicy, plan.billingPolicy);
    plan.billingPolicy = {
      ...frequency,
      minCycles: billingPolicy.minCycles ?? null,
      maxCycles: billingPolicy.maxCycles ?? null,
    };
  }
  if (deliveryPolicy != null) {
    const { cutoff = null, preAnchorBehavior } = deliveryPolicy;
    plan.deliveryPolicy = {
      ...parseFrequency(deliveryPolicy, plan.deliveryPolicy),
      cutoff,
      preAnchorBehavior: preAnchorBehavior ?? 'ASAP',
    };
  }
  if (input.pricingPolicies != null) plan.pricingPolicies = toPricingPolicies(input.pricingPolicies, context);
  return findPlanProblem(plan);
}

/** Creates a plan with default values, to which an input is applied. */
export function createEmptyPlan(id: number, groupId: number, { nowMs }: AdminContext): SellingPlanRecord {
  return {
    __typename: 'SellingPlan',
    id,
    groupId,
    name: '',
    description: null,
    options: [],
    position: 1,
    category: null,
    reserve: null,
    billingPolicy: { interval: 'MONTH', intervalCount: 0, anchors: [], minCycles: null, maxCycles: null },
    deliveryPolicy: {
      interval: 'MONTH',
      intervalCount: 0,
      anchors: [],
      cutoff: null,
      preAnchorBehavior: 'ASAP',
    },
    pricingPolicies: [],
    createdAt: formatIsoInstant(nowMs),
  };
}

function parseFrequency(
  input: RecurringPolicyInput,
  currentFrequency: { interval: IntervalUnit; intervalCount: number },
) {
  return {
    interval: input.interval ?? currentFrequency.interval,
    intervalCount: input.intervalCount ?? currentFrequency.intervalCount,
    anchors: parseAnchors(input.anchors),
  };
}

function toPricingPolicies(
  inputs: NonNullable<PlanInput['pricingPolicies']>,
  { store, nowMs }: AdminContext,
): PricingPolicy[] {
  return inputs.flatMap(({ fixed, recurring }) => {
    const pricingPolicy = fixed ?? recurring;
    if (pricingPolicy?.adjustmentType == null) return [];
    const { percentage, fixedValue } = pricingPolicy.adjustmentValue ?? {};
    const isPercentage = pricingPolicy.adjustmentType === 'PERCENTAGE';
    return {
      adjustmentType: pricingPolicy.adjustmentType,
      adjustmentValue: isPercentage ? (percentage ?? 0) : toMinorUnits(fixedValue ?? '0', store.currencyCode),
      afterCycle: fixed == null ? (pricingPolicy.afterCycle ?? 0) : null,
      createdAt: formatIsoInstant(nowMs),
    };
  });
}

function findPlanProblem(plan: SellingPlanRecord): UserError | null {
  const { name, billingPolicy, deliveryPolicy, options } = plan;
  if (name.trim() === '') return createUserError(['input'], "Plan name can't be blank", 'BLANK');
  if (options.length === 0)
    return createUserError(['input'], 'Plan options must have at least one value', 'TOO_SHORT');
  if (billingPolicy.intervalCount < 1)
    return createUserError(['input'], 'Billing policy is missing', 'SELLING_PLAN_BILLING_POLICY_MISSING');
  if (deliveryPolicy.intervalCount < 1)
    return createUserError(['input'], 'Delivery policy is missing', 'SELLING_PLAN_DELIVERY_POLICY_MISSING');
  return findFrequencyProblem(plan) ?? findAnchorProblem(plan) ?? findPricingProblem(plan);
}

function findFrequencyProblem({ billingPolicy, deliveryPolicy }: SellingPlanRecord): UserError | null {
  const { minCycles, maxCycles } = billingPolicy;
  if (minCycles !== null && maxCycles !== null && maxCycles <= minCycles) {
    const code = 'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES';
    return createUserError(['input'], 'Max cycles must be greater than min cycles', code);
  }
  if (countDeliveriesPerPayment({ billingPolicy, deliveryPolicy }) !== null) return null;
  const code = 'SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE';
  return createUserError(['input'], 'The billing cycle must be a multiple of the delivery cycle', code);
}

function findAnchorProblem({ billingPolicy, deliveryPolicy }: SellingPlanRecord): UserError | null {
  for (const { interval, anchors } of [billingPolicy, deliveryPolicy]) {
    if (!doAnchorsFitInterval(interval, anchors))
      return createUserError(
        ['input'],
        'Anchors are not allowed for the interval',
        'SELLING_PLAN_ANCHORS_NOT_ALLOWED',
      );
    if (!doAnchorDaysExist(anchors))
      return createUserError(['input'], 'Anchors must be days of the interval', 'INVALID');
  }
  if (JSON.stringify(billingPolicy.anchors) === JSON.stringify(deliveryPolicy.anchors)) return null;
  const code = 'SELLING_PLAN_BILLING_AND_DELIVERY_POLICY_ANCHORS_MUST_BE_EQUAL';
  return createUserError(['input'], 'Billing and delivery policies must have the same anchors', code);
}

function findPricingProblem({ pricingPolicies }: SellingPlanRecord): UserError | null {
  if (pricingPolicies.length > 2)
    return createUserError(
      ['input'],
      'A plan has at most 2 pricing policies',
      'SELLING_PLAN_PRICING_POLICIES_LIMIT',
    );
  if (pricingPolicies.length > 0 && pricingPolicies.every(({ afterCycle }) => afterCycle !== null)) {
    const code = 'SELLING_PLAN_PRICING_POLICIES_MUST_CONTAIN_A_FIXED_PRICING_POLICY';
    return createUserError(['input'], 'Pricing policies must contain a fixed one', code);
  }
  return null;
}
