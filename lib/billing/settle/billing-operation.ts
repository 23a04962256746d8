/** Runs operations with the service as the actor: the changes of a contract before and after its orders are charged. */
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { Operation, OperationDecision, OperationRequest } from '../../subscriptions/operation.ts';
import type { OperationOutcome } from '../../subscriptions/operation-error.ts';
import type { ClaimDeps } from '../../subscriptions/order-dates/claim-orders.ts';
import type { PostponementDeps } from '../../subscriptions/order-dates/postponements.ts';
import type { PauseDeps, TimedPauseRepository } from '../../subscriptions/pause/timed-pauses.ts';
import { runOperation } from '../../subscriptions/run-operation.ts';
import { NO_SELECTION } from '../../subscriptions/send-change.ts';
import type { EventActor } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { BillingSettings } from '../records/settings-record.ts';

export type BillingOperationDeps = PostponementDeps & {
  readonly timeline: Pick<Timeline, 'begin' | 'readEvents'>;
  readonly timedPauses: TimedPauseRepository;
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

/** A time slice of one store's billing. `endAtMs`: when it ends, epoch milliseconds. */
export type BillingTurn = {
  readonly store: StoreRecord;
  /** The settings that apply to the app's present installation. */
  readonly settings: BillingSettings;
  readonly endAtMs: number;
};

type BillingOperation = {
  readonly turn: Pick<BillingTurn, 'endAtMs' | 'store'>;
  /** The request id of the timeline's entries. */
  readonly requestId: string;
  /** Why the operation is run: an English sentence in the timeline, for merchants and operators. */
  readonly reason: string;
  readonly args: OperationRequest['args'];
};

const SERVICE_ACTOR: EventActor = { kind: 'SERVICE' };

/**
 * Runs an operation with the service as its actor. `selectedFields` is null in the outcome when the platform, or the
 * operation, refused it.
 * @throws the errors of the operation
 */
export function runBillingOperation(
  deps: BillingOperationDeps,
  operation: Operation<ClaimDeps & PauseDeps>,
  { turn, requestId, reason, args }: BillingOperation,
): Promise<OperationOutcome> {
  const { store, endAtMs } = turn;
  const beginChange = deps.timeline.begin({
    ...{ shopId: store.shopId, actor: SERVICE_ACTOR, requestId, readAtMs: deps.now() },
  });
  const operationDeps: ClaimDeps & PauseDeps = {
    ...deps,
    sendToPlatform: (request) =>
      deps.sendWithinBudget({ ...request, store, endAtMs, costKey: request.document }),
    deadlineAtMs: endAtMs,
    store,
    actingCustomerId: undefined,
    actor: SERVICE_ACTOR,
    readEvents: deps.timeline.readEvents,
    beginChange: (intent) => beginChange({ ...intent, details: { ...intent.details, reason } }),
    dryRuns: NO_DRY_RUNS,
  };
  const decideOperation = (): Promise<OperationDecision> =>
    operation(operationDeps, { args, selection: NO_SELECTION });
  return runOperation(operationDeps, decideOperation);
}

/** These operations make changes and never preview them, so there are no dry runs. */
const NO_DRY_RUNS = {
  countDryRun: async () => undefined,
  readPauseEndMs: async () => undefined,
  readOrderCounts: async () => undefined,
};
