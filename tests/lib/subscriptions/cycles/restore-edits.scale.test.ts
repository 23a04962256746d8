/** The effect of a new interval on skips and moves, compared with the emulated platform at random. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoDayIn } from '../../../../lib/domain/time-zone.ts';
import { orderDueAtMs } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import {
  planEditsAfterDeletion,
  planRestoredEdits,
  type RestoringEdit,
  type ScheduleEdit,
} from '../../../../lib/subscriptions/cycles/plan-restored-edits.ts';
import { findOrderTooClose, listUpcomingEdits } from '../../../../lib/subscriptions/cycles/upcoming-edits.ts';
import { propertyRuns } from '../../../full-size.ts';
import { type Case, cases, newModel } from '../contract-model.ts';

const HOUR_MS = 3_600_000;

/** Every edit of the case before, and what the platform shows after everything was put back. */
function run(given: Case) {
  const model = newModel(given);
  model.editAsGiven();
  const { nowMs } = model;
  const before = listUpcomingEdits(model.cycles(20), { nowMs, originalDates: new Map() });
  const isRefused = findOrderTooClose(model.cycles(20), { nowMs, policy: given.before }) !== undefined;
  model.reschedule();
  const charged = [...model.chargeable(nowMs), ...model.chargeable(nowMs + 20 * 60_000)];
  // Enough cycles for all edits, by index and by date.
  const lastMs = Math.max(0, ...before.map(({ date }) => Date.parse(date) + 2 * 24 * HOUR_MS));
  const { timeZone } = given;
  const request = { editsBefore: before, cycles: model.cycles(20, lastMs), timeZone, nowMs };
  const restored = { ...planRestoredEdits(request) };
  const isRestoring = (edit: ScheduleEdit): edit is RestoringEdit => 'restoredEdit' in edit;
  let refused = [...restored.undoingEdits, ...restored.restoringEdits].filter((edit) => !model.tryEdit(edit));
  if (!refused.every(isRestoring)) {
    model.deleteEdits();
    refused = planEditsAfterDeletion(request).filter((edit) => !model.tryEdit(edit));
  }
  const outOfReach = refused.filter(isRestoring).map(({ restoredEdit: edit }) => edit.cycleIndex);
  return { before, outOfReach, isRefused, charged, restored, after: model.cycles(20, lastMs), model };
}

const RUNS = propertyRuns(5_000);

test(`on ${RUNS.numRuns} random contracts: kept at its date or reported, nothing else edited, no skipped order billed`, () => {
  fc.assert(
    fc.property(cases, (given) => {
      const { before, outOfReach, isRefused, charged, restored, after, model } = run(given);
      fc.pre(!isRefused);
      const dayOf = (atMs: number) => isoDayIn(given.timeZone, atMs);
      const ahead = after.filter((cycle) => Date.parse(cycle.billingAttemptExpectedDate) > model.nowMs);
      const dropped = new Set([...restored.droppedEdits.map(({ cycleIndex }) => cycleIndex), ...outOfReach]);
      const remaining = before.filter(({ cycleIndex }) => !dropped.has(cycleIndex));

      // Checks that each retained edit is on its own order, and that no other order is edited.
      const skips = remaining.filter(({ skipped }) => skipped).map(({ date }) => dayOf(Date.parse(date)));
      const skippedDays = ahead
        .filter(({ skipped }) => skipped)
        .map(({ cycleEndAt }) => dayOf(Date.parse(cycleEndAt)));
      expect(skippedDays.toSorted()).toEqual(skips.toSorted());
      const moves = remaining.filter(({ skipped }) => !skipped).map(({ date }) => date);
      const movedTo = ahead
        .filter(({ skipped }) => !skipped)
        .map((cycle) => cycle.billingAttemptExpectedDate);
      expect(movedTo).toEqual(expect.arrayContaining(moves));
      const strays = ahead.filter(
        ({ skipped, edited, billingAttemptExpectedDate: date }) =>
          edited && !skipped && !moves.includes(date),
      );
      expect(strays).toEqual([]);

      const noPlace = new Set(restored.droppedEdits.map(({ cycleIndex }) => cycleIndex));
      // Dropped: there was no place. Everything is one or the other.
      expect(remaining.length + restored.droppedEdits.length + outOfReach.length).toBe(before.length);
      for (const edit of before.filter(({ cycleIndex, skipped }) => skipped && noPlace.has(cycleIndex))) {
        const day = dayOf(Date.parse(edit.date));
        const there = ahead.filter(({ cycleEndAt }) => dayOf(Date.parse(cycleEndAt)) === day);
        expect(there.filter(({ skipped }) => !skipped)).toEqual([]);
      }

      // Until they were put back, nothing could be billed on a day that was skipped.
      const targetEdit = new Set(
        before.filter(({ skipped }) => skipped).map(({ date }) => dayOf(Date.parse(date))),
      );
      expect(charged.filter((cycle) => targetEdit.has(dayOf(orderDueAtMs(cycle))))).toEqual([]);
    }),
    RUNS,
  );
});
