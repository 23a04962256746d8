/**
 * Opens a draft of the contract and changes it, with one platform request each. A failure leaves only an unused
 * draft, because nothing takes effect before the commit.
 */
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { PlatformError } from '../../platform/admin-api/admin-response.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import type { OperationError, PlatformUserError } from '../operation-error.ts';
import { platformActorArgument } from '../platform-actor.ts';
import { draftLinesOf, selectDraftLines } from './draft-lines.ts';
import type { DraftMutation, DraftSelection, OpenedDraft } from './draft-operation.ts';
import {
  type DraftChangeRefusal,
  type DraftRefusal,
  isStaleDraft,
  toServiceUserError,
} from './draft-refusal.ts';

const USER_ERRORS_SELECTION = 'userErrors { field message code }';

type MutationPayload = Readonly<Record<string, unknown>> & {
  readonly userErrors: readonly PlatformUserError[];
};

// The alias of `originalContract`: the selection of the operation may contain the same field.
const DRAFT_ORIGIN_ALIAS = '_svcOrigin';
type PlatformDraft = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly [DRAFT_ORIGIN_ALIAS]: { readonly revisionId: string } | null;
};

type OpenDraftRequest = {
  readonly contractId: string;
  /** The revision of the contract that the operation read. The change is based on it. */
  readonly revisionId: string;
  /** The client's arguments. */
  readonly args: OperationRequest['args'];
  readonly openingSelection?: DraftSelection | undefined;
};

/**
 * Opens a draft. Returns `stale` if the contract has changed since its state was read: the commit detects only
 * changes that were made after the draft was opened.
 * @throws PLATFORM_UNAVAILABLE when there is no response; an unused draft has no effect
 */
export async function openDraft(
  deps: OperationDeps,
  { contractId, revisionId, args, openingSelection }: OpenDraftRequest,
): Promise<DraftRefusal | ({ readonly kind: 'opened' } & OpenedDraft)> {
  const declarations = [
    '$_svcContractId: ID!',
    '$_svcActor: SubscriptionActor',
    ...(openingSelection?.declarations ?? []),
  ];
  const draftField = `draft { id ${DRAFT_ORIGIN_ALIAS}: originalContract { revisionId } ${openingSelection?.selection ?? ''} ${selectDraftLines(deps)} }`;
  const { data, errors } = await deps.sendToPlatform({
    document: `mutation(${declarations.join(', ')}) { open: subscriptionContractUpdate(contractId: $_svcContractId, actor: $_svcActor) { ${draftField} ${USER_ERRORS_SELECTION} } }`,
    variables: {
      ...openingSelection?.variables,
      _svcContractId: contractId,
      _svcActor: platformActorArgument(deps, args),
    },
    // The request may be retried: a second draft has no effect, and no client receives a draft.
    mutates: false,
  });
  const { userErrors, draft: openedDraft } = requireMutationPayload(data?.open, errors);
  if (isStaleDraft(userErrors)) return { kind: 'stale' };
  if (userErrors.length > 0) return { kind: 'refused', userErrors };
  const draftFields = openedDraft as PlatformDraft | null | undefined;
  if (draftFields && draftFields[DRAFT_ORIGIN_ALIAS]?.revisionId !== revisionId) return { kind: 'stale' };
  if (!draftFields) throw failedReadError('no draft', errors);
  const lines = draftLinesOf(deps, draftFields, errors);
  return { kind: 'opened', id: draftFields.id, selectedFields: draftFields, lines, errors };
}

/** The draft after its last mutation, and the payloads of all mutations. */
export type ChangedDraft = OpenedDraft & {
  readonly kind: 'changed';
  readonly payloads: readonly MutationPayload[];
};

type ChangeDraftRequest = {
  readonly draft: OpenedDraft;
  readonly mutations: readonly DraftMutation[];
  /** The selection to read of the draft after its last mutation. */
  readonly finalSelection?: DraftSelection | undefined;
};

/**
 * Sends all mutations in one request and returns their payloads.
 * @throws PLATFORM_UNAVAILABLE when it is unknown whether the mutations were made
 */
export async function changeDraft(
  deps: OperationDeps,
  { draft, mutations, finalSelection }: ChangeDraftRequest,
): Promise<DraftChangeRefusal | ChangedDraft> {
  const draftFields = [finalSelection?.selection ?? '', selectDraftLines(deps)].join(' ').trim();
  const writtenMutations = mutations.map((mutation, index) =>
    // Only the last mutation selects the draft: the platform runs the mutations in order, so it then contains all
    // changes.
    writeDraftMutation(
      mutation,
      index,
      draftFields !== '' && index === mutations.length - 1 ? `draft { ${draftFields} }` : '',
    ),
  );
  const declarations = [
    ...writtenMutations.flatMap((one) => one.declarations),
    ...(finalSelection?.declarations ?? []),
  ];
  const variableValues = Object.assign({}, ...writtenMutations.map((one) => one.values));
  const { data, errors } = await convertLostResponse(() =>
    deps.sendToPlatform({
      document: `mutation(${['$_svcDraftId: ID!', ...declarations].join(', ')}) { ${writtenMutations.map(({ text }) => text).join(' ')} }`,
      variables: { _svcDraftId: draft.id, ...variableValues, ...finalSelection?.variables },
      mutates: true,
    }),
  );
  const mutationPayloads = mutations.map((mutation, index) => ({
    mutation,
    payload: requireMutationPayload(data?.[`change${index}`], errors),
  }));
  if (mutationPayloads.some(({ payload }) => isStaleDraft(payload.userErrors))) return { kind: 'stale' };
  const userErrors = mutationPayloads.flatMap(({ mutation, payload }) =>
    toDraftUserErrors(mutation, payload),
  );
  if (userErrors.length > 0) return { kind: 'refused', userErrors };
  const payloads = mutationPayloads.map(({ payload }) => payload);
  const draftData = (payloads.at(-1)?.draft ?? {}) as OpenedDraft['selectedFields'];
  const lines = draftLinesOf(deps, draftData, errors);
  return { kind: 'changed', payloads, id: draft.id, selectedFields: draftData, lines, errors };
}

function writeDraftMutation(
  { mutation, args, selection = '' }: DraftMutation,
  index: number,
  draftSelection: string,
) {
  const argumentEntries = Object.entries(args).map(([name, [type, value]]) => {
    const variable = `_svc${index}_${name}`;
    return { passedArgument: `${name}: $${variable}`, declaration: `$${variable}: ${type}`, value, variable };
  });
  const passedArguments = [
    'draftId: $_svcDraftId',
    ...argumentEntries.map((entry) => entry.passedArgument),
  ].join(', ');
  return {
    text: `change${index}: ${mutation}(${passedArguments}) { ${selection} ${draftSelection} ${USER_ERRORS_SELECTION} }`,
    declarations: argumentEntries.map(({ declaration }) => declaration),
    values: Object.fromEntries(argumentEntries.map(({ variable, value }) => [variable, value])),
  };
}

function toDraftUserErrors(
  { toClientField, errorConverters = {}, findPayloadError }: DraftMutation,
  payload: MutationPayload,
): OperationError[] {
  const userErrors = payload.userErrors.map(({ field, message, code }) => {
    const fieldAndMessage = { field: toClientField(field ?? []), message };
    return errorConverters[code ?? '']?.(fieldAndMessage) ?? toServiceUserError({ ...fieldAndMessage, code });
  });
  if (userErrors.length > 0) return userErrors;
  const payloadError = findPayloadError?.(payload);
  return payloadError === undefined ? [] : [payloadError];
}

/**
 * Sends a request that changes only the draft. Converts a lost response to PLATFORM_UNAVAILABLE, because nothing
 * takes effect before the commit.
 */
async function convertLostResponse<Response>(sendRequest: () => Promise<Response>): Promise<Response> {
  try {
    return await sendRequest();
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    throw new ServiceError('PLATFORM_UNAVAILABLE', { internal: error.message, retryAfterSeconds: 2 });
  }
}

function requireMutationPayload(payload: unknown, errors: readonly PlatformError[]): MutationPayload {
  if (!payload) throw failedReadError('a step of a draft has no payload', errors);
  return payload as MutationPayload;
}
