/**
 * Computes what an interval change sets on each line: the id and the name of its selling plan, its pricing policy,
 * and the resulting price.
 */
import { message } from '../../messages/message.ts';
import { createLineFact, type FactChange, toMoneyText } from '../../timeline/facts.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import type { OfferedInterval } from '../error-details.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { Money } from '../order-content.ts';
import {
  ADJUSTMENT_SELECTION,
  computePlanPrice,
  type DeliveryCounts,
  isPriceDefinedByPlatform,
  type PlanPrice,
  type PlanPricingPolicy,
  scaleToDeliveries,
} from '../selling-plans/plan-price.ts';
import type { SellingPlan } from '../selling-plans/selling-plan.ts';

/** The selection that `PlannedLine` describes. */
export const PLANNED_LINE_SELECTION = `id variantId quantity sellingPlanId currentPrice { amount currencyCode } lineDiscountedPrice { amount }
  pricingPolicy { basePrice { amount currencyCode } cycleDiscounts { afterCycle computedPrice { amount } ${ADJUSTMENT_SELECTION} } }`;

export type PlannedLine = {
  readonly id: string;
  readonly variantId: string | null;
  readonly quantity: number;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
  /** The price of all pieces after discounts, for one payment. */
  readonly lineDiscountedPrice: Pick<Money, 'amount'>;
  /** The pricing policy that the line has had since it was sold. Its base price is for one delivery. */
  readonly pricingPolicy: {
    readonly basePrice: Money;
    readonly cycleDiscounts: readonly (PlanPricingPolicy & {
      readonly computedPrice: Pick<Money, 'amount'>;
    })[];
  } | null;
};

type LinePricing = {
  readonly lines: readonly PlannedLine[];
  /**
   * The new plan by line id. A line that is not in the map keeps its plan, even if the plan does not have the new
   * frequency.
   */
  readonly plans: ReadonlyMap<string, SellingPlan>;
  /** The intervals that INTERVAL_NOT_OFFERED lists as alternatives. Empty if the plans were not read. */
  readonly offered: readonly OfferedInterval[];
  /**
   * Whether the contract gets other frequencies or delivery days. Each line's price is then computed for its next
   * order.
   */
  readonly isRescheduled: boolean;
  /** How many deliveries a payment covers, before and after the change. */
  readonly deliveries: DeliveryCounts;
  readonly paidOrderCount: number;
  readonly currencyCode: string;
  readonly shopCurrencyCode: string;
  /** The client's argument that determines the plans. User errors name it. */
  readonly field: 'interval' | 'sellingPlanId';
};

type LineChanges = {
  readonly mutations: readonly DraftMutation[];
  readonly facts: readonly FactChange[];
};

/** Whether every line already has the plan that `plans` gives it by line id. */
export function haveNewPlans(
  lines: readonly PlannedLine[],
  plans: ReadonlyMap<string, Pick<SellingPlan, 'id'>>,
): boolean {
  return lines.every(({ id, sellingPlanId }) => (plans.get(id)?.id ?? sellingPlanId) === sellingPlanId);
}

/**
 * Returns one draft mutation for each line that gets another plan or another price. The price is that of the next
 * order. It starts from the line's base price and applies the plan's pricing policy, or the line's own policy if no
 * plan has the new frequency. A line that was sold without a pricing policy, or whose price the store set by hand,
 * keeps its price per delivery. Returns CURRENCY_NOT_SUPPORTED when the plan has fixed amounts in the shop's currency
 * and the contract uses another one, and INTERVAL_NOT_OFFERED when no price can be computed.
 */
export function buildLineUpdates(request: LinePricing): LineChanges | OperationError {
  const { lines, plans, isRescheduled, field } = request;
  const mutations: DraftMutation[] = [];
  const lineFacts: FactChange[] = [];
  for (const line of lines) {
    const plan = plans.get(line.id);
    if (plan?.id === line.sellingPlanId && !isRescheduled) continue;
    const pricedUpdate =
      plan === undefined ? priceLineAsSold(request, line) : priceLineUnderPlan(request, line, plan);
    if ('code' in pricedUpdate) return pricedUpdate;
    const fact = linePriceFact(line, pricedUpdate.currentPrice);
    if (plan === undefined && fact.length === 0) continue;
    const planFields = plan && { sellingPlanId: plan.id, sellingPlanName: plan.name };
    mutations.push({
      mutation: 'subscriptionDraftLineUpdate',
      args: {
        lineId: ['ID!', line.id],
        input: ['SubscriptionLineUpdateInput!', { ...planFields, ...pricedUpdate }],
      },
      toClientField: () => [field],
    });
    lineFacts.push(...linePlanFact(line, plan), ...fact);
  }
  return { mutations, facts: lineFacts };
}

function linePlanFact(
  { id, sellingPlanId: before }: PlannedLine,
  plan: SellingPlan | undefined,
): FactChange[] {
  const planIdAfter = plan?.id ?? before;
  return planIdAfter === before ? [] : [createLineFact(id, 'sellingPlanId', { before, after: planIdAfter })];
}

type LinePrice = { readonly currentPrice: string; readonly pricingPolicy?: object };

/** Computes the price of a line that gets a new plan, or the user error. */
function priceLineUnderPlan(
  request: LinePricing,
  line: PlannedLine,
  plan: SellingPlan,
): LinePrice | OperationError {
  const { deliveries, currencyCode, shopCurrencyCode, field } = request;
  const unpricedError = () => unpricedLineError(request, line, plan);
  if (!isPriceDefinedByPlatform(plan.pricingPolicies, deliveries.deliveriesAfter)) return unpricedError();
  if (line.pricingPolicy === null) return { currentPrice: scaleToDeliveries(line.currentPrice, deliveries) };
  if (currencyCode !== shopCurrencyCode && !hasOnlyPercentages(plan)) {
    return createUserError('CURRENCY_NOT_SUPPORTED', {
      field: [field],
      message: message('pricesInStoreCurrency'),
    });
  }
  const planPrice = planPriceOf(request, line.pricingPolicy, plan.pricingPolicies);
  if (planPrice === undefined) return unpricedError();
  const { basePrice, cycleDiscounts } = planPrice;
  const currentPrice = isPricedByHand(request, line)
    ? scaleToDeliveries(line.currentPrice, deliveries)
    : planPrice.currentPrice;
  return { currentPrice, pricingPolicy: { basePrice, cycleDiscounts } };
}

/**
 * Computes the price of a line that keeps its plan, by the pricing policy with which it was sold, or the user error.
 */
function priceLineAsSold(request: LinePricing, line: PlannedLine): LinePrice | OperationError {
  if (line.pricingPolicy === null || isPricedByHand(request, line))
    return { currentPrice: scaleToDeliveries(line.currentPrice, request.deliveries) };
  const planPrice = planPriceOf(request, line.pricingPolicy, line.pricingPolicy.cycleDiscounts);
  return planPrice === undefined
    ? unpricedLineError(request, line)
    : { currentPrice: planPrice.currentPrice };
}

/**
 * Whether the store set the line's price by hand: the price differs from every price that the line's pricing policy
 * can produce. All price steps are compared, because the store may not have applied the present step yet.
 */
function isPricedByHand({ deliveries, currencyCode }: LinePricing, line: PlannedLine): boolean {
  if (line.pricingPolicy === null) return true;
  const { basePrice, cycleDiscounts } = line.pricingPolicy;
  const deliveriesPerPayment = deliveries.deliveriesBefore;
  const orderTerms = { deliveriesPerPayment, currencyCode, paidOrderCount: -1 };
  const policy = computePlanPrice({ basePrice: basePrice.amount, policies: cycleDiscounts, ...orderTerms });
  const priceWithoutPolicies = computePlanPrice({ basePrice: basePrice.amount, policies: [], ...orderTerms });
  const computedDiscounts = [
    priceWithoutPolicies?.currentPrice,
    ...(policy?.cycleDiscounts ?? []).map(({ computedPrice }) => computedPrice),
    ...cycleDiscounts.map(({ computedPrice }) => computedPrice.amount),
  ];
  return !computedDiscounts.some((amount) => Number(amount) === Number(line.currentPrice.amount));
}

function planPriceOf(
  { paidOrderCount, deliveries, currencyCode }: LinePricing,
  { basePrice }: NonNullable<PlannedLine['pricingPolicy']>,
  policies: readonly PlanPricingPolicy[],
): PlanPrice | undefined {
  return computePlanPrice({
    basePrice: basePrice.amount,
    policies,
    paidOrderCount,
    deliveriesPerPayment: deliveries.deliveriesAfter,
    currencyCode,
  });
}

function unpricedLineError(
  { field, offered }: LinePricing,
  { id }: PlannedLine,
  plan?: SellingPlan,
): OperationError {
  const priceMessage =
    plan === undefined
      ? message('priceUnknownAtInterval')
      : message('priceUnknownUnderPlan', { plan: plan.name });
  const otherOffers = offered.filter(({ sellingPlanId }) => sellingPlanId !== plan?.id);
  const errorDetails = { offeredIntervals: otherOffers, lineIds: [id] };
  return createUserError('INTERVAL_NOT_OFFERED', { field: [field], message: priceMessage }, errorDetails);
}

function hasOnlyPercentages({ pricingPolicies }: SellingPlan): boolean {
  return pricingPolicies.every(({ adjustmentType }) => adjustmentType === 'PERCENTAGE');
}

function linePriceFact({ id, currentPrice }: PlannedLine, amount: string): FactChange[] {
  const { currencyCode } = currentPrice;
  const priceTexts = { before: toMoneyText(currentPrice), after: toMoneyText({ amount, currencyCode }) };
  return priceTexts.before === priceTexts.after ? [] : [createLineFact(id, 'currentPrice', priceTexts)];
}
