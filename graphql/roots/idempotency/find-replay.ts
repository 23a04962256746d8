/**
 * Answers the retry of a mutation with an idempotency key (`@idempotent`): with the outcome of the first request, and
 * the current state in the client's selection. If the first request changed nothing, the mutation runs.
 */
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { concurrentIdempotentRequestError } from '../../../lib/timeline/idempotency-records.ts';
import { assemblePayload, bindChangedObjectsSelection } from '../../compile/service-payload.ts';
import type { FindReplay, MutationResponse, MutationRun, RunningMutation } from '../../plan/mutation-run.ts';
import { localizeRefusals } from '../../response/localize-refusals.ts';
import { selectUpstreamVariables } from '../../run/send-upstream.ts';
import { mutationArgumentsOf } from '../../run/start-root.ts';
import { type FirstRequestOutcome, readRetryPayload } from './read-retry-payload.ts';
import { settleFirstRequest } from './settle-first-request.ts';
import { toIdempotentRequest } from './to-idempotent-request.ts';

/**
 * Finds the response of a retry.
 * @returns kind `free` when the first request changed nothing: the mutation is to be run, and may claim the key
 * @throws IDEMPOTENCY_CONCURRENT_REQUEST, IDEMPOTENCY_KEY_PARAMETER_MISMATCH, OUTCOME_UNKNOWN, and the errors of a read
 */
export const findReplay: FindReplay = async (run, runningMutation) => {
  const { mutation } = runningMutation;
  const { context, variables } = run;
  if (mutation.idempotency === undefined) throw new Error(`${mutation.root.name} has no key`);
  const key = mutation.idempotency.readKey(variables);
  const args = mutationArgumentsOf(run, mutation);
  const { name: mutationField } = mutation.root;
  const { storedFields = [], isPerSession = false } = mutation.serviceMutation?.mutation.idempotency ?? {};
  const request = toIdempotentRequest(context, {
    mutationName: mutationField,
    key,
    args,
    storedFields,
    isPerSession,
  });
  const firstRequest = await settleFirstRequest(context, request);
  switch (firstRequest.kind) {
    case 'other arguments':
      throw new ServiceError('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
    case 'running':
      throw concurrentIdempotentRequestError(firstRequest.retryAfterSeconds);
    case 'open':
      throw concurrentIdempotentRequestError(OPEN_INTENT_RETRY_AFTER_SECONDS);
    case 'unknown':
      throw new ServiceError('OUTCOME_UNKNOWN', {
        internal: 'nobody can tell what came of the first request',
      });
    case 'ended':
      return {
        kind: 'replay',
        response: await buildRetryResponse(run, runningMutation, { ...firstRequest, args }),
      };
    default:
      return { kind: 'free', key: firstRequest.key };
  }
};

const OPEN_INTENT_RETRY_AFTER_SECONDS = 2;

async function buildRetryResponse(
  { context, variables }: MutationRun,
  { mutation, evaluation }: RunningMutation,
  { args, ...firstOutcome }: FirstRequestOutcome & { readonly args: Readonly<Record<string, unknown>> },
): Promise<MutationResponse> {
  const { root, idempotency: compiledIdempotency } = mutation;
  if (compiledIdempotency === undefined) throw new Error(`${root.name} has no key`);
  const { payload } = compiledIdempotency;
  const { userErrors, locals } = await localizeRefusals(firstOutcome.storedResponse, context);
  const hasUserErrors = userErrors.length > 0;
  const internalVariables = Object.fromEntries(evaluation.values);
  const upstreamVariables = selectUpstreamVariables(context, payload.upstream, {
    variables,
    internalVariables,
  });
  const changedObjectsSelection = bindChangedObjectsSelection(payload, variables, upstreamVariables);
  const replayFields = hasUserErrors
    ? { selectedFields: null, errors: [] }
    : await readRetryPayload(context, {
        mutationName: root.name,
        args,
        firstOutcome,
        selection: changedObjectsSelection,
      });
  const payloadValue = assemblePayload(
    payload,
    { selectedFields: replayFields.selectedFields, userErrors, locals, entry: firstOutcome.entry },
    variables,
  );
  const errors = replayFields.errors.map((error) => ({ ...error, path: [root.key, ...(error.path ?? [])] }));
  return { data: { [root.key]: payloadValue }, errors, cost: undefined, userErrors };
}
