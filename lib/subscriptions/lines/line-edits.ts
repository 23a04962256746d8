/** From a request to the draft mutations that make it, each with what the timeline tells of it; or why it cannot be. */
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import type { DraftMutation } from '../draft/draft-operation.ts';
import type { OperationError } from '../operation-error.ts';
import { addLine } from './add-line.ts';
import { changeLine } from './change-line.ts';
import { errorAt, type LinesRequest, MAX_LINES } from './lines-request.ts';
import type { LinesState } from './lines-state.ts';
import type { Growth } from './refuse-gifts.ts';
import { removeEmptied } from './remove-emptied.ts';
import { removeLine } from './remove-line.ts';

/** One draft mutation for one line. */
export type LineEdit = {
  readonly mutation: DraftMutation;
  /** As the intent tells it. */
  readonly facts: readonly ChangedFact[];
  /** With the payload of the mutation, where it tells more. */
  readonly factsBy?: (payload: Readonly<Record<string, unknown>>) => readonly ChangedFact[];
  /** Of a line that comes in, or gets more or another product. */
  readonly growth?: Growth;
  /** Whether these lines show it. */
  readonly isDone: (state: LinesState) => boolean;
};

export type LineEdits = { readonly edits: readonly LineEdit[]; readonly errors: readonly OperationError[] };

/** What makes one edit: none if the line is as asked for. */
export type EditOrError = LineEdit | OperationError | undefined;

/**
 * All edits, removals first, so that a full contract has room, and before them the discounts that lose their last line;
 * and everything that is wrong.
 */
export function lineEdits(state: LinesState, request: LinesRequest): LineEdits {
  const { add, update, remove } = request;
  const made = [
    ...remove.map((lineId, index) => removeLine(state, { lineId, path: ['remove', index] })),
    ...update.map((change, index) => changeLine(state, { ...change, path: ['update', index] })),
    ...add.map((addition, index) => addLine(state, { ...addition, request, path: ['add', index] })),
  ];
  const lines = made.filter((one): one is LineEdit => one !== undefined && 'mutation' in one);
  const errors = made.filter((one): one is OperationError => one !== undefined && 'message' in one);
  const edits = [...removeEmptied(state, remove), ...lines];
  return { edits, errors: errors.length > 0 ? errors : refuseTogether(state, request, edits.length) };
}

/** What is wrong with edits of which each by itself is right. */
function refuseTogether(
  { contract }: LinesState,
  { add, remove }: LinesRequest,
  editCount: number,
): OperationError[] {
  if (contract.lines.nodes.length + add.length <= remove.length) {
    return [errorAt(['remove'], 'A subscription keeps at least one line.', 'EMPTY_CONTRACT')];
  }
  if (editCount <= MAX_LINES) return [];
  const message = `No more than ${MAX_LINES} lines and discounts that go with them fit into one change: remove fewer lines.`;
  return [errorAt(['remove'], message)];
}
