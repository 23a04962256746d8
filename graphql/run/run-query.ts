/**
 * Runs a query's plan: starts the roots, sends one request, checks the ownership by its response, and builds the
 * client's response. No data of a refused root is returned.
 */
import { awaitAll } from '../../lib/domain/await-all.ts';
import type {
  AdminResponse,
  PlatformCost,
  PlatformError,
} from '../../lib/platform/admin-api/admin-response.ts';
import { accessNotGrantedError, failedReadError } from '../../lib/platform/admin-api/missing-access.ts';
import { OWNED_NODES_KEY } from '../compile/ownership/write-ownership-query.ts';
import { areConditionsMet } from '../compile/selection/flatten-selection.ts';
import type { Variables } from '../plan/client-document.ts';
import type { Plan, QueryPlan } from '../plan/plan.ts';
import type { CompiledRoot, FirstResponse, IdsToCheck, RunningRoot } from '../plan/root-handler.ts';
import type { RunContext } from '../plan/run-context.ts';
import { buildResponse, createCostCollectingSend, sumCosts } from '../response/build-response.ts';
import type { GraphqlResult } from '../response/graphql-result.ts';
import { fillServiceFields } from './fill-service-fields.ts';
import { sendUpstream } from './send-upstream.ts';
import { createExcludedRootVariables, NO_IDS_TO_CHECK, startRoot } from './start-root.ts';
import { buildOwnershipVariables, findOwnershipRefusal } from './verify-ownership.ts';

type RunnablePlan = QueryPlan & Pick<Plan, 'id' | 'document'>;

/**
 * Runs the plan with the client's coerced variables.
 * @throws ServiceError when the request as a whole failed
 */
export async function runQuery(
  context: RunContext,
  plan: RunnablePlan,
  variables: Variables,
): Promise<GraphqlResult> {
  const platformCosts: PlatformCost[] = [];
  // Costs are counted for merchants only, because customers do not see them.
  const runContext = context.isMerchant
    ? { ...context, send: createCostCollectingSend(context.send, platformCosts) }
    : context;
  const initialQuery = startRoots(runContext, plan, variables);
  const startedQuery = initialQuery.running.some(readsTable)
    ? await addTableValues(runContext, initialQuery)
    : initialQuery;
  const { response, ...sentQuery } = await sendQuery(runContext, plan, startedQuery);
  if (plan.rewriteText !== undefined && response?.dataText !== undefined) {
    const data = plan.rewriteText(response.dataText, runContext.identity.namespaces);
    const cost = runContext.isMerchant ? sumCosts(platformCosts) : undefined;
    return { text: writeTextResponse(data, { ...(cost && { cost }), ...runContext.extensions }) };
  }
  const settledQuery = await resendQuery(runContext, plan, { response, ...sentQuery });
  const { response: platformResponse, internalVariables } = settledQuery;
  const checkedRoots = applyRefusals(runContext, settledQuery);
  if (checkedRoots.length > 0 && checkedRoots.every(isOwnerHidden))
    throw accessNotGrantedError(platformResponse?.errors ?? []);
  const { id: planId, document } = plan;
  const firstResponse = { planId, document, platformResponse, variables, internalVariables };
  return buildResponse(runContext, {
    roots: checkedRoots.some(needsFollowUp)
      ? await sendFollowUps(runContext, checkedRoots, firstResponse)
      : checkedRoots,
    platformResponse,
    variables,
    fillServiceFields: (walks) => fillServiceFields(runContext, walks),
    costs: platformCosts,
  });
}

/** Writes the client's whole response as JSON, from the JSON of its data. */
function writeTextResponse(data: string, extensions: Readonly<Record<string, unknown>>): string {
  const extensionsText = JSON.stringify(extensions);
  return `{"data":${data}${extensionsText === '{}' ? '' : `,"extensions":${extensionsText}`}}`;
}

/** The roots of a request, and the values of their internal variables. */
type StartedQuery = {
  readonly running: readonly RunningRoot[];
  readonly variables: Variables;
  readonly values: Variables;
};

/**
 * Starts the roots that the client's conditions do not exclude. The values of these roots replace those of excluded
 * ones.
 */
function startRoots(context: RunContext, { roots }: QueryPlan, variables: Variables): StartedQuery {
  const isRootIncluded = ({ when }: CompiledRoot) => when.some((one) => areConditionsMet(one, variables));
  const runningRoots = roots.filter(isRootIncluded).map((root) => startRoot(context, root, variables));
  const excludedVariables = roots
    .filter((root) => !isRootIncluded(root))
    .map((root) => createExcludedRootVariables(context, root, variables));
  return {
    running: runningRoots,
    variables,
    values: mergeVariables([...excludedVariables, ...runningRoots.map(({ values }) => values)]),
  };
}

/** Whether the root's handler reads values from the table. A refused root reads none. */
function readsTable({ outcome, root }: RunningRoot): boolean {
  return outcome === undefined && root.handler.prepare !== undefined;
}

/** Adds the values that root handlers read from the table. */
async function addTableValues(context: RunContext, query: StartedQuery): Promise<StartedQuery> {
  const tableRoots = query.running.filter(readsTable);
  const tableValues = await awaitAll(
    [...Map.groupBy(tableRoots, ({ root }) => root.handler)].map(([handler, roots]) =>
      handler.prepare?.(context, roots),
    ),
  );
  return { ...query, values: mergeVariables([query.values, ...tableValues.map((one) => one ?? {})]) };
}

function mergeVariables(variableSets: readonly Variables[]): Variables {
  return Object.assign({}, ...variableSets);
}

/** The sent variables, and the platform's response, or undefined when nothing had to be sent. */
type SentQuery = StartedQuery & {
  readonly response: AdminResponse | undefined;
  readonly internalVariables: Variables;
};

/** Sends one request with all roots that have no outcome yet. */
async function sendQuery(context: RunContext, plan: RunnablePlan, query: StartedQuery): Promise<SentQuery> {
  const { running, variables, values } = query;
  const sentRoots = running.filter(({ outcome, isSent }) => outcome === undefined && isSent);
  const ownershipVariables = plan.includesOwnershipQuery
    ? buildOwnershipVariables(running.map(mergeIdsToCheck))
    : {};
  const internalVariables = {
    ...values,
    ...buildRunVariables(plan, sentRoots, variables),
    ...ownershipVariables,
  };
  const sentQuery = { ...query, internalVariables };
  if (sentRoots.length === 0) {
    const ids = listCheckedIds(internalVariables);
    const isRequestUnnecessary = ids.length === 0 && !running.some(({ needsRequest }) => needsRequest);
    if (isRequestUnnecessary) return { ...sentQuery, response: undefined };
  }
  context.cyclePrefetch?.start();
  const { id: planId, upstream, rewriteText } = plan;
  const acceptsDataText =
    context.acceptsDataText && rewriteText !== undefined && sentRoots.length === running.length;
  const request = { planId, upstream, variables, internalVariables, mutates: false, acceptsDataText };
  return { ...sentQuery, response: await sendUpstream(context, request) };
}

/**
 * Sends the query again while that can complete the response: without the roots whose null removed the whole response, but
 * with the ownership checks of all roots; or with the variables that handlers change after a response
 * (`findChangedVariables`).
 */
async function resendQuery(
  context: RunContext,
  plan: RunnablePlan,
  firstSentQuery: SentQuery,
): Promise<SentQuery> {
  let sentQuery = firstSentQuery;
  while (sentQuery.response !== undefined) {
    const { response } = sentQuery;
    const nextQuery =
      markNulledRootsAbsent(response, sentQuery) ?? (await addResponseValues(context, sentQuery));
    if (nextQuery === undefined) return sentQuery;
    const resentQuery = await sendQuery(context, plan, nextQuery);
    sentQuery = {
      ...resentQuery,
      response: resentQuery.response ?? { ...response, data: {}, errors: [] },
    };
  }
  return sentQuery;
}

function listCheckedIds({ [OWNED_NODES_KEY]: ids }: Variables): readonly string[] {
  return (ids ?? []) as readonly string[];
}

/** Returns the ownership checks of a root, including those of ids that are checked separately. */
function mergeIdsToCheck({ idsToCheck, separateChecks }: RunningRoot): IdsToCheck {
  return separateChecks === undefined
    ? idsToCheck
    : { ...idsToCheck, nodes: [...idsToCheck.nodes, ...separateChecks.ids] };
}

/** Returns the variables with which only the open roots run. */
function buildRunVariables(
  plan: QueryPlan,
  openRoots: readonly RunningRoot[],
  variables: Variables,
): Variables {
  const runValues: Record<string, boolean> = {};
  for (const { runVariables } of plan.roots)
    for (const { variable } of runVariables) runValues[variable] = false;
  for (const { root } of openRoots)
    for (const { variable, when } of root.runVariables)
      runValues[variable] = areConditionsMet(when, variables);
  return runValues;
}

/**
 * Marks the roots as absent whose null removed the whole response.
 * @returns undefined when there is no such root
 */
function markNulledRootsAbsent(
  { data, errors }: AdminResponse,
  query: StartedQuery,
): StartedQuery | undefined {
  if (data !== null) return undefined;
  const responseKeyOf = ({ path }: PlatformError) => String(path?.[0]);
  // Without the result of an ownership check, the client gets no data of the root. The whole request fails.
  const ownershipErrors = errors.filter((error) => responseKeyOf(error) === OWNED_NODES_KEY);
  if (ownershipErrors.length > 0) throw failedReadError('no proof', ownershipErrors);
  const isNulled = ({ root, outcome }: RunningRoot) =>
    outcome === undefined && errors.some((error) => root.nullsAll.has(responseKeyOf(error)));
  if (!query.running.some(isNulled)) return undefined;
  const runningRoots = query.running.map((one): RunningRoot => {
    if (!isNulled(one)) return one;
    const rootErrors = errors.filter((error) => one.root.clientPathByPlatformKey.has(responseKeyOf(error)));
    return { ...one, outcome: { kind: 'absent', errors: rootErrors } };
  });
  const idleVariables = query.running.filter(isNulled).map(({ root }) => root.idleVariables);
  return { ...query, running: runningRoots, values: mergeVariables([query.values, ...idleVariables]) };
}

function needsFollowUp({ root, outcome }: RunningRoot): boolean {
  return root.handler.follow !== undefined && (outcome === undefined || outcome.kind === 'found');
}

/** Sends the requests that roots need after the first response, for one handler after another, and adds their results. */
async function sendFollowUps(
  context: RunContext,
  checkedRoots: readonly RunningRoot[],
  firstResponse: FirstResponse,
): Promise<readonly RunningRoot[]> {
  const resultByRoot = new Map<RunningRoot, unknown>();
  for (const [handler, roots] of Map.groupBy(
    checkedRoots.filter(needsFollowUp),
    ({ root }) => root.handler,
  )) {
    const followUpResults = (await handler.follow?.(context, roots, firstResponse)) ?? [];
    for (const [index, one] of roots.entries()) resultByRoot.set(one, followUpResults[index]);
  }
  return checkedRoots.map((one) =>
    resultByRoot.has(one) ? { ...one, outcome: { kind: 'found', found: resultByRoot.get(one) } } : one,
  );
}

/** Whether no part of the root can be shown because the store has not granted the access to its owner. */
function isOwnerHidden({ outcome }: RunningRoot): boolean {
  if (outcome?.kind === 'refused') return outcome.refusal === 'denied';
  return outcome?.kind === 'found' && outcome.isDenied === true;
}

/** Evaluates the ownership checks of the roots, and refuses the roots that fail. */
function applyRefusals(context: RunContext, sentQuery: SentQuery): RunningRoot[] {
  const findRefusal = createOwnershipCheck(context, sentQuery);
  return sentQuery.running.map((one): RunningRoot => {
    const { outcome, separateChecks } = one;
    const isUndecidedOrAbsent = outcome === undefined || outcome.kind === 'absent';
    const rootRefusal = isUndecidedOrAbsent ? findRefusal(one.idsToCheck) : undefined;
    if (rootRefusal !== undefined) return { ...one, outcome: { kind: 'refused', refusal: rootRefusal } };
    if (outcome !== undefined || separateChecks === undefined) return one;
    return {
      ...one,
      outcome: separateChecks.resolve((nodes) => findRefusal({ ...NO_IDS_TO_CHECK, nodes })),
    };
  });
}

/**
 * Returns the function that evaluates ownership checks. Its result is the refusal, or undefined when all checks
 * passed.
 */
function createOwnershipCheck({ identity }: RunContext, { response, internalVariables }: SentQuery) {
  const actsForCustomer = identity.actingCustomerId !== undefined;
  const { data = null, errors = [] } = response ?? {};
  const evidence = { data, errors, ids: listCheckedIds(internalVariables), identity };
  return (idsToCheck: IdsToCheck) =>
    actsForCustomer ? findOwnershipRefusal(idsToCheck, evidence) : undefined;
}

/**
 * Returns the query with the values that the response contains for roots that passed their ownership check.
 * @returns undefined when no value is new
 */
async function addResponseValues(
  context: RunContext,
  sentQuery: SentQuery,
): Promise<StartedQuery | undefined> {
  const { running, response, values, internalVariables } = sentQuery;
  const data = response?.data ?? undefined;
  if (data === undefined) return undefined;
  const findRefusal = createOwnershipCheck(context, sentQuery);
  const openRoots = running.filter(
    ({ outcome, idsToCheck }) => outcome === undefined && findRefusal(idsToCheck) === undefined,
  );
  const changesByRoot = await awaitAll(
    openRoots.map(({ root }) =>
      root.handler.findChangedVariables?.(context, root, { data, internalVariables }),
    ),
  );
  const variableChanges = changesByRoot.filter((changedVariables) => changedVariables !== undefined);
  return variableChanges.length === 0
    ? undefined
    : { ...sentQuery, values: mergeVariables([values, ...variableChanges]) };
}
