/**
 * Runs a mutation's roots one after another, each as its own request. While a customer is acting, one request checks
 * the ownership of all roots before; if one check fails, no root runs.
 */
import type { ErrorCode } from '../../lib/errors/catalogue.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { PlatformCost } from '../../lib/platform/admin-api/admin-response.ts';
import { selectStoredFields } from '../../lib/storage/idempotency-record.ts';
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import { createRefusedOutcome, type OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import { type ApplyChangeResult, decideAndRunChange } from '../../lib/timeline/run-change.ts';
import { areConditionsMet } from '../compile/selection/flatten-selection.ts';
import { assemblePayload, bindChangedObjectsSelection } from '../compile/service-payload.ts';
import type { Variables } from '../plan/client-document.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';
import type { MutationResponse, MutationRun, RunningMutation } from '../plan/mutation-run.ts';
import type { CompiledMutation } from '../plan/plan.ts';
import type { ResultError } from '../plan/result-error.ts';
import type { RunContext } from '../plan/run-context.ts';
import { buildResponse, createCostCollectingSend, sumCosts } from '../response/build-response.ts';
import { createFieldError, type GraphqlResult, toFieldError } from '../response/graphql-result.ts';
import { localizeRefusals } from '../response/localize-refusals.ts';
import { createChangeResponseTooLargeError } from '../response/response-size.ts';
import {
  type ChangeResponse,
  createChangeIdempotencyKey,
  runLoggedStoreChange,
  toChangeOrigin,
} from './change-origin.ts';
import { checkMutationRoots, findLongInputErrors, findUnknownDayErrors } from './check-mutation-roots.ts';
import { fillServiceFields } from './fill-service-fields.ts';
import { runForwarded } from './run-forwarded.ts';
import { selectUpstreamVariables } from './send-upstream.ts';
import { evaluateRootArguments, mutationArgumentsOf } from './start-root.ts';

type MutationRequest = Pick<MutationRun, 'plan' | 'variables' | 'loadFindReplay'>;

/** The value of one root under its response key, and its errors. */
type MutationRootResult = {
  readonly key: string;
  readonly value: unknown;
  readonly errors: readonly ResultError[];
};

/**
 * Runs the plan with the client's coerced variables.
 * @throws ServiceError when nothing was run
 */
export async function runMutation(
  context: RunContext,
  { plan, variables, loadFindReplay }: MutationRequest,
): Promise<GraphqlResult> {
  const platformCosts: PlatformCost[] = [];
  const mutationRun: MutationRun = {
    context: { ...context, send: createCostCollectingSend(context.send, platformCosts), isAfterChange: true },
    plan,
    variables,
    loadFindReplay,
    startedAtMs: context.now(),
    priorState: undefined,
  };
  const runningMutations = plan.mutations
    .filter(({ root }) => root.when.some((one) => areConditionsMet(one, variables)))
    .map((mutation) => {
      mutation.idempotency?.readKey(variables);
      return { mutation, evaluation: evaluateRootArguments(mutation.root, variables, context.identity) };
    });
  for (const { mutation } of runningMutations) rejectDryRunWithIdempotencyKey(mutationRun, mutation);
  const { refusals, priorState } = await checkMutationRoots(mutationRun, runningMutations);
  const rootResults = refusals.some((code) => code !== undefined)
    ? runningMutations.map(({ mutation }, index) =>
        createRefusedRootResult(mutation, refusals[index] ?? 'NOT_RUN'),
      )
    : await runRootsSequentially({ ...mutationRun, priorState }, runningMutations);
  const data = Object.fromEntries(rootResults.map(({ key, value }) => [key, value]));
  const errors = rootResults.flatMap((one) => one.errors);
  const isAnyRootForbidden = errors.some(({ extensions }) => extensions?.code === 'FORBIDDEN');
  const cost = context.isMerchant && !isAnyRootForbidden ? sumCosts(platformCosts) : undefined;
  return { data, ...(errors.length > 0 && { errors }), ...(cost && { extensions: { cost } }) };
}

/** Whether a mutation only previews its change. */
function isDryRun(run: MutationRun, mutation: CompiledMutation): boolean {
  return mutation.serviceMutation !== undefined && mutationArgumentsOf(run, mutation).dryRun === true;
}

/** Refuses a preview with an idempotency key: the preview would be stored as the response of the change. */
function rejectDryRunWithIdempotencyKey(run: MutationRun, mutation: CompiledMutation): void {
  if (mutation.idempotency === undefined || !isDryRun(run, mutation)) return;
  const message = `"${mutation.root.name}" takes no @idempotent with "dryRun": it changes nothing, so send it again without a key.`;
  throw new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

async function runRootsSequentially(
  run: MutationRun,
  running: readonly RunningMutation[],
): Promise<MutationRootResult[]> {
  const rootResults: MutationRootResult[] = [];
  let isSequenceStopped = false;
  for (const [rootIndex, runningMutation] of running.entries()) {
    if (isSequenceStopped) {
      rootResults.push(createRefusedRootResult(runningMutation.mutation, 'NOT_RUN'));
      continue;
    }
    try {
      rootResults.push(await runWithIdempotencyKey(run, runningMutation));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // Nothing has run yet, so the whole request fails with this error. OUTCOME_UNKNOWN has the status 200.
      if (rootIndex === 0 && error.status >= 400) throw error;
      const { key } = runningMutation.mutation.root;
      rootResults.push({ key, value: null, errors: [toFieldError(error, [key], run.context.isMerchant)] });
      isSequenceStopped = true;
    }
  }
  return rootResults;
}

/** Runs a mutation with an idempotency key once. The code for it is loaded with the first such mutation. */
async function runWithIdempotencyKey(
  run: MutationRun,
  runningMutation: RunningMutation,
): Promise<MutationRootResult> {
  const { mutation } = runningMutation;
  if (mutation.idempotency === undefined)
    return buildRootResult(run, mutation, await runMutationRoot(run, runningMutation));
  const findReplay = await run.loadFindReplay();
  const storedReplay = await findReplay(run, runningMutation);
  if (storedReplay.kind === 'replay') return buildRootResult(run, mutation, storedReplay.response);
  const keyedContext = { ...run.context, idempotentRequest: storedReplay.key };
  const changeResponse = await runMutationRoot({ ...run, context: keyedContext }, runningMutation);
  // A concurrent request with the same key can have made this change after the first read. Then the client gets that
  // request's response.
  const latestReplay =
    changeResponse.outcome === 'refused' ? await findReplay(run, runningMutation) : storedReplay;
  return buildRootResult(
    run,
    mutation,
    latestReplay.kind === 'replay' ? latestReplay.response : changeResponse,
  );
}

async function runMutationRoot(run: MutationRun, runningMutation: RunningMutation): Promise<ChangeResponse> {
  const { serviceMutation, upstream } = runningMutation.mutation;
  if (serviceMutation === undefined && upstream === undefined)
    return { data: {}, errors: [], cost: undefined, userErrors: [], outcome: 'done' };
  if (isDryRun(run, runningMutation.mutation)) return performChange(run, runningMutation);
  return runLoggedStoreChange(run.context, runningMutation, () => performChange(run, runningMutation));
}

async function performChange(
  run: MutationRun,
  { mutation, evaluation }: RunningMutation,
): Promise<ChangeResponse> {
  const internalVariables = Object.fromEntries(evaluation.values);
  return mutation.serviceMutation === undefined
    ? runForwarded(run, mutation, internalVariables)
    : runServiceMutation(run, mutation, internalVariables);
}

async function runServiceMutation(
  run: MutationRun,
  mutation: CompiledMutation,
  internalVariables: Variables,
): Promise<ChangeResponse> {
  const { serviceMutation, root } = mutation;
  if (serviceMutation === undefined) throw new Error(`nobody does ${root.name}`);
  const { context, variables } = run;
  const upstreamVariables = selectUpstreamVariables(context, serviceMutation.payload.upstream, {
    variables,
    internalVariables,
  });
  const changedObjectsSelection = bindChangedObjectsSelection(
    serviceMutation.payload,
    variables,
    upstreamVariables,
  );
  const request = { args: mutationArgumentsOf(run, mutation), selection: changedObjectsSelection };
  const inputErrors = [
    ...findLongInputErrors(request.args),
    ...findUnknownDayErrors(root.name, request.args),
  ];
  const operationOutcome =
    inputErrors.length > 0
      ? createRefusedOutcome(inputErrors)
      : await performServiceMutation(run, serviceMutation.mutation, request);
  const { selectedFields, userErrors, locals, entry } = operationOutcome;
  const localizedRefusals = await localizeRefusals({ userErrors, ...(locals && { locals }) }, context);
  const payload = assemblePayload(
    serviceMutation.payload,
    { selectedFields, entry, ...localizedRefusals },
    variables,
  );
  const errors = operationOutcome.errors.map((error) => ({
    ...error,
    path: [root.key, ...(error.path ?? [])],
  }));
  const rootResponse = { data: { [root.key]: payload }, errors, cost: undefined, userErrors };
  return { ...rootResponse, outcome: userErrors.length > 0 ? 'refused' : 'done' };
}

/** Performs the mutation, and stores its outcome for retries with the same key unless a timeline entry has it. */
async function performServiceMutation(
  { context }: MutationRun,
  { recordsChanges, storesOutcome, idempotency, perform: performMutation }: ServiceMutationRecord,
  request: OperationRequest,
): Promise<OperationOutcome> {
  if (storesOutcome) return performMutation(context, request);
  const key = createChangeIdempotencyKey(context);
  const replayOf = ({ locals = {}, returnedObjectIds = {} }: OperationOutcome) => ({
    locals: selectStoredFields(locals, idempotency.storedFields),
    ids: returnedObjectIds,
  });
  if (recordsChanges) {
    const outcome = await performMutation(context, request);
    const isUnchanged = outcome.userErrors.length === 0 && !outcome.isRecorded;
    if (key !== undefined && isUnchanged)
      await key.records.storeUnchanged(key.claimableKey, replayOf(outcome));
    return outcome;
  }
  const applyOperation = async (): Promise<ApplyChangeResult<OperationOutcome>> => {
    const outcome = await performMutation(context, request);
    if (outcome.userErrors.length > 0) return { result: outcome, effect: 'refused' };
    return { result: outcome, effect: 'done', retryResponse: replayOf(outcome) };
  };
  const beginChange = context.timeline.begin(toChangeOrigin(context, context.now()));
  return decideAndRunChange({ begin: beginChange, key }, async () => ({
    intents: [],
    claim: 'repeatable',
    apply: applyOperation,
  }));
}

async function buildRootResult(
  { variables, context }: MutationRun,
  { root }: CompiledMutation,
  mutationResponse: MutationResponse,
): Promise<MutationRootResult> {
  if (mutationResponse.userErrors.length > 0) context.recordUserErrors(mutationResponse.userErrors);
  const { data, errors = [] } = await buildResponse(context, {
    roots: [{ root, outcome: undefined }],
    platformResponse: mutationResponse,
    variables,
    fillServiceFields: (walks) => fillServiceFields(context, walks),
  }).catch(rethrowAsSentChange);
  return { key: root.key, value: data?.[root.key] ?? null, errors };
}

/** Converts QUERY_TOO_COMPLEX after the change was sent: the error must not deny that the change was made. */
function rethrowAsSentChange(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'QUERY_TOO_COMPLEX'
    ? createChangeResponseTooLargeError()
    : error;
}

/** Returns null for a root that was refused. Every field of `Mutation` is nullable in both schemas. */
function createRefusedRootResult({ root }: CompiledMutation, code: ErrorCode): MutationRootResult {
  return { key: root.key, value: null, errors: [createFieldError(code, [root.key])] };
}
