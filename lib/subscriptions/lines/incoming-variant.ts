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

type IncomingVariantRequest = Omit<PlanChoice, 'contract' | 'replacedLine'> & {
  /** The line whose variant is replaced. Undefined for a new line. */
  readonly replacedLine?: ContractLine;
  readonly productVariantId: string;
  /** The path of the client's list entry, for example `['add', 0]`. */
  readonly entryPath: readonly (string | number)[];
};

/**
 * Returns the plan of the variant and its price in the contract's next order, or the user error that tells why the
 * variant cannot be put on the contract.
 */
export function resolveIncomingVariant(
  state: LinesState,
  request: IncomingVariantRequest,
): IncomingVariant | OperationError {
  const { entryPath, productVariantId } = request;
  const { contract, _svcShop: shop, _svcVariants: variants = [] } = state;
  const variantPath = [...entryPath, 'productVariantId'];
  if (shop?.currencyCode !== contract.currencyCode) {
    const currencyMessage = message('pricesInOtherCurrency', { currency: contract.currencyCode });
    return createUserError('CURRENCY_NOT_SUPPORTED', { field: variantPath, message: currencyMessage });
  }
  const variant = variants.find((one): one is RequestedVariant => one?.id === productVariantId);
  if (variant?.product.status !== 'ACTIVE') return createUnavailableError(request);
  const chosenPlan = choosePlanOfVariant(variant, { ...request, contract });
  if (chosenPlan === 'unfit') {
    return createUserError('INVALID', {
      field: [...entryPath, 'sellingPlanId'],
      message: message('planDiffers'),
    });
  }
  if (chosenPlan === 'unoffered') {
    if (request.sellingPlanId == null) return createUnavailableError(request);
    return createUserError('INVALID', {
      field: [...entryPath, 'sellingPlanId'],
      message: message('variantNotUnderPlan'),
    });
  }
  const price = computeNextOrderPrice(state, variant, chosenPlan);
  return price === undefined
    ? createUnavailableError(request)
    : { plan: chosenPlan, price, name: formatProductName(variant.product.title, variant.title) };
}

/** Whether the result is a user error instead of a variant. */
export function isVariantRefused(incoming: IncomingVariant | OperationError): incoming is OperationError {
  return 'code' in incoming;
}

function createUnavailableError({ entryPath, replacedLine }: IncomingVariantRequest): OperationError {
  const fieldAndMessage = {
    field: [...entryPath, 'productVariantId'],
    message: message('variantNotForSale'),
  };
  return createUserError('VARIANT_NOT_AVAILABLE', fieldAndMessage, {
    lineIds: replacedLine && [replacedLine.id],
  });
}

function computeNextOrderPrice(
  { contract, _svcCycle: cycle, _svcCycles: cycles = null }: LinesState,
  { price: basePrice }: RequestedVariant,
  { pricingPolicies }: SellingPlan,
): PlanPrice | undefined {
  const deliveryCount = deliveriesPerPayment(contract);
  // Without a current cycle the contract has no next order, so there is no price.
  if (cycle == null || deliveryCount === undefined) return undefined;
  const { originOrder, currencyCode } = contract;
  return computePlanPrice({
    basePrice,
    policies: pricingPolicies,
    paidOrderCount: countPaidOrders({ originOrder, cycles }),
    deliveriesPerPayment: deliveryCount,
    currencyCode,
  });
}
