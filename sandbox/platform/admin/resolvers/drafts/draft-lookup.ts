/** Finds the draft that a mutation names, while it can still be changed. */
import type { ContractContent, ContractRecord, DraftRecord } from '../../../state/contract-records.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import { takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserError, createUserErrorPayload, isUserError, type UserError } from '../../user-error.ts';

/** Runs a change on the draft. Returns its payload, or the user error. */
export function changeDraft<Payload extends object>(
  draftId: string,
  context: AdminContext,
  change: (draft: DraftRecord) => Payload | UserError,
) {
  const draft = context.store.drafts.get(requireGidNumber(draftId, 'SubscriptionDraft'));
  if (draft === undefined)
    return createUserErrorPayload(['draftId'], 'Subscription draft does not exist', 'INVALID');
  if (draft.committed)
    return createUserErrorPayload(['draftId'], 'Subscription draft has already been committed', 'COMMITTED');
  const changeResult = change(draft);
  return isUserError(changeResult) ? { draft, userErrors: [changeResult] } : { draft, ...changeResult };
}

/** Creates the user error for a line or discount that the draft does not have. */
export function createMissingFromDraftError(
  field: string,
  objectName: string,
  wasRemoved: boolean,
): UserError {
  return wasRemoved
    ? createUserError([field], `${objectName} has already been removed`, 'ALREADY_REMOVED')
    : createUserError([field], `${objectName} does not exist`, 'INVALID');
}

/** Creates a draft with a copy of the content. */
export function createDraft(
  { store, nowMs }: AdminContext,
  content: ContractContent,
  subject: { contract: ContractRecord | null; cycleIndex: number | null },
): DraftRecord {
  const draft: DraftRecord = {
    __typename: 'SubscriptionDraft',
    id: takeNextId(store),
    contractId: subject.contract?.id ?? null,
    cycleIndex: subject.cycleIndex,
    baseRevision: subject.contract?.revisionId ?? null,
    committed: false,
    content: structuredClone(content),
    previousDiscount: subject.contract === null ? null : structuredClone(content),
    linesRemoved: [],
    discountsRemoved: [],
    concatenated: [],
    deliveryOptionsRequested: [],
    createdAt: formatIsoInstant(nowMs),
  };
  store.drafts.set(draft.id, draft);
  return draft;
}
