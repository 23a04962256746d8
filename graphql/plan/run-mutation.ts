/**
 * Runs a mutation's roots one after another, each as its own request. While a customer is acting all of them are
 * proved first, in one request; if one proof fails, none runs.
 */
import { getArgumentValues } from 'graphql';
import type { ErrorCode } from '../../lib/errors/catalogue.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminAnswer, PlatformCost } from '../../lib/platform/admin-answer.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-client.ts';
import { operationDeps, ownMutation } from '../resolve/own-mutations.ts';
import { adminSchema } from '../schema/schema.ts';
import { buildAnswer } from './build-answer.ts';
import type { RootOutcome } from './building.ts';
import { evaluateRoot, mappingFor, type OpenProofs, type RootEvaluation } from './evaluate-root.ts';
import { fieldError, fieldErrorFrom, type GraphqlResult, type ResultError } from './graphql-result.ts';
import { mapInput } from './input-ids.ts';
import type { MutationPlan, Plan, PlannedMutation } from './plan.ts';
import { answerSelection, assemblePayload } from './plan-own-payload.ts';
import { OWNED } from './proof.ts';
import { isProved, proofVariables } from './prove-roots.ts';
import { ambientVariables, type RunContext, sendUpstream } from './run-context.ts';
import { conditionsHold } from './shape.ts';
import type { Variables } from './upstream-writer.ts';
import { argumentEntry } from './write-selection.ts';

type RunnableMutation = MutationPlan & Pick<Plan, 'id' | 'document'>;

type Running = { readonly mutation: PlannedMutation; readonly evaluation: RootEvaluation };

type Run = {
  readonly context: RunContext;
  readonly plan: RunnableMutation;
  readonly variables: Variables;
  readonly result: { data: Record<string, unknown> | null; readonly errors: ResultError[] };
  readonly costs: PlatformCost[];
};

/** Runs the plan with the client's coerced variables. ServiceError: nothing was run. */
export async function runMutation(
  context: RunContext,
  plan: RunnableMutation,
  variables: Variables,
): Promise<GraphqlResult> {
  const costs: PlatformCost[] = [];
  const run: Run = {
    context: { ...context, send: collecting(context.send, costs) },
    plan,
    variables,
    result: { data: {}, errors: [] },
    costs,
  };
  const running = plan.mutations
    .filter(({ root }) => root.when.some((one) => conditionsHold(one, variables)))
    .map((mutation) => ({ mutation, evaluation: evaluateRoot(mutation.root, variables, context.identity) }));
  const refusals = await refuse(run, running);
  if (refusals.some((code) => code !== undefined)) {
    for (const [index, { mutation }] of running.entries()) {
      refuseField(run, mutation, refusals[index] ?? 'NOT_RUN');
    }
  } else await runInTurn(run, running);
  const { data, errors } = run.result;
  const isRefused = errors.some(({ extensions }) => extensions?.code === 'FORBIDDEN');
  const cost = context.isMerchant && !isRefused ? sum(run.costs) : undefined;
  return { data, ...(errors.length > 0 && { errors }), ...(cost && { extensions: { cost } }) };
}

/** Notes the cost of each answer. */
function collecting(send: SendAdminOperation, costs: PlatformCost[]): SendAdminOperation {
  return async (operation) => {
    const answer = await send(operation);
    if (answer.cost !== undefined) costs.push(answer.cost);
    return answer;
  };
}

/** Why each root must not run; undefined: it may. */
async function refuse(run: Run, running: readonly Running[]): Promise<(ErrorCode | undefined)[]> {
  const { identity } = run.context;
  const isActing = identity.actingCustomerId !== undefined;
  const known = running.map(({ mutation, evaluation }): ErrorCode | undefined => {
    if (mutation.isActingCustomerRequired && !isActing) return 'CUSTOMER_REQUIRED';
    if (evaluation.refusal !== undefined) return evaluation.refusal;
    const isMissing = mutation.own !== undefined && ownMutation(mutation.root.name) === undefined;
    return isMissing ? 'NOT_AVAILABLE_YET' : undefined;
  });
  if (!isActing || known.some((code) => code !== undefined)) return known;
  // A single mutation of our own reads its proof together with the state that it needs anyway.
  if (running.length === 1 && running[0]?.mutation.own !== undefined) return known;
  return prove(run, running);
}

async function prove(run: Run, running: readonly Running[]): Promise<(ErrorCode | undefined)[]> {
  const { context, plan, variables } = run;
  const proofs = running.map(({ evaluation }): OpenProofs => evaluation.proofs);
  const asked = proofVariables(proofs, context.identity);
  const isNeeded = proofs.some(
    ({ nodes, addresses, contents }) => nodes.length + addresses.length + contents.length > 0,
  );
  if (plan.proof === undefined || !isNeeded) return running.map(() => undefined);
  const ours = { ...ambientVariables(context), ...asked };
  const { data } = await sendUpstream(context, {
    planId: `${plan.id} proof`,
    upstream: plan.proof,
    variables,
    ours,
    mutates: false,
  });
  if (data === null) throw new ServiceError('PLATFORM_UNAVAILABLE', { internal: 'no proof' });
  const judged = { data, ids: asked[OWNED] as readonly string[], identity: context.identity };
  return proofs.map((one) => (isProved(one, judged) ? undefined : 'FORBIDDEN'));
}

async function runInTurn(run: Run, running: readonly Running[]): Promise<void> {
  let stopped = false;
  for (const [index, one] of running.entries()) {
    if (stopped) {
      refuseField(run, one.mutation, 'NOT_RUN');
      continue;
    }
    try {
      await runOne(run, one);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // Nothing has run yet: the whole request is answered with it. An unknown outcome is never that.
      if (index === 0 && error.status >= 400) throw error;
      run.result.errors.push(fieldErrorFrom(error, [one.mutation.root.key]));
      setNull(run, one.mutation);
      stopped = true;
    }
  }
}

async function runOne(run: Run, { mutation, evaluation }: Running): Promise<void> {
  const ours = { ...ambientVariables(run.context), ...Object.fromEntries(evaluation.values) };
  if (mutation.own !== undefined) return runOwn(run, mutation, ours);
  if (mutation.upstream === undefined) return build(run, mutation, { data: {}, errors: [], cost: undefined });
  const answer = await sendUpstream(run.context, {
    planId: `${run.plan.id} ${mutation.root.key}`,
    upstream: mutation.upstream,
    variables: { ...run.variables },
    ours: { ...ours, ...runVariables(mutation) },
    mutates: true,
  });
  return build(run, mutation, answer);
}

function runVariables({ root }: PlannedMutation): Record<string, boolean> {
  return Object.fromEntries(root.run.map(({ variable }) => [variable, true]));
}

async function runOwn(run: Run, mutation: PlannedMutation, ours: Variables): Promise<void> {
  const { own, root } = mutation;
  const registered = ownMutation(root.name);
  if (own === undefined || registered === undefined) throw new ServiceError('NOT_AVAILABLE_YET');
  const { context, variables } = run;
  const selection = answerSelection(own.payload, variables, ours);
  const request = { args: argumentsOf(run, mutation), selection };
  const outcome = await registered.operation(operationDeps(context, root.name), request);
  const payload = assemblePayload(own.payload, outcome, variables);
  const errors = outcome.errors.map((error) => ({ ...error, path: [root.key, ...(error.path ?? [])] }));
  await build(run, mutation, { data: { [root.key]: payload }, errors, cost: undefined });
}

/** The coerced arguments of a root, its ids as the platform names them. */
function argumentsOf({ variables, context }: Run, { root, own }: PlannedMutation): Record<string, unknown> {
  const field = own?.fields[0]?.field;
  const definition = adminSchema().getMutationType()?.getFields()[root.name];
  if (field === undefined || definition === undefined) throw new Error(`no mutation ${root.name}`);
  const values = getArgumentValues(definition, field, variables as Record<string, unknown>);
  const findings = { isRefused: false, owned: 0, nodes: [], addresses: [], contents: [] };
  const mapping = mappingFor(root, findings, context.identity);
  const mapped = Object.entries(values).map(([name, value]) => {
    const entry = argumentEntry('Mutation', root.name, name);
    return [name, entry === undefined ? value : mapInput(value, entry, mapping)];
  });
  return Object.fromEntries(mapped);
}

async function build(run: Run, mutation: PlannedMutation, answer: AdminAnswer): Promise<void> {
  const { root } = mutation;
  const outcome: RootOutcome =
    root.special?.kind === 'typename' ? { kind: 'value', value: root.special.value } : { kind: 'forwarded' };
  const { variables, plan, context } = run;
  const built = await buildAnswer(context, {
    roots: [{ root, outcome }],
    answer,
    variables,
    document: plan.document,
  });
  run.result.errors.push(...(built.errors ?? []));
  if (built.data === null || built.data === undefined) setNull(run, mutation);
  else if (run.result.data !== null) Object.assign(run.result.data, built.data);
}

function refuseField(run: Run, mutation: PlannedMutation, code: ErrorCode): void {
  run.result.errors.push(fieldError(code, [mutation.root.key]));
  setNull(run, mutation);
}

/** Every field of `Mutation` is nullable in both schemas. */
function setNull({ result }: Run, { root }: PlannedMutation): void {
  if (result.data !== null) result.data[root.key] = null;
}

function sum(costs: readonly PlatformCost[]): PlatformCost | undefined {
  const last = costs.at(-1);
  if (last === undefined) return undefined;
  const total = (numbers: readonly (number | null)[]) => numbers.reduce<number>((a, b) => a + (b ?? 0), 0);
  return {
    requestedQueryCost: total(costs.map((cost) => cost.requestedQueryCost)),
    actualQueryCost: total(costs.map((cost) => cost.actualQueryCost)),
    throttleStatus: last.throttleStatus,
  };
}
