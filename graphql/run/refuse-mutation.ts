/**
 * A mutation's roots may run or not: all of them are proved in one request, before the first runs, which also reads
 * what a single one has to know before it changes anything.
 */
import type { ErrorCode } from '../../lib/errors/catalogue.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { unanswered } from '../../lib/platform/admin-api/missing-access.ts';
import { OWNED } from '../compile/ownership/write-ownership-query.ts';
import { readBeforeVariables, readSeen } from '../compile/read-before-change.ts';
import type { Run, Running } from '../plan/mutation-run.ts';
import type { OpenOwnershipChecks } from '../plan/root-kind.ts';
import { logStoreChange } from './log-store-change.ts';
import { sendUpstream } from './send-upstream.ts';
import { argumentsOf } from './start-root.ts';
import { ownershipVariables, refuseUnproved } from './verify-ownership.ts';

/** The reason why each root must not run; undefined: it may. */
type Refusals = {
  readonly refusals: readonly (ErrorCode | undefined)[];
  /** The state that a single mutation has to know before it changes anything, if it was read with the ownership check. */
  readonly seen: Run['seen'];
};

/** Checks whether the roots may run. */
export async function refuseMutation(run: Run, running: readonly Running[]): Promise<Refusals> {
  const { identity } = run.context;
  const isActing = identity.actingCustomerId !== undefined;
  const known = running.map(({ mutation, evaluation }): ErrorCode | undefined => {
    if (mutation.isActingCustomerRequired && !isActing) return 'CUSTOMER_REQUIRED';
    return evaluation.refusal;
  });
  if (known.some((code) => code !== undefined)) return { refusals: known, seen: undefined };
  const ownDeletions = running.filter((one) => deletesOwnToken(run, one));
  if (ownDeletions.length > 0) {
    for (const one of ownDeletions) logStoreChange(run.context, one, 'refused');
    throw new ServiceError('FORBIDDEN', OWN_TOKEN);
  }
  // A single mutation of our own reads its proof together with the state that it needs anyway.
  if (running.length === 1 && running[0]?.mutation.own !== undefined) {
    return { refusals: known, seen: undefined };
  }
  return checkOwnership(run, running);
}

const OWN_TOKEN = {
  message:
    "This storefront token is the service's own: customers' apps show the catalogue with it. It stays.",
};

/** Whether a key would take from every customer's app the catalogue, until somebody finds out. */
function deletesOwnToken({ context: { store } }: Run, { mutation, evaluation }: Running): boolean {
  const { storefrontTokenId: own } = store;
  const isDelete = mutation.root.name === 'storefrontAccessTokenDelete';
  return isDelete && own !== undefined && evaluation.ids.includes(own);
}

/** Asks for the proofs of all roots, and for what a single one has to know before it changes anything. */
async function checkOwnership(run: Run, running: readonly Running[]): Promise<Refusals> {
  const { context, plan, variables } = run;
  const { identity } = context;
  const ownershipChecks = running.map(({ evaluation }): OpenOwnershipChecks => evaluation.ownershipChecks);
  const ownershipInput = ownershipVariables(ownershipChecks);
  const isActing = identity.actingCustomerId !== undefined;
  const isNeeded =
    isActing &&
    ownershipChecks.some(
      ({ nodes, addresses, contents }) => nodes.length + addresses.length + contents.length > 0,
    );
  const only = plan.mutations.length === 1 ? running[0]?.mutation : undefined;
  const before =
    only?.forwarded?.readBefore && readBeforeVariables(only.forwarded.change, argumentsOf(run, only));
  if (plan.ownershipQuery === undefined || !(isNeeded || before)) {
    return { refusals: running.map(() => undefined), seen: undefined };
  }
  const answer = await sendUpstream(context, {
    planId: `${plan.id} proof`,
    upstream: plan.ownershipQuery,
    variables,
    internalVariables: { ...ownershipInput, ...before },
    mutates: false,
  });
  const { data, errors } = answer;
  if (data === null) throw unanswered('no proof', errors);
  const evidence = { data, errors, ids: ownershipInput[OWNED] as readonly string[], identity };
  const whys = ownershipChecks.map((one) => (isActing ? refuseUnproved(one, evidence) : undefined));
  const refusals = whys.map((why) => (why === 'forbidden' ? 'FORBIDDEN' : undefined));
  // A root that is refused stays so; nothing can be said of the others.
  if (!refusals.includes('FORBIDDEN') && whys.some((why) => why !== undefined))
    throw unanswered('no proof', errors);
  const isRead = before !== undefined && !refusals.includes('FORBIDDEN');
  return { refusals, seen: isRead ? readSeen(answer) : undefined };
}
