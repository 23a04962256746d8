/** What the lines take from a selling plan: its id, its name, its pricing policy and the price that follows from it. */

import type { ChangedFact } from '../timeline/change.ts';
import { linePriceFact, moneyText } from '../timeline/changed-facts.ts';
import type { DraftChange } from './draft-spec.ts';
import type { NamedPlan, SoldVariant } from './interval-plans.ts';
import type { OperationError } from './operation-error.ts';
import { planPrice } from './plan-price.ts';

type Money = { readonly amount: string; readonly currencyCode: string };

/** The selection that brings `Line`. */
export const LINE_FIELDS =
  'id variantId sellingPlanId currentPrice { amount currencyCode } pricingPolicy { basePrice { amount currencyCode } }';

export type Line = {
  readonly id: string;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
  readonly pricingPolicy: { readonly basePrice: Money } | null;
};

export type LinesRequest = {
  readonly lines: readonly Line[];
  readonly plan: NamedPlan;
  /** Of the variants whose lines have no base price. */
  readonly variants: ReadonlyMap<string, SoldVariant>;
  /** The order that is billed next; from 1. */
  readonly cycleIndex: number;
  readonly currencyCode: string;
  readonly shopCurrencyCode: string;
};

export type LineChanges = {
  readonly changes: readonly DraftChange[];
  readonly facts: readonly ChangedFact[];
};

/** Lines that the plan is new to. */
export function linesToMove(lines: readonly Line[], plan: NamedPlan): Line[] {
  return lines.filter(({ sellingPlanId }) => sellingPlanId !== plan.id);
}

/**
 * One update for each line that the plan is new to. The plan's price steps start from the line's base price, which it
 * was sold at, or from the catalogue's if it has none. CURRENCY_NOT_SUPPORTED: catalogue and amounts off are in the
 * shop's currency, the contract is not; INVALID: no price can be told.
 */
export function lineChanges(request: LinesRequest): LineChanges | OperationError {
  const { lines, plan, currencyCode, shopCurrencyCode } = request;
  const isForeign = currencyCode !== shopCurrencyCode;
  const changes: DraftChange[] = [];
  const facts: ChangedFact[] = [];
  for (const line of linesToMove(lines, plan)) {
    const base = line.pricingPolicy?.basePrice.amount;
    if (isForeign && (base === undefined || !isPercentOnly(plan))) {
      const message =
        'The subscription is not in the currency of the store, which the plan has its prices in.';
      return { field: ['sellingPlanId'], message, code: 'CURRENCY_NOT_SUPPORTED' };
    }
    const price = base ?? request.variants.get(line.variantId ?? '')?.price;
    const priced = price === undefined ? undefined : planned(request, price);
    if (priced === undefined) {
      const message = 'The price of a product under this selling plan is not known.';
      return { field: ['sellingPlanId'], message, code: 'INVALID' };
    }
    changes.push(lineUpdate(line, plan, priced));
    facts.push(...priceFact(line, priced.currentPrice));
  }
  return { changes, facts };
}

type Priced = NonNullable<ReturnType<typeof planPrice>>;

function planned(
  { plan, cycleIndex, currencyCode }: LinesRequest,
  cataloguePrice: string,
): Priced | undefined {
  return planPrice({ cataloguePrice, policies: plan.pricingPolicies, cycleIndex, currencyCode });
}

function isPercentOnly({ pricingPolicies }: NamedPlan): boolean {
  return pricingPolicies.every(({ adjustmentType }) => adjustmentType === 'PERCENTAGE');
}

function lineUpdate(
  { id }: Line,
  plan: NamedPlan,
  { currentPrice, basePrice, cycleDiscounts }: Priced,
): DraftChange {
  const input = {
    sellingPlanId: plan.id,
    sellingPlanName: plan.name,
    currentPrice,
    pricingPolicy: { basePrice, cycleDiscounts },
  };
  return {
    mutation: 'subscriptionDraftLineUpdate',
    args: { lineId: ['ID!', id], input: ['SubscriptionLineUpdateInput!', input] },
    blame: () => ['sellingPlanId'],
  };
}

function priceFact({ id, currentPrice }: Line, amount: string): ChangedFact[] {
  const { currencyCode } = currentPrice;
  const values = { before: moneyText(currentPrice), after: moneyText({ amount, currencyCode }) };
  return values.before === values.after ? [] : [linePriceFact(id, values)];
}
