/** A retry settles the open intents of its first request, as the scheduled work would, before it is answered. */
import type { SendWithinBudget } from '../../../lib/platform/admin-api/send-within-budget.ts';
import type { RequestWithIdempotencyKey } from '../../../lib/storage/idempotency-record.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { CHANGE_FINISHERS_BY_ACTION } from '../../../lib/subscriptions/interval/finish-interval-change.ts';
import { readPauseEnd } from '../../../lib/subscriptions/pause/read-pause-end.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import type { FirstRequest } from '../../../lib/timeline/idempotency-records.ts';
import { settleDueIntentsOfContract } from '../../../lib/timeline/settle/settle-intents-of-contract.ts';
import type { RunContext } from '../../plan/run-context.ts';

/**
 * Returns the outcome of the first request.
 * @throws TEMPORARILY_UNAVAILABLE, and the errors of the platform's client
 */
export async function settleFirstRequest(
  context: RunContext,
  request: RequestWithIdempotencyKey,
): Promise<FirstRequest> {
  const { idempotency } = context.timeline;
  const firstRequest = await idempotency.findFirst(request);
  if (firstRequest.kind !== 'open') return firstRequest;
  const { table, now, store, logger, identity, deadlineAtMs } = context;
  const timedPauses = createTimedPauseRepository({ table, now });
  const deps = {
    ...{ table, now, logger, finishers: CHANGE_FINISHERS_BY_ACTION },
    scheduledTasks: createScheduledTaskRepository({ table, now }),
    readPauseEnd: (contract: Parameters<typeof readPauseEnd>[1]) => readPauseEnd(timedPauses, contract),
    sendWithinBudget: createSendWithinBudget(context),
    platformGidNamespace: identity.namespaces.platform,
  };
  await settleDueIntentsOfContract(deps, { store, intent: firstRequest.intent, endAtMs: deadlineAtMs });
  return idempotency.findFirst(request);
}

/** Sends requests within the time and the points of the client's request. */
function createSendWithinBudget({ send, deadlineAtMs }: RunContext): SendWithinBudget {
  return ({ store, document, variables, mutates, costKey }) =>
    send({ store, document, variables, mutates, costKey, callerNamespaces: undefined, deadlineAtMs });
}
