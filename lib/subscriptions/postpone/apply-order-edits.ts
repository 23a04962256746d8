/**
 * Changes the dates of a contract's orders in three steps: stores the planned change in the record, sends the edits to
 * the platform, and stores the resulting dates in the record. After a crash in between, the scheduled work sends the
 * edits of the record again.
 */

import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import type { ContractRef } from '../contract-ref.ts';
import { scheduleEditReason } from '../cycles/billing-cycle.ts';
import type { OperationDeps } from '../operation.ts';
import type {
  PendingDateChange,
  PostponementDeps,
  PostponementRecord,
} from '../order-dates/postponements.ts';
import {
  type OrderEditTarget,
  type RefusedOrderEdit,
  reverseOrderEdit,
  sendOrderEdits,
} from './send-order-edits.ts';

/** The dependencies of operations that change the dates of orders. */
export type PostponeDeps = OperationDeps & PostponementDeps;

export type OrderEditPlan = {
  readonly contractId: string;
  readonly ref: ContractRef;
  /** The postponement record from which the change was planned; undefined when the contract has none. */
  readonly record: PostponementRecord | undefined;
  readonly pendingChange: PendingDateChange;
  /**
   * Whether the whole change is undone when the platform refuses the first edit of the last document. True for a
   * postponement, false for its revert.
   */
  readonly needsFirstOrder: boolean;
};

export type AppliedEdits =
  | { readonly kind: 'done' }
  /** Some orders do not have their planned dates yet. The scheduled work sends the edits again. */
  | { readonly kind: 'unfinished' }
  /** Nothing was changed: the platform refused this edit. */
  | { readonly kind: 'refused'; readonly refused: RefusedOrderEdit }
  /** Nothing was changed: another request changes the dates. */
  | { readonly kind: 'concurrent' };

/** The internal text of errors that occur after edits were sent, for the log. */
export const AFTER_EDITS_SENT_TEXT = 'after edits of orders were sent';

/**
 * Makes the planned change of the orders' dates. If the platform refuses a necessary edit, undoes those that were made.
 * @throws OUTCOME_UNKNOWN when some edits may have been made; the scheduled work finishes the change
 */
export async function applyOrderEdits(deps: PostponeDeps, plan: OrderEditPlan): Promise<AppliedEdits> {
  const { ref, record: before, pendingChange, contractId } = plan;
  const record = await deps.postponements.begin({ ref, before, pendingChange });
  if (record === undefined) return { kind: 'concurrent' };
  const editTarget = { contractId, reason: scheduleEditReason(deps) };
  const refusedEdits: RefusedOrderEdit[] = [];
  for (const [documentIndex, document] of pendingChange.documents.entries()) {
    const send = () => sendOrderEdits(deps, editTarget, document);
    const refusedNow =
      documentIndex === 0 ? await send() : await runAfterChangeStarted(AFTER_EDITS_SENT_TEXT, send);
    const necessaryRefusal = refusedNow.find(({ edit }) => isEditNecessary(plan, documentIndex, edit));
    if (necessaryRefusal !== undefined) {
      const madeEdits = document.filter((edit) => !refusedNow.some((one) => one.edit === edit));
      await runAfterChangeStarted(AFTER_EDITS_SENT_TEXT, async () => {
        await undoOrderEdits(deps, editTarget, [
          ...pendingChange.documents.slice(0, documentIndex),
          madeEdits,
        ]);
        await ignoreServiceError(() => deps.postponements.end(record, record));
      });
      return { kind: 'refused', refused: necessaryRefusal };
    }
    refusedEdits.push(...refusedNow);
    // Stop after a document with a refused edit. The next document of a revert restores an order, which would come in
    // addition to an order that was not moved back.
    if (refusedEdits.length > 0) break;
  }
  if (refusedEdits.length > 0) return { kind: 'unfinished' };
  // If this write fails, the scheduled work stores the resulting dates later.
  const endResult = await ignoreServiceError(() => deps.postponements.end(record, pendingChange.next));
  return endResult === 'done' ? { kind: 'done' } : { kind: 'unfinished' };
}

/**
 * Whether the change must be undone if the platform refuses this edit. For a postponement: any edit of a document
 * before the last one (the skip), or the first edit of the last document. For a revert: the last edit of a document
 * before the last one.
 */
function isEditNecessary(
  { pendingChange, needsFirstOrder }: OrderEditPlan,
  documentIndex: number,
  edit: unknown,
): boolean {
  // A revert first moves the orders back, the first order last. The last document then restores the order that was
  // skipped.
  if (!needsFirstOrder)
    return (
      documentIndex < pendingChange.documents.length - 1 &&
      pendingChange.documents[documentIndex]?.at(-1) === edit
    );
  return (
    documentIndex < pendingChange.documents.length - 1 || pendingChange.documents[documentIndex]?.[0] === edit
  );
}

/**
 * Undoes the edits of these documents, starting with the last document. Between two documents one order is missing,
 * which is better than an order that comes twice.
 */
export async function undoOrderEdits(
  deps: Pick<OperationDeps, 'sendToPlatform'>,
  editTarget: OrderEditTarget,
  madeDocuments: PendingDateChange['documents'],
): Promise<void> {
  for (const document of madeDocuments.toReversed())
    await sendOrderEdits(deps, editTarget, document.map(reverseOrderEdit).toReversed());
}
