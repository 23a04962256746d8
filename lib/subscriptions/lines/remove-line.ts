/** A removed line leaves the contract with the same commit. */
import { lineQuantityFact } from '../../timeline/changed-fact.ts';
import type { OperationError } from '../operation-error.ts';
import type { EditOrError } from './line-edit.ts';
import { errorAt } from './lines-request.ts';
import { type LinesState, lineName, lineOf } from './lines-state.ts';

type Removal = { readonly lineId: string; readonly path: readonly (string | number)[] };

/** The removal, or LINE_NOT_FOUND. */
export function removeLine(state: LinesState, { lineId, path }: Removal): EditOrError {
  const line = lineOf(state, lineId);
  if (line === undefined) return lineNotFound(path);
  const quantities = { before: String(line.quantity), after: null };
  return {
    mutation: {
      mutation: 'subscriptionDraftLineRemove',
      args: { lineId: ['ID!', lineId] },
      blame: () => path.map(String),
      codes: { INVALID: 'LINE_NOT_FOUND', ALREADY_REMOVED: 'LINE_NOT_FOUND' },
    },
    facts: [lineQuantityFact(lineId, quantities, { before: lineName(line), after: null })],
    isDone: (now) => lineOf(now, lineId) === undefined,
  };
}

/** The refusal of a line that the contract does not have. */
export function lineNotFound(path: readonly (string | number)[]): OperationError {
  return errorAt(path, 'The subscription has no such line.', 'LINE_NOT_FOUND');
}
