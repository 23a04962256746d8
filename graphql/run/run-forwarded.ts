/**
 * Runs a mutation that the platform makes. If the timeline records it, its state is read first; then it is sent between its
 * intents and their settlement, once for each idempotency key, and a charge once for the key of its attempt.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { type AdminAnswer, isPlatformFailure } from '../../lib/platform/admin-api/admin-answer.ts';
import { keyUsedByOtherChargeError } from '../../lib/subscriptions/charge/refuse-charge.ts';
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import { removeTimedPause } from '../../lib/subscriptions/pause/remove-timed-pause.ts';
import { createTimedPauses } from '../../lib/subscriptions/pause/timed-pauses.ts';
import type { TranslatedRefusal } from '../../lib/subscriptions/refusal-messages.ts';
import { contractNumberOf, type EventRecord } from '../../lib/timeline/event-record.ts';
import { type ChangeIntent, type DecidedChange, runDecision } from '../../lib/timeline/run-change.ts';
import { localizeRefusals } from '../answer/localize-refusals.ts';
import { readMutationOutcome } from '../compile/outcome-selection.ts';
import { PRIOR_STATE_NOT_READ, parsePriorState, priorStateVariables } from '../compile/prior-state.ts';
import { PAYLOAD_EVENT_KEY } from '../compile/selection/treat-field.ts';
import { assemblePayload } from '../compile/service-payload.ts';
import type { Variables } from '../plan/client-document.ts';
import type {
  AdditionLimit,
  MutationArguments,
  ObservedContract,
  ObservedContractOwner,
  PriorState,
} from '../plan/forwarded-change.ts';
import type { MutationAnswer, MutationRun } from '../plan/mutation-run.ts';
import type { CompiledMutation } from '../plan/plan.ts';
import type { RunContext } from '../plan/run-context.ts';
import { type ChangeAnswer, toChangeDeps } from './change-origin.ts';
import { refuseLongInput } from './check-mutation-roots.ts';
import {
  decideForwarded,
  type ForwardedAnswer,
  type ObservedInput,
  type SendForwarded,
} from './decide-forwarded.ts';
import { runAlone } from './run-alone.ts';
import { sendUpstream } from './send-upstream.ts';
import { sendWithCooldown } from './send-with-cooldown.ts';
import { readMutationArguments } from './start-root.ts';

/**
 * Sends the mutation, and returns the platform's response, or the refusal in the language of the request.
 * @throws OUTCOME_UNKNOWN when the response does not show whether the mutation was made
 * @throws the errors of `runDecision` and of the platform's client
 */
export async function runForwarded(
  run: MutationRun,
  mutation: CompiledMutation,
  internalVariables: Variables,
): Promise<ChangeAnswer> {
  const { root, upstream, forwarded } = mutation;
  if (upstream === undefined) throw new Error(`nothing is sent for ${root.name}`);
  const request = {
    planId: `${run.plan.id} ${root.key}`,
    upstream,
    variables: run.variables,
    internalVariables: { ...internalVariables, ...runVariables(mutation) },
    mutates: true,
  };
  const send = async () => knownOutcome(await sendUpstream(run.context, request), root.key);
  const answer: ForwardedAnswer = await (forwarded
    ? sendRecordedMutation(run, { mutation, ...forwarded }, send)
    : send());
  const { outcome, response } = readMutationOutcome(answer, root.key);
  // The platform's own messages are for merchants only.
  const refusals = run.context.isMerchant ? undefined : response?.userErrors;
  const { userErrors = response?.userErrors ?? [] } = answer;
  return {
    ...(refusals ? await answerServiceRefusal(run, mutation, refusals) : answer),
    userErrors,
    outcome,
  };
}

function runVariables({ root }: CompiledMutation): Record<string, boolean> {
  return Object.fromEntries(root.run.map(({ variable }) => [variable, true]));
}

/**
 * Returns the response.
 * @throws OUTCOME_UNKNOWN when the platform failed at the mutation itself
 */
function knownOutcome(answer: AdminAnswer, key: string): AdminAnswer {
  const failed = answer.errors.find(({ path }) => path?.length === 1 && path[0] === key);
  const isFailed =
    failed !== undefined && (isPlatformFailure(failed) || failed.extensions?.code === undefined);
  if ((answer.data?.[key] ?? null) !== null || !isFailed) return answer;
  throw new ServiceError('OUTCOME_UNKNOWN', { internal: `the platform failed at ${key}: ${failed.message}` });
}

type RecordedMutation = NonNullable<CompiledMutation['forwarded']> & { readonly mutation: CompiledMutation };

/** Sends a change that the timeline records, in its turn if it has a limit. */
async function sendRecordedMutation(
  run: MutationRun,
  recorded: RecordedMutation,
  send: SendForwarded,
): Promise<ForwardedAnswer> {
  const { isMerchant, identity } = run.context;
  const { change, mutation } = recorded;
  const { name, key } = mutation.root;
  const args = readMutationArguments(run, mutation);
  const [tooLong] = isMerchant ? [] : refuseLongInput(args);
  if (tooLong !== undefined) return answerServiceRefusal(run, mutation, [tooLong]);
  const { limit } = change;
  if (limit === undefined || identity.actingCustomerId === undefined)
    return sendFromState(run, { ...recorded, args }, send);
  const subject = String(identity.actingCustomerId);
  return runAlone(run.context, { action: name, key, subject }, () =>
    sendFromState(run, { ...recorded, args, limit }, send),
  );
}

type FromState = RecordedMutation & { readonly args: MutationArguments; readonly limit?: AdditionLimit };

/** Sends the change. Its state was read with the ownership check, or is read now. */
async function sendFromState(
  run: MutationRun,
  { args, limit, ...recorded }: FromState,
  send: SendForwarded,
): Promise<ForwardedAnswer> {
  const { context } = run;
  const { change, mutation } = recorded;
  const { name, key } = mutation.root;
  // The ownership check was sent after the request had started.
  const readAtMs = run.seen === undefined ? context.now() : run.beganAtMs;
  const seen = run.seen ?? (await readCurrentState(run, recorded, args));
  const refuse = (error: OperationError) => answerServiceRefusal(run, mutation, [error]);
  if (limit !== undefined && isMaximumReached(limit, seen)) return refuse(limit.refusal);
  const sendOnce = change.makesAttempt ? () => chargeOnce({ key, seen, args }, send, refuse) : send;
  const decided = decideForwarded(change, { key, seen, args }, sendOnce);
  const make = async () => withEntry(await makeChange(context, decided, readAtMs), key);
  const { cooldown, id } = change;
  if (cooldown === undefined) return make();
  const subject = (seen.subject as { readonly id: string } | null)?.id ?? String(id?.(args));
  const answer = await sendWithCooldown(context, { cooldown, action: name, key, subject }, make);
  return 'refusal' in answer ? refuse(answer.refusal) : answer;
}

function isMaximumReached({ maximum }: AdditionLimit, { subject }: PriorState): boolean {
  const owner = subject as ObservedContractOwner | null;
  return (owner?.addressesV2?.nodes.length ?? 0) >= maximum;
}

async function readCurrentState(
  { context, plan }: MutationRun,
  { readBefore, change, mutation: { root } }: RecordedMutation,
  args: Variables,
): Promise<PriorState> {
  if (readBefore === undefined) return PRIOR_STATE_NOT_READ;
  const answer = await sendUpstream(context, {
    planId: `${plan.id} ${root.key} look`,
    upstream: readBefore,
    variables: {},
    internalVariables: priorStateVariables(change, args),
    mutates: false,
  });
  return parsePriorState(answer);
}

type ChangedAnswer = ForwardedAnswer & { readonly entry?: EventRecord | undefined };

/** Adds the timeline entry to the payload, in place of the platform's value of this key. */
function withEntry({ entry, ...answer }: ChangedAnswer, key: string): ForwardedAnswer {
  const payload = answer.data?.[key] as Variables | null | undefined;
  if (!payload || !Object.hasOwn(payload, PAYLOAD_EVENT_KEY)) return answer;
  return { ...answer, data: { ...answer.data, [key]: { ...payload, [PAYLOAD_EVENT_KEY]: entry } } };
}

/** Makes the change, and ends the timed pauses of contracts that are no longer paused: they must not be resumed later. */
async function makeChange(
  context: RunContext,
  decided: DecidedChange<ForwardedAnswer>,
  readAtMs: number,
): Promise<ChangedAnswer> {
  const beganAtMs = context.now();
  const answer = await runDecision(toChangeDeps(context, readAtMs), async () => decided);
  if (answer.isRecorded) await endPauses(context, decided.intents, beganAtMs);
  return answer;
}

async function endPauses(
  { table, now, store }: RunContext,
  intents: readonly ChangeIntent[],
  beganAtMs: number,
): Promise<void> {
  const timedPauses = createTimedPauses({ table, now });
  for (const { contractId, changes } of intents) {
    const status = changes.find(({ field }) => field === 'status');
    const contractNumber = contractId === null ? undefined : contractNumberOf(contractId);
    if (status?.before !== 'PAUSED' || contractNumber === undefined) continue;
    await removeTimedPause({ timedPauses }, { shopId: store.shopId, contractNumber, beganAtMs });
  }
}

/**
 * Returns the response of `send`, or that of `refuse` if the key belongs to another charge. The platform runs each key of an
 * attempt once, for any contract and cycle, and would return the other charge's attempt.
 */
async function chargeOnce(
  { key, seen, args }: ObservedInput,
  send: SendForwarded,
  refuse: (error: OperationError) => Promise<ForwardedAnswer>,
): Promise<ForwardedAnswer> {
  const contract = seen.subject as ObservedContract | null;
  const { idempotencyKey } = args.subscriptionBillingAttemptInput;
  const has = (charged: Pick<ObservedContract, 'billingAttempts'> | null) =>
    charged?.billingAttempts?.nodes.some((one) => one.idempotencyKey === idempotencyKey) === true;
  const refusal = keyUsedByOtherChargeError(['subscriptionBillingAttemptInput', 'idempotencyKey']);
  if (seen.cycle !== null && has(contract) && !has(seen.cycle)) return refuse(refusal);
  const answer = await send();
  const { attempt } = readMutationOutcome(answer, key);
  return attempt && attempt.subscriptionContract.id !== contract?.id ? refuse(refusal) : answer;
}

/** Returns the response of a mutation that the service refuses: the user errors in the language of the request. */
async function answerServiceRefusal(
  { context, variables }: MutationRun,
  { forwarded, root }: CompiledMutation,
  userErrors: readonly TranslatedRefusal[],
): Promise<MutationAnswer> {
  if (forwarded?.payload === undefined) throw new Error(`nobody refuses ${root.name}`);
  const response = await localizeRefusals({ userErrors }, context);
  const payload = assemblePayload(forwarded.payload, { answered: null, ...response }, variables);
  return { data: { [root.key]: payload }, errors: [], cost: undefined, userErrors };
}
