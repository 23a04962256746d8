/**
 * The second step of an interval change: reads the cycles again, and restores the skips and moves in one document.
 * The step is idempotent: after a lost response the cycles are read again, and after a crash the scheduled work
 * finishes it.
 */

import { instantText, wholeSecond } from '../../domain/instant.ts';
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { message } from '../../messages/message.ts';
import type { EditReason } from '../cycles/billing-cycle.ts';
import {
  type DroppedEdit,
  droppedEdit,
  type RestoringEdit,
  restoreEdits,
  type ScheduleEdit,
} from '../cycles/restore-edits.ts';
import { sendEdits } from '../cycles/send-edits.ts';
import type { UpcomingEdit } from '../cycles/upcoming-edits.ts';
import type { OperationDeps } from '../operation.ts';
import { type Frequency, isSameFrequency } from '../selling-plans/frequency.ts';
import { type Concurrent, changesSince, chosenSince, mergeConcurrent } from './concurrent-edits.ts';
import type { OrderChange } from './order-changes.ts';
import { cyclesOfEdits } from './upcoming-cycles-selection.ts';

type RestoreDeps = Pick<OperationDeps, 'ask' | 'now'>;

type PutBack = Concurrent & {
  readonly contractId: string;
  readonly edits: readonly UpcomingEdit[];
  /** The committed interval. If the contract has another one, a later interval change handles the edits. */
  readonly interval: Frequency;
  readonly reason: EditReason;
};

const MAX_ROUNDS = 2;

/**
 * Returns the edits that fit no cycle. Sends two platform requests; none if there was no edit.
 * @throws ServiceError when it may be partly done; it can be repeated
 */
export async function putEditsBack(deps: RestoreDeps, request: PutBack): Promise<DroppedEdit[]> {
  for (let round = 1; ; round++) {
    try {
      return await putBackOnce(deps, request);
    } catch (error) {
      if (!isOutcomeUnknown(error) || round === MAX_ROUNDS) throw error;
    }
  }
}

async function putBackOnce(deps: RestoreDeps, request: PutBack): Promise<DroppedEdit[]> {
  const { contractId, reason } = request;
  const touched = changesSince(request);
  if (request.edits.length + touched.length === 0) return [];
  const nowMs = deps.now();
  const edits = [
    ...request.edits,
    ...touched.map((one) => toRange(one, nowMs)),
    ...orderChosenSince(request),
  ];
  const { cycles, timeZone, contract } = await cyclesOfEdits(deps, { contractId, edits, nowMs });
  if (contract === null || !isSameFrequency(contract.billingPolicy, request.interval)) return [];
  const { before, editedSince } = mergeConcurrent(request, cycles);
  const { undo, putBack, dropped } = restoreEdits({ before, cycles, timeZone, nowMs, editedSince });
  // The earliest order first: after an interruption the latest orders are missing.
  const all = [...undo, ...putBack].sort((one, other) => one.cycleIndex - other.cycleIndex);
  const refused = await sendEdits(deps, { contractId, reason, edits: all });
  return [...dropped, ...refused.flatMap(droppedBy)].sort((one, other) => one.cycleIndex - other.cycleIndex);
}

/** Returns a placeholder edit that extends the range of cycles to the changed order. */
function toRange({ cycleIndex, found, left }: OrderChange, nowMs: number): UpcomingEdit {
  const date = instantText(wholeSecond(left.dateMs ?? found.dateMs ?? nowMs));
  return { cycleIndex, date, skipped: true, moved: false, originalDate: null };
}

/** The order of a date that was set since then has to be read, too. */
function orderChosenSince({ edits: [edit], ...concurrent }: PutBack): UpcomingEdit[] {
  const dateMs = chosenSince(concurrent);
  return dateMs === undefined || edit === undefined ? [] : [{ ...edit, date: instantText(dateMs) }];
}

/**
 * Returns the edit that the platform refused to restore. An order whose undo is refused was billed or has ended in
 * the meantime.
 */
function droppedBy(refused: ScheduleEdit | RestoringEdit): DroppedEdit[] {
  if (!('edit' in refused)) return [];
  return [droppedEdit(refused.edit, { reasonCode: 'CHANGED_MEANWHILE', reason: message('editRefused') })];
}
