/**
 * Runs a query's plan: roots are evaluated, one request is sent, the proof in its answer is judged, and what is
 * left becomes the client's answer. Nothing of a refused root leaves the process.
 */
import type { AdminAnswer, PlatformCost, PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import { notGranted, unanswered } from '../../lib/platform/admin-api/missing-access.ts';
import { buildAnswer } from '../answer/build-answer.ts';
import type { GraphqlResult } from '../answer/graphql-result.ts';
import { collecting, sumOf } from '../answer/platform-costs.ts';
import { OWNED } from '../compile/ownership/write-ownership-query.ts';
import type { Variables } from '../plan/client-document.ts';
import { conditionsHold } from '../plan/conditions.ts';
import type { Plan, QueryPlan } from '../plan/plan.ts';
import type { FirstAnswer, Inputs, OpenOwnershipChecks, RunningRoot } from '../plan/root-kind.ts';
import type { RunContext } from '../plan/run-context.ts';
import { fillIn } from './fill-in.ts';
import { sendUpstream } from './send-upstream.ts';
import { NO_OWNERSHIP_CHECKS, skipRoot, startRoot } from './start-root.ts';
import { ownershipVariables, refuseUnproved } from './verify-ownership.ts';

type Identified = Pick<Plan, 'id' | 'document'>;

/** Runs the plan with the client's coerced variables. ServiceError: the request as a whole failed. */
export async function runQuery(
  counted: RunContext,
  plan: QueryPlan & Identified,
  variables: Variables,
): Promise<GraphqlResult> {
  const costs: PlatformCost[] = [];
  // Customers hear nothing of costs, so nobody counts.
  const context = counted.isMerchant ? { ...counted, send: collecting(counted.send, costs) } : counted;
  const internalVariables: Record<string, unknown> = {};
  const running: RunningRoot[] = [];
  for (const root of plan.roots) {
    const isThere = root.when.some((one) => conditionsHold(one, variables));
    if (isThere) running.push(startRoot(context, root, { variables, internalVariables }));
    else skipRoot(context, root, { variables, internalVariables });
  }
  const inputs = { running, variables, internalVariables };
  let answer = await ask(context, plan, inputs);
  if (plan.rewriteText !== undefined && answer?.dataText !== undefined) {
    const data = plan.rewriteText(answer.dataText, context.identity.namespaces);
    const cost = context.isMerchant ? sumOf(costs) : undefined;
    return { text: writeTextAnswer(data, { ...(cost && { cost }), ...context.extensions }) };
  }
  // The other roots, and the proof of those that are out, are asked for again: no other request is repeated.
  const hasNew = (answered: AdminAnswer) =>
    hasNewValues(context, { running, answer: answered, internalVariables });
  while (answer !== undefined && (leaveOutNulled(answer, running) || hasNew(answer))) {
    answer = (await ask(context, plan, inputs)) ?? { ...answer, data: {}, errors: [] };
  }
  applyRefusals(context, { running, answer, internalVariables });
  if (running.length > 0 && running.every(isUnprovable)) throw notGranted(answer?.errors ?? []);
  const { id: planId, document } = plan;
  if (running.some(isFollowed))
    await follow(context, running, { planId, document, answer, variables, internalVariables });
  return buildAnswer(context, {
    roots: running,
    answer,
    variables,
    fillIn: (walks) => fillIn(context, walks),
    costs,
  });
}

/** The client's whole answer as JSON, from that of its data. */
function writeTextAnswer(data: string, extensions: Readonly<Record<string, unknown>>): string {
  const written = JSON.stringify(extensions);
  return `{"data":${data}${written === '{}' ? '' : `,"extensions":${written}`}}`;
}

type QueryInputs = Inputs & { readonly running: readonly RunningRoot[] };

/** Asks for every root that is not answered yet; undefined if there is none. */
async function ask(
  context: RunContext,
  plan: QueryPlan & Identified,
  { running, variables, internalVariables }: QueryInputs,
) {
  const open = running.filter(({ outcome, isSent }) => outcome === undefined && isSent);
  setRunVariables(plan, open, { variables, internalVariables });
  if (plan.isProving) Object.assign(internalVariables, ownershipVariables(running.map(allOwnershipChecks)));
  if (open.length === 0) {
    const ids = (internalVariables[OWNED] ?? []) as readonly string[];
    if (ids.length === 0 && !running.some(({ sendsConcurrently }) => sendsConcurrently)) return undefined;
  }
  const { id: planId, upstream, rewriteText } = plan;
  const takesText = context.takesText && rewriteText !== undefined && open.length === running.length;
  return sendUpstream(context, { planId, upstream, variables, internalVariables, mutates: false, takesText });
}

/** The proofs of a root, those of ids that are judged one by one included. */
function allOwnershipChecks({ ownershipChecks, single }: RunningRoot): OpenOwnershipChecks {
  return single === undefined
    ? ownershipChecks
    : { ...ownershipChecks, nodes: [...ownershipChecks.nodes, ...single.ids] };
}

function setRunVariables(
  plan: QueryPlan,
  open: readonly RunningRoot[],
  { variables, internalVariables }: Inputs,
): void {
  for (const root of plan.roots) for (const { variable } of root.run) internalVariables[variable] = false;
  for (const { root } of open) {
    for (const { variable, when } of root.run) internalVariables[variable] = conditionsHold(when, variables);
  }
}

/** Marks the roots whose null took the whole answer along; false if there is none. */
function leaveOutNulled(answer: AdminAnswer, running: readonly RunningRoot[]): boolean {
  if (answer.data !== null) return false;
  const keyOf = ({ path }: PlatformError) => String(path?.[0]);
  // Nothing may be answered without its proof.
  const unproved = answer.errors.filter((error) => keyOf(error) === OWNED);
  if (unproved.length > 0) throw unanswered('no proof', unproved);
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

function isFollowed({ root, outcome }: RunningRoot): boolean {
  return root.kind.follow !== undefined && (outcome === undefined || outcome.kind === 'found');
}

/** Asks for what roots need beside the first answer, kind by kind. */
async function follow(
  context: RunContext,
  running: readonly RunningRoot[],
  first: FirstAnswer,
): Promise<void> {
  for (const [kind, roots] of Map.groupBy(running.filter(isFollowed), ({ root }) => root.kind)) {
    await kind.follow?.(context, roots, first);
  }
}

/** Whether nothing of the root can be shown, because the store keeps from us whose it is. */
function isUnprovable({ outcome }: RunningRoot): boolean {
  if (outcome?.kind === 'refused') return outcome.why === 'denied';
  return outcome?.kind === 'found' && outcome.isDenied === true;
}

type Judging = {
  readonly running: readonly RunningRoot[];
  /** The first answer; undefined: there was nothing to ask, so there is nothing to prove. */
  readonly answer: AdminAnswer | undefined;
  readonly internalVariables: Record<string, unknown>;
};

/** Judges the proofs; roots that fail are refused. */
function applyRefusals(context: RunContext, judging: Judging): void {
  const refusalOf = refusals(context, judging);
  for (const one of judging.running) {
    const isOpen = one.outcome === undefined || one.outcome.kind === 'absent';
    const why = isOpen ? refusalOf(one.ownershipChecks) : undefined;
    if (why !== undefined) one.outcome = { kind: 'refused', why };
    else if (one.outcome === undefined && one.single !== undefined) {
      one.outcome = one.single.resolve((nodes) => refusalOf({ ...NO_OWNERSHIP_CHECKS, nodes }));
    }
  }
}

/** Tells why what the proofs are for is refused; undefined: it is proved. */
function refusals({ identity }: RunContext, { answer, internalVariables }: Judging) {
  const isActing = identity.actingCustomerId !== undefined;
  const { data = null, errors = [] } = answer ?? {};
  const evidence = { data, errors, ids: (internalVariables[OWNED] ?? []) as readonly string[], identity };
  return (ownershipChecks: OpenOwnershipChecks) =>
    isActing ? refuseUnproved(ownershipChecks, evidence) : undefined;
}

/** Whether the answer gives variables of proved roots other values. All are read: one request more is for all. */
function hasNewValues(context: RunContext, judging: Judging): boolean {
  const { running, answer, internalVariables } = judging;
  const data = answer?.data ?? undefined;
  if (data === undefined) return false;
  const refusalOf = refusals(context, judging);
  const changed = running.map(({ root, outcome, ownershipChecks }) => {
    const { kind } = root;
    if (kind.again === undefined || outcome !== undefined) return false;
    return refusalOf(ownershipChecks) === undefined && kind.again(root, data, internalVariables);
  });
  return changed.includes(true);
}
