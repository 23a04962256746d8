/**
 * Runs a query's plan: roots are evaluated, one request is sent, the proof in its answer is judged, and what is
 * left becomes the client's answer. Nothing of a refused root leaves the process.
 */
import type { AdminAnswer, PlatformCost, PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import { notGranted, unanswered } from '../../lib/platform/admin-api/missing-access.ts';
import { errorsOf } from '../answer/answer-builder.ts';
import { buildAnswer } from '../answer/build-answer.ts';
import type { GraphqlResult } from '../answer/graphql-result.ts';
import { collecting, sumOf } from '../answer/platform-costs.ts';
import type { Refusal } from '../answer/refusal.ts';
import type { FollowRequest, Plan, QueryPlan } from '../compile/plan.ts';
import { OWNED } from '../compile/proofs/write-proof.ts';
import { writeTextAnswer } from '../compile/rewrite-text.ts';
import { conditionsHold } from '../compile/selection/answer-shape.ts';
import type { Variables } from '../compile/selection/upstream-writer.ts';
import type { ObjectsSpecial } from '../roots/evaluate-ids.ts';
import { findEvents } from '../roots/find-events.ts';
import { proofVariables, refuseUnproved } from './judge-proof.ts';
import { type RunContext, sendUpstream } from './run-context.ts';
import { type Inputs, NO_PROOFS, type RunningRoot, skipRoot, startRoot } from './start-root.ts';

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
  const ours: Record<string, unknown> = {};
  const running: RunningRoot[] = [];
  for (const root of plan.roots) {
    const isThere = root.when.some((one) => conditionsHold(one, variables));
    if (isThere) running.push(startRoot(context, root, { variables, ours }));
    else skipRoot(context, root, { variables, ours });
  }
  const asking = { running, variables, ours };
  let answer = await ask(context, plan, asking);
  if (plan.rewriteText !== undefined && answer?.dataText !== undefined) {
    const data = plan.rewriteText(answer.dataText, context.identity.namespaces);
    return { text: writeTextAnswer(data, context.isMerchant ? sumOf(costs) : undefined) };
  }
  // The others, and the proof of those that are out: the only request that is repeated.
  while (answer !== undefined && leaveOutNulled(answer, running)) {
    answer = (await ask(context, plan, asking)) ?? { ...answer, data: {}, errors: [] };
  }
  settle(context, { running, answer, ours });
  if (running.length > 0 && running.every(isUnprovable)) throw notGranted(answer?.errors ?? []);
  if (running.some(({ objects }) => objects !== undefined)) await findEvents(context, running);
  if (answer !== undefined) {
    const isFollowed = running.some(({ root }) => root.special?.kind === 'followed');
    if (isFollowed) await follow(context, { planId: plan.id, running, answer, variables, ours });
  }
  return buildAnswer(context, {
    roots: running.map(({ root, outcome }) => ({ root, outcome: outcome ?? { kind: 'forwarded' } })),
    answer,
    variables,
    document: plan.document,
    costs,
  });
}

type Asking = Inputs & { readonly running: readonly RunningRoot[] };

/** Asks for every root that is not answered yet; undefined if there is none. */
async function ask(context: RunContext, plan: QueryPlan & Identified, { running, variables, ours }: Asking) {
  const open = running.filter(({ outcome, isSent }) => outcome === undefined && isSent);
  setRunVariables(plan, open, { variables, ours });
  if (plan.isProving) Object.assign(ours, proofVariables(running.map(({ proofs }) => proofs)));
  if (open.length === 0) {
    const ids = (ours[OWNED] ?? []) as readonly string[];
    const needsParts = running.some(
      ({ root }) => root.special?.kind === 'objects' && isAskedFor(root.special, ours),
    );
    if (ids.length === 0 && !needsParts) return undefined;
  }
  const { id: planId, upstream, rewriteText } = plan;
  const takesText = context.takesText && rewriteText !== undefined && open.length === running.length;
  return sendUpstream(context, { planId, upstream, variables, ours, mutates: false, takesText });
}

/** Whether something of the platform's stands inside entries that are found here. */
function isAskedFor({ parts }: ObjectsSpecial, ours: Variables): boolean {
  return parts !== undefined && ours[parts.run] === true;
}

function setRunVariables(plan: QueryPlan, open: readonly RunningRoot[], { variables, ours }: Inputs): void {
  for (const root of plan.roots) for (const { variable } of root.run) ours[variable] = false;
  for (const { root } of open) {
    for (const { variable, when } of root.run) ours[variable] = conditionsHold(when, variables);
  }
}

/** Marks the roots whose null took the whole answer along; false if there is none. */
function leaveOutNulled(answer: AdminAnswer, running: readonly RunningRoot[]): boolean {
  if (answer.data !== null) return false;
  const keyOf = ({ path }: PlatformError) => String(path?.[0]);
  // Without its proof nothing may be answered.
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

type Following = Omit<FollowRequest, 'context' | 'errors'> & { readonly running: readonly RunningRoot[] };

/** Asks for what roots need beside the first answer. They are proved: a refused one asks nothing. */
async function follow(context: RunContext, { running, planId, ...first }: Following): Promise<void> {
  for (const one of running) {
    const { root, outcome } = one;
    if (outcome !== undefined || root.special?.kind !== 'followed') continue;
    const errors = errorsOf(first, root);
    one.outcome = await root.special.follow({ ...first, context, planId: `${planId} ${root.key}`, errors });
  }
}

/** Whether nothing of the root can be shown, because the store keeps from us whose it is. */
function isUnprovable({ outcome }: RunningRoot): boolean {
  if (outcome?.kind === 'refused') return outcome.why === 'denied';
  if (outcome?.kind !== 'objects') return false;
  const { ids, refused } = outcome;
  const whys = [...refused.values()];
  return whys.length > 0 && whys.length === ids.length && whys.every((why) => why === 'denied');
}

type Judging = {
  readonly running: readonly RunningRoot[];
  /** Undefined: there was nothing to ask, so there is nothing to prove. */
  readonly answer: AdminAnswer | undefined;
  readonly ours: Variables;
};

/** Judges the proofs; roots that fail are refused. */
function settle({ identity }: RunContext, { running, answer, ours }: Judging): void {
  const isActing = identity.actingCustomerId !== undefined;
  const { data = null, errors = [] } = answer ?? {};
  const judged = { data, errors, ids: (ours[OWNED] ?? []) as readonly string[], identity };
  for (const one of running) {
    const isOpen = one.outcome === undefined || one.outcome.kind === 'absent';
    const proofs = one.objects?.below ?? one.proofs;
    const why = isActing && isOpen ? refuseUnproved(proofs, judged) : undefined;
    if (why !== undefined) one.outcome = { kind: 'refused', why };
    else if (one.objects !== undefined && one.outcome === undefined) {
      const { ids } = one.objects;
      const refused = new Map([...ids.refused].map((position): [number, Refusal] => [position, 'forbidden']));
      for (const [position, nodes] of isActing ? ids.toProve : []) {
        const unproved = refuseUnproved({ ...NO_PROOFS, nodes }, judged);
        if (unproved !== undefined) refused.set(position, unproved);
      }
      one.outcome = { kind: 'objects', ids, refused, events: new Map() };
    }
  }
}
