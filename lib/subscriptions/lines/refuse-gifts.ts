/**
 * A gift of the store, which is a line at no price or a discount by hand, is given once: its customer takes less of it,
 * but not more, nothing dearer in its place, and not it alone. The store's own server is free to do all of that.
 */
import { message } from '../../messages/message.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import { FEWEST_LINES } from '../draft/draft-refusal.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import type { Growth, LineEdit } from './line-edit.ts';
import { type LinesRequest, quantityInvalid } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { activeDiscountOf } from './remove-emptied.ts';

/** The line as it is, and its new quantity; undefined: it gets another variant. */
type Grown = { readonly line: ContractLine; readonly quantity: number | undefined };

/** The growth of a line that is swapped, in a larger number, or new. */
export function growthOf(path: readonly (string | number)[], grown?: Grown): Growth {
  const words = message('productGiven');
  const lineId = grown?.line.id;
  if (grown?.quantity !== undefined) {
    const counts = { lineId, limit: grown.line.quantity, actual: grown.quantity };
    return { lineId, refusal: quantityInvalid([...path, 'quantity'], counts, words) };
  }
  const fault = { field: [...path, 'productVariantId'], message: words };
  const lineIds = lineId === undefined ? undefined : [lineId];
  return { lineId, refusal: refuse('VARIANT_NOT_AVAILABLE', fault, { lineIds }) };
}

/** Why a customer may not make these edits: QUANTITY_INVALID, VARIANT_NOT_AVAILABLE, EMPTY_CONTRACT. */
export function refuseGifts(
  state: LinesState,
  request: LinesRequest,
  edits: readonly LineEdit[],
): OperationError[] {
  const grown = edits.flatMap(({ growth }) =>
    growth?.lineId !== undefined && activeDiscountOf(state, growth.lineId) ? [growth.refusal] : [],
  );
  return [...grown, ...refuseGiftsAlone(state, request)];
}

/** The same draft mutation, refused if the draft then shows the line at no price. */
export function neverFree({ mutation, growth }: LineEdit): DraftMutation {
  if (growth === undefined) return mutation;
  return { ...mutation, refuse: (payload) => (isFree(payload) ? growth.refusal : undefined) };
}

type Priced = { readonly lineDiscountedPrice: { readonly amount: string } };

function isFree({ lineAdded, lineUpdated }: Readonly<Record<string, unknown>>): boolean {
  const line = (lineAdded ?? lineUpdated) as Priced | null | undefined;
  return line != null && Number(line.lineDiscountedPrice.amount) === 0;
}

function refuseGiftsAlone({ contract }: LinesState, { add, remove }: LinesRequest): OperationError[] {
  const paid = contract.lines.nodes.filter((line) => Number(line.lineDiscountedPrice.amount) > 0);
  const isPaidLeft = add.length > 0 || paid.some(({ id }) => !remove.includes(id));
  if (paid.length === 0 || isPaidLeft) return [];
  const lineIds = paid.map(({ id }) => id);
  return [
    refuse(
      'EMPTY_CONTRACT',
      { field: ['remove'], message: message('lineLastPaid') },
      { limit: FEWEST_LINES, lineIds },
    ),
  ];
}
