/** A variant on its way onto a contract: whether it may come in, under which plan, at which price. */
import { choosePlan, type PlanChoice } from './choose-plan.ts';
import { errorAt } from './lines-request.ts';
import type { LinesState, OfferedPlan, Variant } from './lines-state.ts';
import type { OperationError } from './operation-error.ts';
import { type PlanPrice, planPrice } from './plan-price.ts';

export type Incoming = { readonly plan: OfferedPlan; readonly price: PlanPrice };

export type IncomingRequest = Omit<PlanChoice, 'contract'> & {
  readonly productVariantId: string;
  /** The client's entry, for example `['add', 0]`. */
  readonly path: readonly (string | number)[];
};

/** The plan and the price at the contract's current cycle, or why the variant cannot come in. */
export function incomingLine(state: LinesState, request: IncomingRequest): Incoming | OperationError {
  const { path, productVariantId } = request;
  const { contract, _svcShop: shop, _svcVariants: variants = [] } = state;
  const at = [...path, 'productVariantId'];
  if (shop?.currencyCode !== contract.currencyCode) {
    const message = `The subscription is in ${contract.currencyCode}, prices of products are not: only quantities can be changed, and lines removed.`;
    return errorAt(at, message, 'CURRENCY_NOT_SUPPORTED');
  }
  const variant = variants.find((one): one is Variant => one?.id === productVariantId);
  if (variant?.product.status !== 'ACTIVE') return unavailable(at);
  const plan = choosePlan(variant, { ...request, contract });
  if (plan === 'unfit') {
    return errorAt([...path, 'sellingPlanId'], 'The plan has another interval than the subscription.');
  }
  if (plan === 'unoffered') {
    if (request.sellingPlanId == null) return unavailable(at);
    return errorAt([...path, 'sellingPlanId'], 'The variant is not sold under this plan.');
  }
  const price = priceOf(state, variant, plan);
  return price === undefined ? unavailable(at) : { plan, price };
}

/** Whether the variant cannot come in. */
export function isRefused(incoming: Incoming | OperationError): incoming is OperationError {
  return 'code' in incoming;
}

function unavailable(path: readonly (string | number)[]): OperationError {
  return errorAt(path, 'This variant is not for sale on this subscription.', 'VARIANT_NOT_AVAILABLE');
}

function priceOf(
  { contract, _svcCycle: cycle }: LinesState,
  { price }: Variant,
  { pricingPolicies }: OfferedPlan,
): PlanPrice | undefined {
  // Without a cycle nobody knows how many orders count: a first order's discount is not given on a guess.
  if (cycle == null) return undefined;
  const cycleIndex = cycle.status === 'BILLED' ? cycle.cycleIndex + 1 : cycle.cycleIndex;
  return planPrice({
    cataloguePrice: price,
    policies: pricingPolicies,
    cycleIndex,
    currencyCode: contract.currencyCode,
  });
}
