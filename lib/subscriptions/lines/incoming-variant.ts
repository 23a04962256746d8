/** Decides whether a variant can be put on a contract, with which selling plan, and at which price. */
import { message } from '../../messages/message.ts';
import { countPaidOrders } from '../count-paid-orders.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { formatProductName } from '../product-name.ts';
import { choosePlanOfVariant, type PlanChoice } from '../selling-plans/choose-plan.ts';
import { deliveriesPerPayment } from '../selling-plans/frequency.ts';
import { computePlanPrice, type PlanPrice } from '../selling-plans/plan-price.ts';
import type { SellingPlan } from '../selling-plans/selling-plan.ts';
import type { ContractLine, LinesState, RequestedVariant } from './lines-state.ts';

export type IncomingVariant = {
  readonly plan: SellingPlan;
  readonly price: PlanPrice;
  readonly name: string;
};

type IncomingRequest = Omit<PlanChoice, 'contract' | 'line'> & {
  /** The line whose variant is replaced. Undefined for a new line. */
  readonly line?: ContractLine;
  readonly productVariantId: string;
  /** The path of the client's list entry, for example `['add', 0]`. */
  readonly path: readonly (string | number)[];
};

/** Returns the plan, and the price in the contract's next order, or the user error why the variant cannot be used. */
export function resolveIncomingVariant(
  state: LinesState,
  request: IncomingRequest,
): IncomingVariant | OperationError {
  const { path, productVariantId } = request;
  const { contract, _svcShop: shop, _svcVariants: variants = [] } = state;
  const variantPath = [...path, 'productVariantId'];
  if (shop?.currencyCode !== contract.currencyCode) {
    const currencyMessage = message('pricesInOtherCurrency', { currency: contract.currencyCode });
    return createUserError('CURRENCY_NOT_SUPPORTED', { field: variantPath, message: currencyMessage });
  }
  const variant = variants.find((one): one is RequestedVariant => one?.id === productVariantId);
  if (variant?.product.status !== 'ACTIVE') return createUnavailableError(request);
  const chosenPlan = choosePlanOfVariant(variant, { ...request, contract });
  if (chosenPlan === 'unfit') {
    return createUserError('INVALID', { field: [...path, 'sellingPlanId'], message: message('planDiffers') });
  }
  if (chosenPlan === 'unoffered') {
    if (request.sellingPlanId == null) return createUnavailableError(request);
    return createUserError('INVALID', {
      field: [...path, 'sellingPlanId'],
      message: message('variantNotUnderPlan'),
    });
  }
  const price = computeNextOrderPrice(state, variant, chosenPlan);
  return price === undefined
    ? createUnavailableError(request)
    : { plan: chosenPlan, price, name: formatProductName(variant.product.title, variant.title) };
}

/** Whether the result is the error because of which the variant cannot be added. */
export function isVariantRefused(incoming: IncomingVariant | OperationError): incoming is OperationError {
  return 'code' in incoming;
}

function createUnavailableError({ path, line }: IncomingRequest): OperationError {
  const fieldAndMessage = { field: [...path, 'productVariantId'], message: message('variantNotForSale') };
  return createUserError('VARIANT_NOT_AVAILABLE', fieldAndMessage, { lineIds: line && [line.id] });
}

function computeNextOrderPrice(
  { contract, _svcCycle: cycle, _svcCycles: cycles = null }: LinesState,
  { price: basePrice }: RequestedVariant,
  { pricingPolicies }: SellingPlan,
): PlanPrice | undefined {
  const deliveries = deliveriesPerPayment(contract);
  // Without a current cycle the contract has no next order, so there is no price.
  if (cycle == null || deliveries === undefined) return undefined;
  const { originOrder, currencyCode } = contract;
  return computePlanPrice({
    basePrice,
    policies: pricingPolicies,
    ordersMade: countPaidOrders({ originOrder, cycles }),
    deliveriesPerPayment: deliveries,
    currencyCode,
  });
}
