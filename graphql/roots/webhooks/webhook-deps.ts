/** The dependencies that manage webhook endpoints, with the table and clock of the request. */
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { createTryCounter } from '../../../lib/subscriptions/details/limited-tries.ts';
import {
  type ManageEndpointsDeps,
  REPLAY_REQUEST_LIMITS,
} from '../../../lib/webhooks/manage/change-endpoints.ts';
import type { TestEndpointDeps } from '../../../lib/webhooks/manage/test-endpoint.ts';
import type { RunContext } from '../../plan/run-context.ts';

/**
 * Creates the dependencies. After the request's deadline they resolve no host name, and so send nothing to merchants'
 * servers, because the name servers and endpoints of merchants may never respond.
 */
export async function createWebhookDeps(
  context: RunContext,
): Promise<ManageEndpointsDeps & TestEndpointDeps> {
  const { loadWebhooks, table, now, deadlineAtMs, requestId } = context;
  if (loadWebhooks === undefined) throw new Error('this function manages no endpoints');
  const webhookModules = await loadWebhooks();
  const { enqueue } = createWorkQueue({ table, now, newId: webhookModules.newId });
  const { resolve } = webhookModules.guard;
  const addressGuard = {
    ...webhookModules.guard,
    resolve: async (name: string) => (now() < deadlineAtMs ? resolve(name) : []),
  };
  return {
    ...webhookModules,
    guard: addressGuard,
    table,
    now,
    deadlineAtMs,
    async countReplayRequest(shopId, kind) {
      const ref = { shopId, action: `webhook${kind}`, subject: 'STORE' };
      const tryResult = await createTryCounter({ table, now }).count(
        ref,
        REPLAY_REQUEST_LIMITS[kind],
        requestId,
      );
      return tryResult.outcome === 'exhausted' ? tryResult.untilMs : undefined;
    },
    enqueue: (shopId: ShopId) => enqueue('webhook-deliveries', shopId),
  };
}
