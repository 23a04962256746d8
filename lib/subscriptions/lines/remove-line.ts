/** A line goes. */
import { lineQuantityFact } from '../../timeline/changed-fact.ts';
import type { OperationError } from '../operation-error.ts';
import type { EditOrError } from './line-edits.ts';
import { errorAt } from './lines-request.ts';
import type { ContractLine, LinesState } from './lines-state.ts';
import { productName } from './product-name.ts';

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

/** The contract's line of that id. */
export function lineOf({ contract }: LinesState, lineId: string): ContractLine | undefined {
  return contract.lines.nodes.find(({ id }) => id === lineId);
}

/** What the line brings, as a person names it. */
export function lineName({ title, variantTitle }: ContractLine): string {
  return productName(title, variantTitle);
}

/** The refusal of a line that the contract does not have. */
export function lineNotFound(path: readonly (string | number)[]): OperationError {
  return errorAt(path, 'The subscription has no such line.', 'LINE_NOT_FOUND');
}
