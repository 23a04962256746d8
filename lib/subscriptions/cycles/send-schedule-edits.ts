/**
 * Sends the schedule edits of one contract, up to 30 in one document. Sending an edit a second time changes nothing.
 */
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { message } from '../../messages/message.ts';
import type { OperationDeps } from '../operation.ts';
import {
  createUserError,
  fromPlatformUserError,
  type OperationError,
  type PlatformUserError,
} from '../operation-error.ts';
import { type BillingCycle, type EditReason, orderErrorDetails } from './billing-cycle.ts';
import type { ScheduleEdit } from './plan-restored-edits.ts';

/**
 * The maximum number of edits in one document. An edit costs 10 points. The platform allows 1,000 points per request,
 * but a customer's quota of points is smaller.
 */
const SCHEDULE_EDITS_PER_DOCUMENT = 30;

type ScheduleEditsToSend<Edit extends ScheduleEdit> = {
  readonly contractId: string;
  readonly reason: EditReason;
  readonly edits: readonly Edit[];
  /**
   * Whether the first document makes the platform delete all edits of the current cycle and of later ones before it
   * makes these edits. The platform refuses to edit an order that is more than about a year ahead, so the edit of
   * such an order can only be removed in this way.
   */
  readonly deletesAllEditsFirst?: boolean;
};

/** An edit that the platform refused, with its reason. */
export type RefusedEdit<Edit extends ScheduleEdit> = {
  readonly edit: Edit;
  readonly error: PlatformUserError;
};

/**
 * Sends the edits in order. Returns the edits that the platform refused.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function sendScheduleEdits<Edit extends ScheduleEdit>(
  deps: Pick<OperationDeps, 'sendToPlatform'>,
  editsToSend: ScheduleEditsToSend<Edit>,
): Promise<Edit[]> {
  return (await sendScheduleEditsForErrors(deps, editsToSend)).map(({ edit }) => edit);
}

/**
 * Sends the edits in order. Returns the edits that the platform refused, each with the user error.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function sendScheduleEditsForErrors<Edit extends ScheduleEdit>(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  { contractId, reason, edits, deletesAllEditsFirst = false }: ScheduleEditsToSend<Edit>,
): Promise<RefusedEdit<Edit>[]> {
  const refusedEdits: RefusedEdit<Edit>[] = [];
  const batches =
    deletesAllEditsFirst && edits.length === 0 ? [[]] : splitIntoBatches(edits, SCHEDULE_EDITS_PER_DOCUMENT);
  for (const [batchIndex, editsOfBatch] of batches.entries()) {
    const { data } = await sendToPlatform({
      document: buildScheduleEditsDocument(editsOfBatch.length, deletesAllEditsFirst && batchIndex === 0),
      variables: Object.assign(
        { _svcContractId: contractId },
        ...editsOfBatch.map((edit, index) => scheduleEditVariables(edit, index, reason)),
      ),
      mutates: true,
    });
    for (const [editIndex, edit] of editsOfBatch.entries()) {
      const editPayload = data?.[`edit${editIndex}`] as
        | { readonly userErrors: readonly PlatformUserError[] }
        | null
        | undefined;
      if (!editPayload)
        throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'a schedule edit has no payload' });
      const [error] = editPayload.userErrors;
      if (error !== undefined) refusedEdits.push({ edit, error });
    }
  }
  return refusedEdits;
}

/** Returns the user error for the platform's refusal of an edit, at the argument `contractId`. */
export function toScheduleEditError(error: PlatformUserError, cycle: BillingCycle): OperationError {
  const fieldPath = ['contractId'];
  if (error.code === 'INCOMPLETE_BILLING_ATTEMPTS') {
    const fieldAndMessage = { field: fieldPath, message: message('orderBeingBilled') };
    return createUserError(error.code, fieldAndMessage, orderErrorDetails(cycle));
  }
  return fromPlatformUserError({ ...error, field: fieldPath }, orderErrorDetails(cycle));
}

const DELETE_ALL_EDITS_FIELD =
  'deletion: subscriptionBillingCycleEditsDelete(contractId: $_svcContractId, targetSelection: ALL) { userErrors { code } }';

function buildScheduleEditsDocument(count: number, deletesAllEditsFirst: boolean): string {
  const declarations = ['$_svcContractId: ID!'];
  const editFields: string[] = deletesAllEditsFirst ? [DELETE_ALL_EDITS_FIELD] : [];
  for (let editIndex = 0; editIndex < count; editIndex++) {
    declarations.push(
      `$_svcIndex${editIndex}: Int!`,
      `$_svcInput${editIndex}: SubscriptionBillingCycleScheduleEditInput!`,
    );
    const editInput = `billingCycleInput: { contractId: $_svcContractId, selector: { index: $_svcIndex${editIndex} } }, input: $_svcInput${editIndex}`;
    editFields.push(
      `edit${editIndex}: subscriptionBillingCycleScheduleEdit(${editInput}) { userErrors { field message code } }`,
    );
  }
  return `mutation(${declarations.join(', ')}) { ${editFields.join(' ')} }`;
}

function scheduleEditVariables(
  { cycleIndex, skip, billingDate }: ScheduleEdit,
  editIndex: number,
  reason: EditReason,
) {
  const editInput = {
    reason,
    ...(skip !== undefined && { skip }),
    ...(billingDate !== undefined && { billingDate }),
  };
  return { [`_svcIndex${editIndex}`]: cycleIndex, [`_svcInput${editIndex}`]: editInput };
}
