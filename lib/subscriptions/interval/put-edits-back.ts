/**
 * The second step of a new interval: the cycles are re-read, and one document puts back the skips and moves that lay
 * ahead. Doing it twice does it once, so a lost answer is read again and a crash is finished by the scheduled work.
 */

import { instantText, wholeSecond } from '../../domain/instant.ts';
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { message } from '../../messages/message.ts';
import type { EditReason } from '../cycles/billing-cycle.ts';
import type { EditAhead } from '../cycles/edits-ahead.ts';
import {
  type DroppedEdit,
  droppedEdit,
  type RestoringEdit,
  restoreEdits,
  type ScheduleEdit,
} from '../cycles/restore-edits.ts';
import { sendEdits } from '../cycles/send-edits.ts';
import type { OperationDeps } from '../operation.ts';
import { isSameRhythm, type Rhythm } from '../selling-plans/rhythm.ts';
import { type Concurrent, changesSince, chosenSince, mergeConcurrent } from './concurrent-edits.ts';
import { cyclesOfEdits } from './cycles-ahead.ts';
import type { OrderChange } from './order-changes.ts';

type RestoreDeps = Pick<OperationDeps, 'ask' | 'now'>;

type PutBack = Concurrent & {
  readonly contractId: string;
  readonly edits: readonly EditAhead[];
  /** What was committed: under another interval the edits belong to whoever set that. */
  readonly interval: Rhythm;
  readonly reason: EditReason;
};

const MAX_ROUNDS = 2;

/**
 * The edits that found no place. Two platform requests; none if there was no edit. ServiceError: it may be done in
 * part, and can be done again.
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
  if (contract === null || !isSameRhythm(contract.billingPolicy, request.interval)) return [];
  const { before, editedSince } = mergeConcurrent(request, cycles);
  const { undo, putBack, dropped } = restoreEdits({ before, cycles, timeZone, nowMs, editedSince });
  // The soonest order first: what breaks off leaves the latest ones.
  const all = [...undo, ...putBack].sort((one, other) => one.cycleIndex - other.cycleIndex);
  const refused = await sendEdits(deps, { contractId, reason, edits: all });
  return [...dropped, ...refused.flatMap(droppedBy)].sort((one, other) => one.cycleIndex - other.cycleIndex);
}

/** An edit with just enough for the cycles to be read as far as it lies. */
function toRange({ cycleIndex, found, left }: OrderChange, nowMs: number): EditAhead {
  const date = instantText(wholeSecond(left.dateMs ?? found.dateMs ?? nowMs));
  return { cycleIndex, date, skipped: true, moved: false, originalDate: null };
}

/** The order of a date that was set since has to be read, too. */
function orderChosenSince({ edits: [edit], ...concurrent }: PutBack): EditAhead[] {
  const dateMs = chosenSince(concurrent);
  return dateMs === undefined || edit === undefined ? [] : [{ ...edit, date: instantText(dateMs) }];
}

/** The edit that the platform refused to put back. What it refuses to undo has been billed or has ended meanwhile. */
function droppedBy(refused: ScheduleEdit | RestoringEdit): DroppedEdit[] {
  if (!('edit' in refused)) return [];
  return [droppedEdit(refused.edit, { reasonCode: 'CHANGED_MEANWHILE', reason: message('editRefused') })];
}
