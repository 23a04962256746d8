/**
 * Prevents a customer from increasing, or replacing the variant of, a line that the store has discounted by hand.
 * Reducing the quantity is allowed. Requests with a merchant's key are not limited.
 */
import { message } from '../../messages/message.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { LineEdit } from './line-edit.ts';
import { quantityInvalidError } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { findActiveDiscountOfLine } from './plan-discount-removals.ts';

/** `quantity` is the new quantity. Undefined when the line gets another variant. */
type GrownLine = { readonly line: ContractLine; readonly quantity: number | undefined };

/** Returns the user error for such a line: QUANTITY_INVALID, or VARIANT_NOT_AVAILABLE when its variant is replaced. */
export function lineGrowthError(
  path: readonly (string | number)[],
  { line: { id, quantity: quantityBefore }, quantity }: GrownLine,
): OperationError {
  const text = message('productGiven');
  if (quantity !== undefined) {
    return quantityInvalidError(
      [...path, 'quantity'],
      { lineId: id, limit: quantityBefore, actual: quantity },
      text,
    );
  }
  const fieldAndMessage = { field: [...path, 'productVariantId'], message: text };
  return createUserError('VARIANT_NOT_AVAILABLE', fieldAndMessage, { lineIds: [id] });
}

/** Returns the user errors of all edits that increase a line with a manual discount of its own. */
export function listDiscountedLineGrowthErrors(
  state: LinesState,
  edits: readonly LineEdit[],
): OperationError[] {
  return edits.flatMap(({ growth }) =>
    growth !== undefined && findActiveDiscountOfLine(state, growth.lineId) ? [growth.refusal] : [],
  );
}
