/**
 * Finishes a postponement, or a revert of one, that was interrupted while its edits were sent. The scheduled work
 * calls this before it decides the intent. The postponement record has the edits.
 */
import { contractGid } from '../../timeline/event-record.ts';
import type { FinishChange, FinishDeps } from '../../timeline/settle/finish-change.ts';
import { type BillingCycle, CYCLE_SELECTION } from '../cycles/billing-cycle.ts';
import type { OrderEdit } from '../order-dates/postponements.ts';
import { createPostponementRepository } from '../order-dates/postponements.ts';
import { undoOrderEdits } from './apply-order-edits.ts';
import { POSTPONED_ACTION } from './planned-postponement.ts';
import { REVERTED_ACTION } from './revert-postponement.ts';
import { isOrderAtPosition, type OrderEditTarget, sendOrderEdits } from './send-order-edits.ts';

/**
 * Sends the edits that were not made yet. Leaves out orders that were billed, or that another client has changed
 * since. Undoes all edits when the platform refuses one without which an order would be missing. May run twice.
 * @throws ServiceError when the platform does not respond; the intent is then finished by a later run
 */
const finishPostponement: FinishChange = async (deps, { intent }) => {
  const { contract: contractNumber, shopId, details, actor } = intent;
  if (contractNumber === undefined) return undefined;
  const postponements = createPostponementRepository(deps);
  const record = await postponements.read({ shopId, contractNumber });
  const { pendingChange } = record ?? {};
  if (record === undefined || pendingChange === undefined || pendingChange.id !== details.layingId)
    return undefined;
  const editTarget: OrderEditTarget = {
    contractId: contractGid(contractNumber, deps.platformGidNamespace),
    reason: actor.kind === 'CUSTOMER' ? 'BUYER_INITIATED' : 'MERCHANT_INITIATED',
  };
  const isRevert = intent.action === REVERTED_ACTION;
  const editsInForce: OrderEdit[][] = [];
  let isFinished = true;
  for (const [documentIndex, document] of pendingChange.documents.entries()) {
    const cycles = await readCyclesOfEdits(deps, editTarget, document);
    const cycleOf = (edit: OrderEdit) => cycles.find(({ cycleIndex }) => cycleIndex === edit.cycleIndex);
    const missingEdits = document.filter((edit) => {
      const cycle = cycleOf(edit);
      return cycle !== undefined && cycle.status !== 'BILLED' && isOrderAtPosition(cycle, edit.before);
    });
    const refusedEdits = await sendOrderEdits(deps, editTarget, missingEdits);
    const isInForce = (edit: OrderEdit) => {
      const cycle = cycleOf(edit);
      const isEditSent = missingEdits.includes(edit) && !refusedEdits.some((one) => one.edit === edit);
      return isEditSent || (cycle !== undefined && isOrderAtPosition(cycle, edit.after));
    };
    editsInForce.push(document.filter(isInForce));
    const isSkipDocument = !isRevert && documentIndex < pendingChange.documents.length - 1;
    // The order was billed before it could be skipped. Stop, so that no second order gets its date.
    const isOrderBilled = isSkipDocument && !document.every(isInForce);
    if (isOrderBilled || refusedEdits.some(({ edit }) => isRevert || edit === document[0])) {
      await undoOrderEdits(deps, editTarget, editsInForce);
      await postponements.end(record, { dates: record.dates, latest: record.latest });
      return 'not done';
    }
    isFinished &&= document.slice(0, 1).every(isInForce);
  }
  await postponements.end(record, pendingChange.next);
  return isFinished ? 'done' : undefined;
};

/** Reads the cycles of the edits in one request. */
async function readCyclesOfEdits(
  { sendToPlatform }: FinishDeps,
  { contractId }: OrderEditTarget,
  edits: readonly OrderEdit[],
): Promise<readonly BillingCycle[]> {
  const rootTexts = edits.map(
    ({ cycleIndex }) =>
      `cycle${cycleIndex}: subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: ${cycleIndex} } }) { ${CYCLE_SELECTION} }`,
  );
  if (rootTexts.length === 0) return [];
  const document = `query($id: ID!) { ${rootTexts.join(' ')} }`;
  const { data } = await sendToPlatform({ document, variables: { id: contractId }, mutates: false });
  return edits.flatMap(
    ({ cycleIndex }) => (data?.[`cycle${cycleIndex}`] as BillingCycle | null | undefined) ?? [],
  );
}

/** The functions that finish interrupted changes, by timeline action. */
export const POSTPONEMENT_FINISHERS: Readonly<Record<string, FinishChange>> = {
  [POSTPONED_ACTION]: finishPostponement,
  [REVERTED_ACTION]: finishPostponement,
};
