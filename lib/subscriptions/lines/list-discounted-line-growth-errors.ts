/**
 * Prevents a customer from increasing, or replacing the variant of, a line with a manual discount of the store.
 * Reducing the quantity is allowed. Requests with a merchant's key are not limited.
 */
import { message } from '../../messages/message.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { LineEdit } from './line-edit.ts';
import { quantityInvalidError } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { findActiveDiscountOfLine } from './plan-discount-removals.ts';

/** `newQuantity` is undefined when the line gets another variant. */
type GrownLine = { readonly line: ContractLine; readonly newQuantity: number | undefined };

/**
 * Returns the user error for a customer who increases a discounted line (QUANTITY_INVALID) or replaces its variant
 * (VARIANT_NOT_AVAILABLE).
 */
export function lineGrowthError(
  entryPath: readonly (string | number)[],
  { line: { id, quantity: quantityBefore }, newQuantity }: GrownLine,
): OperationError {
  const errorMessage = message('productGiven');
  if (newQuantity !== undefined) {
    return quantityInvalidError(
      [...entryPath, 'quantity'],
      { lineId: id, limit: quantityBefore, actual: newQuantity },
      errorMessage,
    );
  }
  const fieldAndMessage = { field: [...entryPath, 'productVariantId'], message: errorMessage };
  return createUserError('VARIANT_NOT_AVAILABLE', fieldAndMessage, { lineIds: [id] });
}

/**
 * Returns the user errors of all edits that increase, or replace the variant of, a line with a manual discount of its
 * own.
 */
export function listDiscountedLineGrowthErrors(
  state: LinesState,
  edits: readonly LineEdit[],
): OperationError[] {
  return edits.flatMap(({ growth }) =>
    growth !== undefined && findActiveDiscountOfLine(state, growth.lineId) ? [growth.errorForCustomer] : [],
  );
}
