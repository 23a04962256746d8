/** Composes the dependencies of the worker that delivers webhooks to merchants' endpoints. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import { createTokenKeyReader } from '../../../lib/credentials/token-keys.ts';
import { createLogger, type Logger } from '../../../lib/observability/logger.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createStoreRepository } from '../../../lib/storage/stores.ts';
import { createWorkQueue, type WorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import type { AppendDeps } from '../../../lib/timeline/append/append-queued-items.ts';
import type { WebhookDeliveryWorkDeps } from '../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import { WEBHOOK_KEY_RING_NAME } from '../../../lib/webhooks/endpoint-secrets.ts';
import { allowsLoopbackEndpoints, resolveHostName } from '../../../lib/webhooks/guard-address.ts';
import { createWebhookSender, type WebhookSender } from '../../../lib/webhooks/send-webhook.ts';
import { composeAppending } from '../compose-appending.ts';
import { composeSdkStorage } from '../compose-sdk-storage.ts';

export type DeliveryDeps = WebhookDeliveryWorkDeps &
  AppendDeps & { readonly logger: Logger; readonly workQueue: Pick<WorkQueue, 'leaseStores'> };

type DeliveryContainerDeps = DeliveryDeps & {
  /** Closes the connections to endpoints after a run, because Lambda freezes the container until the next run. */
  readonly closeConnections: WebhookSender['close'];
};

/** Creates the dependencies of the worker that delivers webhooks to merchants, for one container. */
export function composeWebhookDeliveries(environment: Environment): DeliveryContainerDeps {
  const { secretsPrefix, logLevel, platformOrigin, gidNamespace } = environment;
  const now = Date.now;
  const { table, secrets } = composeSdkStorage(environment);
  const logger = createLogger({
    ...{ functionName: 'webhook-deliveries', level: logLevel },
    metrics: { namespace: secretsPrefix, now },
  });
  const addressGuard = { resolve: resolveHostName, allowsLoopback: allowsLoopbackEndpoints(platformOrigin) };
  const { send, close } = createWebhookSender(addressGuard);
  return {
    ...{ table, now, logger, send, random: Math.random, closeConnections: close },
    scheduledTasks: createScheduledTaskRepository({ table, now }),
    stores: createStoreRepository({ table, parts: [] }),
    ...composeAppending({ table, now }),
    tokenKeys: createTokenKeyReader({ secrets, secretsPrefix, ringName: WEBHOOK_KEY_RING_NAME, now, logger }),
    gidNamespace,
    workQueue: createWorkQueue({ table, now, newId: randomUUID }),
  };
}
