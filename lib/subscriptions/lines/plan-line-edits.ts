/** Converts the client's request into edits of lines, or into the list of all its errors. */
import { message } from '../../messages/message.ts';
import { MIN_LINES } from '../draft/draft-refusal.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { LineEdit } from './line-edit.ts';
import { type LinesRequest, MAX_LINES_PER_REQUEST } from './lines-request.ts';
import type { LinesState } from './lines-state.ts';
import { planDiscountRemovals } from './plan-discount-removals.ts';
import { planLineAddition } from './plan-line-addition.ts';
import { planLineChange } from './plan-line-change.ts';
import { planLineRemoval } from './plan-line-removal.ts';

type LineEdits = { readonly edits: readonly LineEdit[]; readonly errors: readonly OperationError[] };

/**
 * Returns all edits and all errors. The order of the edits: discounts that lose their last line are removed first,
 * then lines are removed, changed and added, so that a full contract has room for the additions.
 */
export function planLineEdits(state: LinesState, request: LinesRequest): LineEdits {
  const { add, update, remove } = request;
  const plannedEdits = [
    ...remove.map((lineId, index) => planLineRemoval(state, { lineId, entryPath: ['remove', index] })),
    ...update.map((change, index) => planLineChange(state, { ...change, entryPath: ['update', index] })),
    ...add.map((addition, index) =>
      planLineAddition(state, { ...addition, request, entryPath: ['add', index] }),
    ),
  ];
  const lineEdits = plannedEdits.filter((one): one is LineEdit => one !== undefined && 'mutation' in one);
  const errors = plannedEdits.filter((one): one is OperationError => one !== undefined && 'message' in one);
  const edits = [...planDiscountRemovals(state, remove), ...lineEdits];
  return { edits, errors: errors.length > 0 ? errors : listCombinedEditErrors(state, request, edits.length) };
}

/** Checks the limits that apply to all edits together. */
function listCombinedEditErrors(
  { contract }: LinesState,
  { add, remove }: LinesRequest,
  editCount: number,
): OperationError[] {
  const fieldPath = ['remove'];
  const { nodes } = contract.lines;
  if (nodes.length + add.length <= remove.length) {
    const lineIds = nodes.map(({ id }) => id);
    const fieldAndMessage = { field: fieldPath, message: message('lineLast') };
    return [createUserError('EMPTY_CONTRACT', fieldAndMessage, { limit: MIN_LINES, lineIds })];
  }
  if (editCount <= MAX_LINES_PER_REQUEST) return [];
  const fieldAndMessage = {
    field: fieldPath,
    message: message('linesAndDiscountsTooMany', { most: MAX_LINES_PER_REQUEST }),
  };
  return [createUserError('INVALID', fieldAndMessage, { limit: MAX_LINES_PER_REQUEST, actual: editCount })];
}
