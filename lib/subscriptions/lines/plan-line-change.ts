/** Changes a line's quantity, its variant, or both. The line keeps its price if the variant stays. */
import { createLineFact, type FactChange, toMoneyText } from '../../timeline/facts.ts';
import { type IncomingVariant, isVariantRefused, resolveIncomingVariant } from './incoming-variant.ts';
import {
  type LineEditOrError,
  lineErrorConverters,
  toClientLinePath,
  toPricedLineInput,
} from './line-edit.ts';
import type { LineChange } from './lines-request.ts';
import { type ContractLine, findContractLine, type LinesState, lineName } from './lines-state.ts';
import { lineGrowthError } from './list-discounted-line-growth-errors.ts';
import { lineNotFoundError } from './plan-line-removal.ts';

type LineChangeRequest = LineChange & { readonly entryPath: readonly (string | number)[] };

/**
 * Returns the edit, or the user error: LINE_NOT_FOUND, or the reason why the new variant cannot be put on the
 * contract.
 * @returns undefined when the line is already in the requested state
 */
export function planLineChange(
  state: LinesState,
  { entryPath, ...change }: LineChangeRequest,
): LineEditOrError {
  const line = findContractLine(state, change.lineId);
  if (line === undefined) return lineNotFoundError([...entryPath, 'lineId'], change.lineId);
  const quantity = change.quantity ?? line.quantity;
  const variantId = change.productVariantId ?? line.variantId;
  const isVariantSwapped = variantId !== line.variantId;
  if (!isVariantSwapped && quantity === line.quantity) return undefined;
  const incomingVariant =
    isVariantSwapped && variantId !== null
      ? resolveIncomingVariant(state, { productVariantId: variantId, replacedLine: line, entryPath })
      : undefined;
  if (incomingVariant !== undefined && isVariantRefused(incomingVariant)) return incomingVariant;
  const isGrowth = isVariantSwapped || quantity > line.quantity;
  const grownLine = { line, newQuantity: isVariantSwapped ? undefined : quantity };
  const lineInput = {
    ...(quantity !== line.quantity && { quantity }),
    ...(incomingVariant && { productVariantId: variantId, ...toPricedLineInput(incomingVariant) }),
  };
  return {
    mutation: {
      mutation: 'subscriptionDraftLineUpdate',
      args: { lineId: ['ID!', line.id], input: ['SubscriptionLineUpdateInput!', lineInput] },
      toClientField: (field) => toClientLinePath(entryPath, field),
      errorConverters: lineErrorConverters(quantity, line.id),
    },
    facts: listChangeFacts(line, { quantity, variantId, incomingVariant }),
    ...(isGrowth && { growth: { lineId: line.id, errorForCustomer: lineGrowthError(entryPath, grownLine) } }),
    showsEdit: (currentState) => {
      const contractLine = findContractLine(currentState, line.id);
      return contractLine?.quantity === quantity && contractLine.variantId === variantId;
    },
  };
}

type LineAfterChange = {
  readonly quantity: number;
  readonly variantId: string | null;
  readonly incomingVariant: IncomingVariant | undefined;
};

function listChangeFacts(
  line: ContractLine,
  { quantity, variantId, incomingVariant }: LineAfterChange,
): FactChange[] {
  const { id, currentPrice } = line;
  const lineNames = { before: lineName(line), after: incomingVariant?.name ?? lineName(line) };
  const quantities = { before: String(line.quantity), after: String(quantity) };
  const quantityFacts =
    quantity === line.quantity ? [] : [createLineFact(id, 'quantity', { ...quantities, names: lineNames })];
  if (incomingVariant === undefined) return quantityFacts;
  const priceAfter = { ...currentPrice, amount: incomingVariant.price.currentPrice };
  const sellingPlanIds = { before: line.sellingPlanId, after: incomingVariant.plan.id };
  return [
    ...quantityFacts,
    createLineFact(id, 'variantId', { before: line.variantId, after: variantId, names: lineNames }),
    createLineFact(id, 'currentPrice', { before: toMoneyText(currentPrice), after: toMoneyText(priceAfter) }),
    ...(sellingPlanIds.before === sellingPlanIds.after
      ? []
      : [createLineFact(id, 'sellingPlanId', sellingPlanIds)]),
  ];
}
