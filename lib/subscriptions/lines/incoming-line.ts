/** A variant may come onto a contract or not; if it may, a plan and a price follow. */
import type { OperationError } from '../operation-error.ts';
import { ordersMade } from '../orders-made.ts';
import { choosePlan, type PlanChoice } from '../selling-plans/choose-plan.ts';
import { type PlanPrice, planPrice } from '../selling-plans/plan-price.ts';
import { deliveriesPerPayment } from '../selling-plans/rhythm.ts';
import type { SellingPlan } from '../selling-plans/selling-plan.ts';
import { errorAt } from './lines-request.ts';
import { type LinesState, productName, type Variant } from './lines-state.ts';

export type Incoming = { readonly plan: SellingPlan; readonly price: PlanPrice; readonly name: string };

type IncomingRequest = Omit<PlanChoice, 'contract'> & {
  readonly productVariantId: string;
  /** The client's entry, for example `['add', 0]`. */
  readonly path: readonly (string | number)[];
};

/** The plan and the price of the contract's next order, or why the variant cannot come in. */
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
    const message = 'The plan has another interval, other days or other limits than the subscription.';
    return errorAt([...path, 'sellingPlanId'], message);
  }
  if (plan === 'unoffered') {
    if (request.sellingPlanId == null) return unavailable(at);
    return errorAt([...path, 'sellingPlanId'], 'The variant is not sold under this plan.');
  }
  const price = priceOf(state, variant, plan);
  return price === undefined
    ? unavailable(at)
    : { plan, price, name: productName(variant.product.title, variant.title) };
}

/** Whether the variant cannot come in. */
export function isRefused(incoming: Incoming | OperationError): incoming is OperationError {
  return 'code' in incoming;
}

function unavailable(path: readonly (string | number)[]): OperationError {
  return errorAt(path, 'This variant is not for sale on this subscription.', 'VARIANT_NOT_AVAILABLE');
}

function priceOf(
  { contract, _svcCycle: cycle, _svcCycles: cycles = null }: LinesState,
  { price: basePrice }: Variant,
  { pricingPolicies: policies }: SellingPlan,
): PlanPrice | undefined {
  const deliveries = deliveriesPerPayment(contract);
  // Without a cycle that runs there is no next order.
  if (cycle == null || deliveries === undefined) return undefined;
  const { originOrder, currencyCode } = contract;
  return planPrice({
    basePrice,
    policies,
    ordersMade: ordersMade({ originOrder, cycles }),
    deliveriesPerPayment: deliveries,
    currencyCode,
  });
}
