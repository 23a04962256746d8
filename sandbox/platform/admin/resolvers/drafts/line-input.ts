/** Applies the line inputs of drafts: variant, quantity, price and selling plan. */
import type { ContractContent, CustomAttribute, LineRecord } from '../../../state/contract-records.ts';
import { deriveUuid, takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { toMinorUnits } from '../../money.ts';
import { createUserError, type UserError } from '../../user-error.ts';

type CycleDiscountInput = {
  adjustmentType: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';
  adjustmentValue: { percentage?: number | null; fixedValue?: string | null };
  afterCycle: number;
  computedPrice: string;
};

export type LineInput = {
  currentPrice?: string | null;
  customAttributes?: CustomAttribute[] | null;
  pricingPolicy?: { basePrice: string; cycleDiscounts: CycleDiscountInput[] } | null;
  productVariantId?: string | null;
  quantity?: number | null;
  sellingPlanId?: string | null;
  sellingPlanName?: string | null;
};

const MAX_LINES = 100;

/** Adds a line at the end, or returns the user error. */
export function addLine(
  content: ContractContent,
  input: LineInput,
  context: AdminContext,
): LineRecord | UserError {
  if (content.lines.length >= MAX_LINES) {
    return createUserError(
      ['input'],
      `A subscription cannot have more than ${MAX_LINES} lines`,
      'TOO_MANY_LINES',
    );
  }
  const lineProblem = findLineProblem(input, context);
  if (lineProblem !== null) return lineProblem;
  const lineRecord: LineRecord = {
    ...findMerchandise(input.productVariantId ?? '', context),
    id: deriveUuid(`${context.store.shop}/line/${takeNextId(context.store)}`),
    quantity: 1,
    currentPriceMinor: 0,
    sellingPlanId: null,
    sellingPlanName: null,
    customAttributes: [],
    pricingPolicy: null,
    originContractId: null,
  };
  content.lines.push(applyLineInput(lineRecord, { input, content, context }));
  return lineRecord;
}

/** Changes a line of the content, or returns the user error. */
export function updateLine(
  content: ContractContent,
  line: LineRecord,
  { input, context }: { input: LineInput; context: AdminContext },
): LineRecord | UserError {
  return findLineProblem(input, context) ?? applyLineInput(line, { input, content, context });
}

function findLineProblem(input: LineInput, { store }: AdminContext): UserError | null {
  if (input.quantity != null && input.quantity < 1) {
    return createUserError(
      ['input', 'quantity'],
      'Quantity must be greater than or equal to 1',
      'GREATER_THAN_OR_EQUAL_TO',
    );
  }
  if (input.currentPrice != null && Number(input.currentPrice) < 0) {
    return createUserError(
      ['input', 'currentPrice'],
      'Current price must be greater than or equal to 0',
      'GREATER_THAN_OR_EQUAL_TO',
    );
  }
  if (
    input.productVariantId != null &&
    !store.variants.has(requireGidNumber(input.productVariantId, 'ProductVariant'))
  ) {
    return createUserError(['input', 'productVariantId'], 'Product variant does not exist', 'INVALID');
  }
  if (
    input.sellingPlanId != null &&
    !store.sellingPlans.has(requireGidNumber(input.sellingPlanId, 'SellingPlan'))
  ) {
    return createUserError(['input', 'sellingPlanId'], 'Selling plan does not exist', 'INVALID');
  }
  const startCycles = input.pricingPolicy?.cycleDiscounts.map(({ afterCycle }) => afterCycle) ?? [];
  if (new Set(startCycles).size < startCycles.length) {
    const message = 'The after cycle attribute must be unique between cycle discounts';
    return createUserError(
      ['input', 'pricingPolicy', 'cycleDiscounts'],
      message,
      'CYCLE_DISCOUNTS_UNIQUE_AFTER_CYCLE',
    );
  }
  return null;
}

type LineApplication = { input: LineInput; content: ContractContent; context: AdminContext };

/** Applies the given fields of the input to the line. */
function applyLineInput(line: LineRecord, { input, content, context }: LineApplication): LineRecord {
  if (input.productVariantId != null) Object.assign(line, findMerchandise(input.productVariantId, context));
  if (input.quantity != null) line.quantity = input.quantity;
  if (input.currentPrice != null)
    line.currentPriceMinor = toMinorUnits(input.currentPrice, content.currencyCode);
  if (input.customAttributes != null) line.customAttributes = input.customAttributes;
  if (input.sellingPlanId !== undefined) {
    line.sellingPlanId =
      input.sellingPlanId === null ? null : requireGidNumber(input.sellingPlanId, 'SellingPlan');
  }
  if (input.sellingPlanName !== undefined) line.sellingPlanName = input.sellingPlanName;
  if (input.pricingPolicy !== undefined)
    line.pricingPolicy = toPricingPolicy(input.pricingPolicy, content.currencyCode);
  return line;
}

type LineMerchandise = Pick<
  LineRecord,
  'productId' | 'variantId' | 'title' | 'variantTitle' | 'sku' | 'asset' | 'requiresShipping' | 'taxable'
>;

function findMerchandise(variantId: string, { store }: AdminContext): LineMerchandise {
  const variant = store.variants.get(requireGidNumber(variantId, 'ProductVariant'));
  const product = store.products.get(variant?.productId ?? 0);
  if (variant === undefined || product === undefined) throw new Error(`No variant ${variantId}.`);
  return {
    productId: product.id,
    variantId: variant.id,
    title: product.title,
    variantTitle: variant.title,
    sku: variant.sku,
    asset: variant.asset,
    requiresShipping: variant.requiresShipping,
    taxable: variant.taxable,
  };
}

function toPricingPolicy(
  input: LineInput['pricingPolicy'],
  currencyCode: string,
): LineRecord['pricingPolicy'] {
  if (input == null) return null;
  return {
    basePriceMinor: toMinorUnits(input.basePrice, currencyCode),
    cycleDiscounts: input.cycleDiscounts.map(
      ({ adjustmentType, adjustmentValue, afterCycle, computedPrice }) => ({
        adjustmentType,
        adjustmentValue:
          adjustmentType === 'PERCENTAGE'
            ? (adjustmentValue.percentage ?? 0)
            : toMinorUnits(adjustmentValue.fixedValue ?? '0', currencyCode),
        afterCycle,
        computedPriceMinor: toMinorUnits(computedPrice, currencyCode),
      }),
    ),
  };
}
