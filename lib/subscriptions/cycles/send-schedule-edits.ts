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
 * An edit costs 10 points. The platform allows 1,000 points per request, but a customer's quota of points is smaller.
 */
const SCHEDULE_EDITS_PER_DOCUMENT = 30;

type ScheduleEditsToSend<Edit extends ScheduleEdit> = {
  readonly contractId: string;
  readonly reason: EditReason;
  readonly edits: readonly Edit[];
  /**
   * Whether the platform first deletes all edits of the current cycle and those after it. It refuses an edit of an order
   * that is more than about a year ahead, so such an order loses its edit only by this.
   */
  readonly deletesAll?: boolean;
};

/** An edit that the platform refused, with its reason. */
export type RefusedEdit<Edit extends ScheduleEdit> = {
  readonly edit: Edit;
  readonly error: PlatformUserError;
};

/**
 * Sends the edits in order. Returns those that the platform refused.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function sendScheduleEdits<Edit extends ScheduleEdit>(
  deps: Pick<OperationDeps, 'sendToPlatform'>,
  sending: ScheduleEditsToSend<Edit>,
): Promise<Edit[]> {
  return (await sendScheduleEditsForErrors(deps, sending)).map(({ edit }) => edit);
}

/**
 * Sends the edits in order. Returns those that the platform refused, with its reasons.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function sendScheduleEditsForErrors<Edit extends ScheduleEdit>(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  { contractId, reason, edits, deletesAll = false }: ScheduleEditsToSend<Edit>,
): Promise<RefusedEdit<Edit>[]> {
  const refusedEdits: RefusedEdit<Edit>[] = [];
  const batches =
    deletesAll && edits.length === 0 ? [[]] : splitIntoBatches(edits, SCHEDULE_EDITS_PER_DOCUMENT);
  for (const [batchIndex, editsOfBatch] of batches.entries()) {
    const { data } = await sendToPlatform({
      document: buildScheduleEditsDocument(editsOfBatch.length, deletesAll && batchIndex === 0),
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

function buildScheduleEditsDocument(count: number, deletesAll: boolean): string {
  const declarations = ['$_svcContractId: ID!'];
  const editFields: string[] = deletesAll ? [DELETE_ALL_EDITS_FIELD] : [];
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
  index: number,
  reason: EditReason,
) {
  const editInput = {
    reason,
    ...(skip !== undefined && { skip }),
    ...(billingDate !== undefined && { billingDate }),
  };
  return { [`_svcIndex${index}`]: cycleIndex, [`_svcInput${index}`]: editInput };
}
