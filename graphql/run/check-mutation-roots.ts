/**
 * Decides which of a mutation's roots may run. One request checks the ownership of all roots before the first one runs; it
 * also reads the state that a single mutation needs. Texts and lists in the arguments of the service's own mutations have
 * maximum lengths, because intents and timeline entries store the input, and storage costs by size.
 */
import { hasDayForm, isIsoDay } from '../../lib/domain/time-zone.ts';
import type { ErrorCode } from '../../lib/errors/catalogue.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { message } from '../../lib/messages/message.ts';
import { failedReadError } from '../../lib/platform/admin-api/missing-access.ts';
import { createUserError, type OperationError } from '../../lib/subscriptions/operation-error.ts';
import { OWNED_NODES_KEY } from '../compile/ownership/write-ownership-query.ts';
import { buildPriorStateVariables, readPriorState } from '../compile/prior-state.ts';
import type { MutationRun, RunningMutation } from '../plan/mutation-run.ts';
import type { IdsToCheck } from '../plan/root-handler.ts';
import { acceptsDayOnly } from '../schema/field-policy.ts';
import { logChangeByStore } from './change-origin.ts';
import { sendUpstream } from './send-upstream.ts';
import { mutationArgumentsOf } from './start-root.ts';
import { buildOwnershipVariables, findOwnershipRefusal } from './verify-ownership.ts';

/** The refusals of the roots, in their order. Undefined for a root that may run. */
type RootRefusals = {
  readonly refusals: readonly (ErrorCode | undefined)[];
  /** The state that a single mutation needs, if it was read with the ownership check. */
  readonly priorState: MutationRun['priorState'];
};

/** Checks whether the roots may run. */
export async function checkMutationRoots(
  run: MutationRun,
  running: readonly RunningMutation[],
): Promise<RootRefusals> {
  const { identity } = run.context;
  const actsForCustomer = identity.actingCustomerId !== undefined;
  const knownErrorCodes = running.map(({ mutation, evaluation }): ErrorCode | undefined => {
    if (mutation.isActingCustomerRequired && !actsForCustomer) return 'CUSTOMER_REQUIRED';
    return evaluation.refusal;
  });
  if (knownErrorCodes.some((code) => code !== undefined))
    return { refusals: knownErrorCodes, priorState: undefined };
  const serviceTokenDeletions = running.filter((one) => deletesServiceStorefrontToken(run, one));
  if (serviceTokenDeletions.length > 0) {
    for (const one of serviceTokenDeletions) logChangeByStore(run.context, one, 'refused');
    throw new ServiceError('FORBIDDEN', SERVICE_TOKEN_DELETION_MESSAGES);
  }
  // A single mutation of the service's own checks the ownership in the request that reads its state.
  if (running.length === 1 && running[0]?.mutation.serviceMutation !== undefined) {
    return { refusals: knownErrorCodes, priorState: undefined };
  }
  return checkOwnership(run, running);
}

const SERVICE_TOKEN_DELETION_MESSAGES = {
  message:
    "This storefront token is the service's own: customers' apps show the catalogue with it. It stays.",
};

/**
 * Whether the mutation deletes the service's storefront token of the store, with which every customer's app reads the
 * catalogue.
 */
function deletesServiceStorefrontToken(
  { context: { store } }: MutationRun,
  { mutation, evaluation }: RunningMutation,
): boolean {
  const { storefrontTokenId: serviceTokenId } = store;
  const deletesStorefrontToken = mutation.root.name === 'storefrontAccessTokenDelete';
  return deletesStorefrontToken && serviceTokenId !== undefined && evaluation.ids.includes(serviceTokenId);
}

/** Sends the ownership query of all roots, which also reads the state that a single mutation needs. */
async function checkOwnership(run: MutationRun, running: readonly RunningMutation[]): Promise<RootRefusals> {
  const { context, plan, variables } = run;
  const { identity } = context;
  const idsToCheck = running.map(({ evaluation }): IdsToCheck => evaluation.idsToCheck);
  const ownershipVariables = buildOwnershipVariables(idsToCheck);
  const actsForCustomer = identity.actingCustomerId !== undefined;
  const isOwnershipCheckNeeded =
    actsForCustomer &&
    idsToCheck.some(
      ({ nodes, addresses, contents }) => nodes.length + addresses.length + contents.length > 0,
    );
  const onlyMutation = plan.mutations.length === 1 ? running[0]?.mutation : undefined;
  const priorStateVariables =
    onlyMutation?.forwarded?.priorStateQuery &&
    onlyMutation.forwarded.change.limit === undefined &&
    buildPriorStateVariables(onlyMutation.forwarded.change, mutationArgumentsOf(run, onlyMutation));
  if (plan.ownershipQuery === undefined || !(isOwnershipCheckNeeded || priorStateVariables)) {
    return { refusals: running.map(() => undefined), priorState: undefined };
  }
  const platformResponse = await sendUpstream(context, {
    planId: `${plan.id} proof`,
    upstream: plan.ownershipQuery,
    variables,
    internalVariables: { ...ownershipVariables, ...priorStateVariables },
    mutates: false,
  });
  const { data, errors } = platformResponse;
  if (data === null) throw failedReadError('no proof', errors);
  const ownershipEvidence = {
    data,
    errors,
    ids: ownershipVariables[OWNED_NODES_KEY] as readonly string[],
    identity,
  };
  const ownershipRefusals = idsToCheck.map((one) =>
    actsForCustomer ? findOwnershipRefusal(one, ownershipEvidence) : undefined,
  );
  const errorCodes = ownershipRefusals.map((refusal) => (refusal === 'forbidden' ? 'FORBIDDEN' : undefined));
  // If no root is refused, but an ownership check has no result, the whole request fails.
  if (!errorCodes.includes('FORBIDDEN') && ownershipRefusals.some((refusal) => refusal !== undefined))
    throw failedReadError('no proof', errors);
  const mayReadPriorState = Boolean(priorStateVariables) && !errorCodes.includes('FORBIDDEN');
  return {
    refusals: errorCodes,
    priorState: mayReadPriorState ? readPriorState(platformResponse) : undefined,
  };
}

/** The maximum number of characters of a text, by the name of its argument or input field. */
const MAX_LENGTH_BY_FIELD: Readonly<Record<string, number>> = {
  comment: 1_000,
  instructions: 1_000,
  // The platform's limit of notes.
  note: 5_000,
  reason: 1_000,
  // The URL of a webhook endpoint: the same limit as in lib/webhooks/guard-address.ts.
  url: 2_048,
  value: 1_000,
};
const DEFAULT_MAX_LENGTH = 255;
const MAX_LIST_ITEMS = 100;

/**
 * Returns INVALID for each text and each list that is too long. Ids count as texts. `args` are the client's arguments
 * after coercion.
 */
export function findLongInputErrors(args: Readonly<Record<string, unknown>>): OperationError[] {
  return Object.entries(args).flatMap(([name, value]) => findValueErrors(value, [name], name));
}

/**
 * Returns INVALID for each day that the calendar does not have, such as 30 February. `args` are the client's arguments after
 * coercion.
 */
export function findUnknownDayErrors(
  mutationName: string,
  args: Readonly<Record<string, unknown>>,
): OperationError[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !hasDayForm(value) || isIsoDay(value)) return [];
    if (!acceptsDayOnly('Mutation', mutationName, name)) return [];
    return [createUserError('INVALID', { field: [name], message: message('dayUnknown') })];
  });
}

function findValueErrors(value: unknown, path: readonly string[], name: string): OperationError[] {
  if (typeof value === 'string')
    return findTextErrors(value, path, MAX_LENGTH_BY_FIELD[name] ?? DEFAULT_MAX_LENGTH);
  if (Array.isArray(value)) {
    const { length } = value;
    if (length > MAX_LIST_ITEMS) {
      const fieldAndMessage = { field: path, message: message('listTooLong', { most: MAX_LIST_ITEMS }) };
      return [createUserError('INVALID', fieldAndMessage, { limit: MAX_LIST_ITEMS, actual: length })];
    }
    return value.flatMap((item, index) => findValueErrors(item, [...path, `${index}`], name));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => findValueErrors(inner, [...path, key], key));
}

function findTextErrors(text: string, path: readonly string[], maxLength: number): OperationError[] {
  if (text.length <= maxLength) return [];
  const fieldAndMessage = { field: path, message: message('textTooLong', { most: maxLength }) };
  return [createUserError('INVALID', fieldAndMessage, { limit: maxLength, actual: text.length })];
}
