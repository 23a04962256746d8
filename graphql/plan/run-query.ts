/**
 * Runs a query's plan: roots are evaluated, one request is sent, the proof in its answer is judged, and what is
 * left becomes the client's answer. Nothing of a refused root leaves the process.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminAnswer, PlatformError } from '../../lib/platform/admin-answer.ts';
import { buildAnswer, type RootOutcome } from './build-answer.ts';
import {
  evaluateNodes,
  evaluateRoot,
  type NodesEvaluation,
  type OpenProofs,
  unusedValues,
} from './evaluate-root.ts';
import type { GraphqlResult } from './graphql-result.ts';
import type { Plan, PlannedRoot, QueryPlan } from './plan.ts';
import { OWNED } from './proof.ts';
import { isProved, proofVariables } from './prove-roots.ts';
import { ambientVariables, type RunContext, sendUpstream } from './run-context.ts';
import { conditionsHold } from './shape.ts';
import type { Variables } from './upstream-writer.ts';

/** A root on its way: what it waits for, and what is known of it. */
type RunningRoot = {
  readonly root: PlannedRoot;
  readonly proofs: OpenProofs;
  readonly nodes: NodesEvaluation | undefined;
  /** Of a `nodes` root: proofs that it needs as a whole, for arguments below its entries. */
  readonly below?: OpenProofs;
  outcome: RootOutcome | undefined;
};

type Identified = Pick<Plan, 'id' | 'document'>;

/** Runs the plan with the client's coerced variables. ServiceError: the request as a whole failed. */
export async function runQuery(
  context: RunContext,
  plan: QueryPlan & Identified,
  variables: Variables,
): Promise<GraphqlResult> {
  const ours: Record<string, unknown> = ambientVariables(context);
  const running = plan.roots.flatMap((root) => {
    if (root.when.some((one) => conditionsHold(one, variables))) {
      return [startRoot(context, root, { variables, ours })];
    }
    fill(ours, unusedValues(root, variables, context.identity));
    return [];
  });
  const asking = { running, variables, ours };
  let answer = await ask(context, plan, asking);
  // The others, and the proof of those that are out: the only request that is repeated.
  while (answer !== undefined && leaveOutNulled(answer, running)) {
    answer = (await ask(context, plan, asking)) ?? { ...answer, data: {}, errors: [] };
  }
  if (answer !== undefined) settle(context, { running, answer, ours });
  return buildAnswer(context, {
    roots: running.map(({ root, outcome }) => ({ root, outcome: outcome ?? { kind: 'forwarded' } })),
    answer,
    variables,
    document: plan.document,
  });
}

type Inputs = { readonly variables: Variables; readonly ours: Record<string, unknown> };

/** Adds values that no root that runs has set. */
function fill(ours: Record<string, unknown>, values: ReadonlyMap<string, unknown>): void {
  for (const [name, value] of values) ours[name] ??= value;
}

const NO_PROOFS: OpenProofs = { nodes: [], addresses: [], contents: [] };

function startRoot(context: RunContext, root: PlannedRoot, { variables, ours }: Inputs): RunningRoot {
  const { special } = root;
  const isActing = context.identity.actingCustomerId !== undefined;
  if (special?.kind === 'nodes' && isActing) return startNodes(context, root, { variables, ours });
  const { refusal, proofs, values } = evaluateRoot(root, variables, context.identity);
  Object.assign(ours, Object.fromEntries(values));
  const outcome = refusal === undefined ? outcomeOf(root, variables) : ({ kind: 'refused' } as const);
  if (special?.kind === 'required' && outcome !== undefined) {
    ours[special.argument.variable] ??= `gid://${context.identity.namespaces.platform}/Product/1`;
  }
  return { root, proofs: outcome === undefined ? proofs : NO_PROOFS, nodes: undefined, outcome };
}

/** What is known without the platform; undefined: it has to be asked. */
function outcomeOf({ special }: PlannedRoot, variables: Variables): RootOutcome | undefined {
  switch (special?.kind) {
    case 'typename':
      return { kind: 'value', value: special.value };
    case 'introspection':
      return { kind: 'introspection', fields: special.fields };
    case 'unavailable':
      return { kind: 'unavailable' };
    case 'narrowed':
      return special.isRefused(variables) ? { kind: 'refused' } : undefined;
    case 'required': {
      const isGiven = (special.argument.read(variables) ?? null) !== null;
      return isGiven ? undefined : { kind: 'invalid', message: special.message };
    }
    default:
      return undefined;
  }
}

function startNodes(context: RunContext, root: PlannedRoot, { variables, ours }: Inputs): RunningRoot {
  const special = root.special?.kind === 'nodes' ? root.special : undefined;
  if (special === undefined) throw new Error('not a nodes root');
  const { identity } = context;
  const { argument } = special;
  const others = root.injected.filter((one) => one !== argument);
  const below = evaluateRoot({ ...root, access: 'open', injected: others }, variables, identity);
  Object.assign(ours, Object.fromEntries(below.values));
  const nodes = evaluateNodes(root, argument, { variables, identity });
  ours[argument.variable] = [...nodes.sent.values()];
  if (below.refusal !== undefined)
    return { root, proofs: NO_PROOFS, nodes: undefined, outcome: { kind: 'refused' } };
  const proved = [...nodes.toProve].map((position) => nodes.sent.get(position) ?? '');
  const proofs = { ...below.proofs, nodes: [...below.proofs.nodes, ...proved] };
  const isNothing = nodes.sent.size === 0;
  const outcome = isNothing ? ({ kind: 'nodes', nodes, refused: new Set<number>() } as const) : undefined;
  return { root, proofs, below: below.proofs, nodes, outcome };
}

type Asking = Inputs & { readonly running: readonly RunningRoot[] };

/** Asks for every root that is not answered yet; undefined if there is none. */
async function ask(context: RunContext, plan: QueryPlan & Identified, { running, variables, ours }: Asking) {
  const open = running.filter(({ outcome }) => outcome === undefined);
  setRunVariables(plan, new Set(open.map(({ root }) => root)), { variables, ours });
  Object.assign(
    ours,
    proofVariables(
      running.map(({ proofs }) => proofs),
      context.identity,
    ),
  );
  const ids = ours[OWNED] as readonly string[];
  if (open.length === 0 && ids.length === 0) return undefined;
  return sendUpstream(context, { planId: plan.id, upstream: plan.upstream, variables, ours, mutates: false });
}

function setRunVariables(plan: QueryPlan, open: ReadonlySet<PlannedRoot>, { variables, ours }: Inputs): void {
  for (const root of plan.roots) {
    for (const { variable, when } of root.run) {
      ours[variable] = open.has(root) && conditionsHold(when, variables);
    }
  }
}

/** Marks the roots whose null took the whole answer along; false if there is none. */
function leaveOutNulled(answer: AdminAnswer, running: readonly RunningRoot[]): boolean {
  if (answer.data !== null) return false;
  const keyOf = ({ path }: PlatformError) => String(path?.[0]);
  // Without its proof nothing may be answered, and the platform has not said why.
  if (answer.errors.some((error) => keyOf(error) === OWNED)) {
    throw new ServiceError('PLATFORM_UNAVAILABLE', { internal: 'no proof' });
  }
  const nulled = running.filter(
    ({ root, outcome }) =>
      outcome === undefined && answer.errors.some((error) => root.nullsAll.has(keyOf(error))),
  );
  for (const one of nulled) {
    const errors = answer.errors.filter((error) => one.root.upstream.has(keyOf(error)));
    one.outcome = { kind: 'absent', errors };
  }
  return nulled.length > 0;
}

/** Judges the proofs; roots that fail are refused. */
function settle(
  { identity }: RunContext,
  { running, answer, ours }: { running: readonly RunningRoot[]; answer: AdminAnswer; ours: Variables },
): void {
  if (identity.actingCustomerId === undefined) return;
  const judged = { data: answer.data, ids: ours[OWNED] as readonly string[], identity };
  for (const one of running) {
    if (one.nodes !== undefined && one.outcome === undefined) {
      if (one.below !== undefined && !isProved(one.below, judged)) {
        one.outcome = { kind: 'refused' };
        continue;
      }
      one.outcome = { kind: 'nodes', nodes: one.nodes, refused: refusedOf(one.nodes, judged) };
      continue;
    }
    const isOpen = one.outcome === undefined || one.outcome.kind === 'absent';
    if (isOpen && !isProved(one.proofs, judged)) one.outcome = { kind: 'refused' };
  }
}

function refusedOf(
  { sent, toProve }: NodesEvaluation,
  judged: Parameters<typeof isProved>[1],
): ReadonlySet<number> {
  const failed = [...toProve].filter((position) => {
    const id = sent.get(position);
    return id === undefined || !isProved({ ...NO_PROOFS, nodes: [id] }, judged);
  });
  return new Set(failed);
}
