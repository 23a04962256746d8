/** Removes a line from the contract. */
import { message } from '../../messages/message.ts';
import { createLineFact, toMoneyText } from '../../timeline/facts.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { LineEditOrError } from './line-edit.ts';
import { findContractLine, type LinesState, lineName } from './lines-state.ts';

type LineRemoval = { readonly lineId: string; readonly entryPath: readonly (string | number)[] };

/** Returns the edit that removes the line, or the user error LINE_NOT_FOUND. */
export function planLineRemoval(state: LinesState, { lineId, entryPath }: LineRemoval): LineEditOrError {
  const line = findContractLine(state, lineId);
  if (line === undefined) return lineNotFoundError(entryPath, lineId);
  const createGoneError = () => lineNotFoundError(entryPath, lineId);
  const quantities = { before: String(line.quantity), after: null };
  return {
    mutation: {
      mutation: 'subscriptionDraftLineRemove',
      args: { lineId: ['ID!', lineId] },
      toClientField: () => entryPath.map(String),
      errorConverters: { INVALID: createGoneError, ALREADY_REMOVED: createGoneError },
    },
    // The timeline shows the last value of each field of the removed line.
    facts: [
      createLineFact(lineId, 'quantity', { ...quantities, names: { before: lineName(line), after: null } }),
      createLineFact(lineId, 'variantId', { before: line.variantId, after: null }),
      createLineFact(lineId, 'currentPrice', { before: toMoneyText(line.currentPrice), after: null }),
      createLineFact(lineId, 'sellingPlanId', { before: line.sellingPlanId, after: null }),
    ],
    showsEdit: (currentState) => findContractLine(currentState, lineId) === undefined,
  };
}

/** Returns the user error for a line that the contract does not have. */
export function lineNotFoundError(field: readonly (string | number)[], lineId: string): OperationError {
  return createUserError('LINE_NOT_FOUND', { field, message: message('lineUnknown') }, { lineIds: [lineId] });
}
