/**
 * Runs a mutation that the platform makes. If the timeline records it, its state is read first; then it is sent between its
 * intents and their settlement, once for each idempotency key, and a charge once for the key of its attempt.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { type AdminResponse, isPlatformFailure } from '../../lib/platform/admin-api/admin-response.ts';
import { classifyReturnedAttempt } from '../../lib/subscriptions/charge/classify-returned-attempt.ts';
import { keyUsedByOtherChargeError } from '../../lib/subscriptions/charge/find-charge-error.ts';
import { isDerivedKeyOfOtherOrder } from '../../lib/subscriptions/charge/find-existing-attempt.ts';
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import { removeTimedPause } from '../../lib/subscriptions/pause/remove-timed-pause.ts';
import { createTimedPauseRepository } from '../../lib/subscriptions/pause/timed-pauses.ts';
import type { UserErrorEntry } from '../../lib/subscriptions/refusal-messages.ts';
import { contractNumberOfGid, type EventRecord } from '../../lib/timeline/event-record.ts';
import { type ChangeIntent, type DecidedChange, decideAndRunChange } from '../../lib/timeline/run-change.ts';
import { readMutationOutcome } from '../compile/outcome-selection.ts';
import { buildPriorStateVariables, PRIOR_STATE_NOT_READ, readPriorState } from '../compile/prior-state.ts';
import { PAYLOAD_EVENT_KEY } from '../compile/selection/field-treatment.ts';
import { assemblePayload } from '../compile/service-payload.ts';
import type { Variables } from '../plan/client-document.ts';
import type {
  AdditionLimit,
  ForwardedChange,
  MutationArguments,
  ObservedContract,
  ObservedContractOwner,
  PriorState,
} from '../plan/forwarded-change.ts';
import type { MutationResponse, MutationRun } from '../plan/mutation-run.ts';
import type { CompiledMutation } from '../plan/plan.ts';
import type { RunContext } from '../plan/run-context.ts';
import { localizeRefusals } from '../response/localize-refusals.ts';
import { type ChangeResponse, createChangeDeps } from './change-origin.ts';
import { findLongInputErrors } from './check-mutation-roots.ts';
import {
  decideForwarded,
  type ForwardedChangeInput,
  type ForwardedResponse,
  type SendForwarded,
} from './decide-forwarded.ts';
import { runExclusively } from './run-exclusively.ts';
import { sendUpstream } from './send-upstream.ts';
import { sendWithCooldown } from './send-with-cooldown.ts';
import { mutationArgumentsOf } from './start-root.ts';

/**
 * Sends the mutation, and returns the platform's response, or the refusal in the language of the request.
 * @throws OUTCOME_UNKNOWN when the response does not show whether the mutation was made
 * @throws the errors of `decideAndRunChange` and of the platform's client
 */
export async function runForwarded(
  run: MutationRun,
  mutation: CompiledMutation,
  internalVariables: Variables,
): Promise<ChangeResponse> {
  const { root, upstream, forwarded } = mutation;
  if (upstream === undefined) throw new Error(`nothing is sent for ${root.name}`);
  const request = {
    planId: `${run.plan.id} ${root.key}`,
    upstream,
    variables: run.variables,
    internalVariables: { ...internalVariables, ...buildRunVariables(mutation) },
    mutates: true,
  };
  const sendMutation = async () => requireKnownOutcome(await sendUpstream(run.context, request), root.key);
  const forwardedResponse: ForwardedResponse = await (forwarded
    ? sendRecordedMutation(run, { mutation, ...forwarded }, sendMutation)
    : sendMutation());
  const { outcome, response } = readMutationOutcome(forwardedResponse, root.key);
  // The platform's own messages are for merchants only.
  const payloadErrors = run.context.isMerchant ? undefined : response?.userErrors;
  const { userErrors = response?.userErrors ?? [] } = forwardedResponse;
  return {
    ...(payloadErrors ? await buildRefusalResponse(run, mutation, payloadErrors) : forwardedResponse),
    userErrors,
    outcome,
  };
}

function buildRunVariables({ root }: CompiledMutation): Record<string, boolean> {
  return Object.fromEntries(root.runVariables.map(({ variable }) => [variable, true]));
}

/**
 * Returns the response.
 * @throws OUTCOME_UNKNOWN when the platform failed at the mutation itself
 */
function requireKnownOutcome(platformResponse: AdminResponse, key: string): AdminResponse {
  const rootError = platformResponse.errors.find(({ path }) => path?.length === 1 && path[0] === key);
  const hasChangeFailed =
    rootError !== undefined && (isPlatformFailure(rootError) || rootError.extensions?.code === undefined);
  if ((platformResponse.data?.[key] ?? null) !== null || !hasChangeFailed) return platformResponse;
  throw new ServiceError('OUTCOME_UNKNOWN', {
    internal: `the platform failed at ${key}: ${rootError.message}`,
  });
}

type RecordedMutation = NonNullable<CompiledMutation['forwarded']> & { readonly mutation: CompiledMutation };

/** Sends a change that the timeline records. A customer's change with a limit is sent while no other request makes one. */
async function sendRecordedMutation(
  run: MutationRun,
  recordedMutation: RecordedMutation,
  send: SendForwarded,
): Promise<ForwardedResponse> {
  const { isMerchant, identity } = run.context;
  const { change, mutation } = recordedMutation;
  const { name, key } = mutation.root;
  const args = mutationArgumentsOf(run, mutation);
  const [longInputError] = isMerchant ? [] : findLongInputErrors(args);
  const requestError = longInputError ?? (await change.readRefusal?.(run.context));
  if (requestError !== undefined) return buildRefusalResponse(run, mutation, [requestError]);
  const { limit } = change;
  if (limit === undefined || identity.actingCustomerId === undefined)
    return sendAfterReadingState(run, { ...recordedMutation, args }, send);
  const customerId = String(identity.actingCustomerId);
  return runExclusively(run.context, { action: name, key, subject: customerId }, () =>
    sendAfterReadingState(run, { ...recordedMutation, args, limit }, send),
  );
}

type StateDependentMutation = RecordedMutation & {
  readonly args: MutationArguments;
  readonly limit?: AdditionLimit;
};

/** Sends the change. Its state was read with the ownership check, or is read now. */
async function sendAfterReadingState(
  run: MutationRun,
  { args, limit, ...recorded }: StateDependentMutation,
  send: SendForwarded,
): Promise<ForwardedResponse> {
  const { context } = run;
  const { change, mutation } = recorded;
  const { name, key } = mutation.root;
  // The ownership check was sent after the request had started.
  const readAtMs = run.priorState === undefined ? context.now() : run.startedAtMs;
  const priorState = run.priorState ?? (await readCurrentState(run, recorded, args));
  const refuseWith = (error: OperationError) => buildRefusalResponse(run, mutation, [error]);
  if (limit !== undefined && isMaximumReached(limit, priorState)) return refuseWith(limit.refusal);
  const sendOnce = change.makesAttempt
    ? () =>
        sendChargeOnce(
          context,
          { change, key, priorState, args },
          { send, refuse: refuseWith, readState: () => readCurrentState(run, recorded, args) },
        )
    : send;
  const decidedChange = decideForwarded(change, { key, priorState, args }, sendOnce);
  const makeChange = async () =>
    addEntryToPayload(await makeChangeAndEndPauses(context, decidedChange, readAtMs), key);
  const { cooldown, id } = change;
  if (cooldown === undefined) return makeChange();
  const subject = (priorState.subject as { readonly id: string } | null)?.id ?? String(id?.(args));
  const responseOrRefusal = await sendWithCooldown(
    context,
    { cooldown, action: name, key, subject },
    makeChange,
  );
  return 'refusal' in responseOrRefusal ? refuseWith(responseOrRefusal.refusal) : responseOrRefusal;
}

function isMaximumReached({ maximum }: AdditionLimit, { subject }: PriorState): boolean {
  const contractOwner = subject as ObservedContractOwner | null;
  return (contractOwner?.addressesV2?.nodes.length ?? 0) >= maximum;
}

async function readCurrentState(
  { context, plan }: MutationRun,
  { priorStateQuery, change, mutation: { root } }: RecordedMutation,
  args: Variables,
): Promise<PriorState> {
  if (priorStateQuery === undefined) return PRIOR_STATE_NOT_READ;
  const platformResponse = await sendUpstream(context, {
    planId: `${plan.id} ${root.key} look`,
    upstream: priorStateQuery,
    variables: {},
    internalVariables: buildPriorStateVariables(change, args),
    mutates: false,
  });
  return readPriorState(platformResponse);
}

type ChangedResponse = ForwardedResponse & { readonly entry?: EventRecord | undefined };

/** Adds the timeline entry to the payload, in place of the platform's value of this key. */
function addEntryToPayload({ entry, ...changedResponse }: ChangedResponse, key: string): ForwardedResponse {
  const payload = changedResponse.data?.[key] as Variables | null | undefined;
  if (!payload || !Object.hasOwn(payload, PAYLOAD_EVENT_KEY)) return changedResponse;
  return {
    ...changedResponse,
    data: { ...changedResponse.data, [key]: { ...payload, [PAYLOAD_EVENT_KEY]: entry } },
  };
}

/** Makes the change, and ends the timed pauses of contracts that are no longer paused: they must not be resumed later. */
async function makeChangeAndEndPauses(
  context: RunContext,
  decided: DecidedChange<ForwardedResponse>,
  readAtMs: number,
): Promise<ChangedResponse> {
  const changeStartedAtMs = context.now();
  const changeResult = await decideAndRunChange(createChangeDeps(context, readAtMs), async () => decided);
  if (changeResult.isRecorded) await removeEndedPauses(context, decided.intents, changeStartedAtMs);
  return changeResult;
}

async function removeEndedPauses(
  { table, now, store }: RunContext,
  intents: readonly ChangeIntent[],
  changeStartedAtMs: number,
): Promise<void> {
  const timedPauses = createTimedPauseRepository({ table, now });
  for (const { contractId, changes } of intents) {
    const statusChange = changes.find(({ field }) => field === 'status');
    const contractNumber = contractId === null ? undefined : contractNumberOfGid(contractId);
    if (statusChange?.before !== 'PAUSED' || contractNumber === undefined) continue;
    await removeTimedPause(
      { timedPauses },
      { shopId: store.shopId, contractNumber, beganAtMs: changeStartedAtMs },
    );
  }
}

type ChargeToSend = ForwardedChangeInput & { readonly change: Pick<ForwardedChange, 'readAttemptRefusal'> };
type ChargeSteps = {
  readonly send: SendForwarded;
  readonly refuse: (error: OperationError) => Promise<ForwardedResponse>;
  readonly readState: () => Promise<PriorState>;
};

/**
 * Returns the response of `send`, or that of `refuse` if the key belongs to another charge, or the order may have no other
 * attempt now. The platform runs each key of an attempt once, for any contract and cycle, and would return the other
 * charge's attempt.
 */
async function sendChargeOnce(
  context: RunContext,
  { change, key, priorState, args }: ChargeToSend,
  { send, refuse, readState }: ChargeSteps,
): Promise<ForwardedResponse> {
  const contract = priorState.subject as ObservedContract | null;
  const { idempotencyKey, originTime = null } = args.subscriptionBillingAttemptInput;
  const hasAttemptWithKey = (contractOrCycle: Pick<ObservedContract, 'billingAttempts'> | null) =>
    contractOrCycle?.billingAttempts?.nodes.some((one) => one.idempotencyKey === idempotencyKey) === true;
  const usedKeyError = keyUsedByOtherChargeError(['subscriptionBillingAttemptInput', 'idempotencyKey']);
  const isKeyUsedByOtherCycle =
    priorState.cycle !== null && hasAttemptWithKey(contract) && !hasAttemptWithKey(priorState.cycle);
  const isKeyOfOtherOrder =
    contract !== null && isDerivedKeyOfOtherOrder(idempotencyKey, contract, priorState.cycle);
  if (isKeyUsedByOtherCycle || isKeyOfOtherOrder) return refuse(usedKeyError);
  // A retry returns the attempt that it has made before.
  const wasAttemptMadeBefore = hasAttemptWithKey(priorState.cycle ?? contract);
  if (contract !== null && !wasAttemptMadeBefore) {
    const order = { contractId: contract.id, cycleIndex: priorState.cycle?.cycleIndex };
    const attemptRefusal = await change.readAttemptRefusal?.(context, order);
    if (attemptRefusal !== undefined) return refuse(attemptRefusal);
  }
  const sentAtMs = context.now();
  const forwardedResponse = await send();
  const { attempt } = readMutationOutcome(forwardedResponse, key);
  if (!attempt || contract === null || wasAttemptMadeBefore) return forwardedResponse;
  // The platform chooses the order when the request names none.
  if (priorState.cycle === null)
    return attempt.subscriptionContract.id === contract.id ? forwardedResponse : refuse(usedKeyError);
  const requestedAttempt = { contractId: contract.id, originTime, sentAtMs, attemptsBefore: [] };
  const attemptOwner = classifyReturnedAttempt(attempt, requestedAttempt);
  if (attemptOwner === 'other') return refuse(usedKeyError);
  if (attemptOwner === 'own' || hasAttemptWithKey((await readState()).cycle)) return forwardedResponse;
  throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the attempt may be of another cycle' });
}

/** Returns the response of a mutation that the service refuses: the user errors in the language of the request. */
async function buildRefusalResponse(
  { context, variables }: MutationRun,
  { forwarded, root }: CompiledMutation,
  userErrors: readonly UserErrorEntry[],
): Promise<MutationResponse> {
  if (forwarded?.refusalPayload === undefined) throw new Error(`nobody refuses ${root.name}`);
  const response = await localizeRefusals({ userErrors }, context);
  const payload = assemblePayload(forwarded.refusalPayload, { selectedFields: null, ...response }, variables);
  return { data: { [root.key]: payload }, errors: [], cost: undefined, userErrors };
}
