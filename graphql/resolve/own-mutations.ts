/** The mutations that run our own documents: which of the payload's fields are the platform's, and who does the work. */
import type { AskPlatform, Operation, OperationDeps } from '../../lib/subscriptions/operation.ts';
import type { PauseActor } from '../../lib/subscriptions/pause-record.ts';
import { skipBillingCycle } from '../../lib/subscriptions/skip-billing-cycle.ts';
import { createTimedPauses } from '../../lib/subscriptions/timed-pauses.ts';
import { updateNote } from '../../lib/subscriptions/update-note.ts';
import { updatePaymentMethod } from '../../lib/subscriptions/update-payment-method.ts';
import { authorOf } from '../plan/change-author.ts';
import type { RunContext } from '../plan/run-context.ts';

export type OwnMutation = {
  /** The payload's fields that hold objects of the platform. */
  readonly objectFields: readonly string[];
  readonly operation: Operation;
};

const CYCLE = ['billingCycle'];
const CONTRACT = ['contract'];

const ownMutations: Readonly<Record<string, OwnMutation>> = {
  subscriptionBillingCycleSkip: { objectFields: CYCLE, operation: skipBillingCycle },
  subscriptionContractNoteUpdate: { objectFields: CONTRACT, operation: updateNote },
  subscriptionContractPaymentMethodUpdate: { objectFields: CONTRACT, operation: updatePaymentMethod },
};

/** The mutation of that name; undefined if its behaviour is not there yet. */
export function ownMutation(name: string): OwnMutation | undefined {
  return Object.hasOwn(ownMutations, name) ? ownMutations[name] : undefined;
}

/** What the operation of that name works with, in one request. */
export function operationDeps(context: RunContext, name: string): OperationDeps {
  const { now, deadlineAtMs, store, table, identity } = context;
  return {
    ask: askOf(context, name),
    now,
    deadlineAtMs,
    store,
    platformGidNamespace: identity.namespaces.platform,
    actingCustomerId: identity.actingCustomerId,
    actor: actorOf(context),
    timedPauses: createTimedPauses({ table, now }),
    beginChange: context.timeline.begin(authorOf(context)),
  };
}

/** A key that acts for a customer is that customer's agent. */
function actorOf({ actor, identity }: RunContext): PauseActor {
  const customerId = identity.actingCustomerId;
  const named = actor.kind === 'store' ? { label: actor.keyLabel } : {};
  return customerId === undefined
    ? { kind: 'MERCHANT', ...named }
    : { kind: 'CUSTOMER', customerId, ...named };
}

function askOf(context: RunContext, name: string): AskPlatform {
  return ({ document, variables, mutates }) =>
    context.send({
      store: context.store,
      document,
      variables,
      mutates,
      deadlineAtMs: context.deadlineAtMs,
      costKey: `${name} ${document}`,
      customerId: context.spender,
    });
}
