/** The mutations that run our own documents: which object of the payload is the platform's, and who does the work. */
import type { AnswerSelection } from '../../lib/subscriptions/answer-selection.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import { type AskPlatform, skipBillingCycle } from '../../lib/subscriptions/skip-billing-cycle.ts';
import type { RunContext } from '../plan/run-context.ts';

export type OwnRequest = {
  /** Coerced; ids as the platform names them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly selection: AnswerSelection;
};

export type OwnMutation = {
  /** The payload's field that holds the changed object. */
  readonly objectField: string;
  readonly run: (context: RunContext, request: OwnRequest) => Promise<OperationOutcome>;
};

const ownMutations: Readonly<Record<string, OwnMutation>> = {
  subscriptionBillingCycleSkip: {
    objectField: 'billingCycle',
    run: (context, { args, selection }) =>
      skipBillingCycle(
        {
          ask: askOf(context, 'skip'),
          now: context.now,
          platformGidNamespace: context.identity.namespaces.platform,
        },
        {
          contractId: String(args.contractId),
          billingCycleIndex: Number(args.billingCycleIndex),
          // `skip: null` is true, as the schema's default is.
          skip: args.skip !== false,
          expectedDate: typeof args.expectedDate === 'string' ? args.expectedDate : undefined,
          actingCustomerId: context.identity.actingCustomerId,
          selection,
        },
      ),
  },
};

/** The mutation of that name; undefined if its behaviour is not there yet. */
export function ownMutation(name: string): OwnMutation | undefined {
  return Object.hasOwn(ownMutations, name) ? ownMutations[name] : undefined;
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
