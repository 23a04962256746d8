/**
 * Prevents a customer from increasing the quantity, or replacing the variant, of a line that has its own discount by
 * hand. The customer can reduce the quantity. Store credentials are not limited.
 */
import { message } from '../../messages/message.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import type { LineEdit } from './line-edit.ts';
import { quantityInvalid } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { activeDiscountOf } from './remove-emptied.ts';

/** `quantity`: the new one; undefined when the line gets another variant. */
type Grown = { readonly line: ContractLine; readonly quantity: number | undefined };

/** Returns the refusal for a line that the store has discounted: QUANTITY_INVALID or VARIANT_NOT_AVAILABLE. */
export function growthRefusal(
  path: readonly (string | number)[],
  { line: { id, quantity: limit }, quantity }: Grown,
): OperationError {
  const text = message('productGiven');
  if (quantity !== undefined) {
    return quantityInvalid([...path, 'quantity'], { lineId: id, limit, actual: quantity }, text);
  }
  const fault = { field: [...path, 'productVariantId'], message: text };
  return refuse('VARIANT_NOT_AVAILABLE', fault, { lineIds: [id] });
}

/** Returns why a customer may not make these edits: the refusals of lines that have a manual discount of their own. */
export function refuseGrowth(state: LinesState, edits: readonly LineEdit[]): OperationError[] {
  return edits.flatMap(({ growth }) =>
    growth !== undefined && activeDiscountOf(state, growth.lineId) ? [growth.refusal] : [],
  );
}
