/** Composes the dependencies of the function that receives the platform's webhooks. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import { createContainerShutdown } from '../../../lib/http/container-shutdown.ts';
import { createLogger, type Logger } from '../../../lib/observability/logger.ts';
import { createInbox, type Inbox } from '../../../lib/storage/inbox/inbox.ts';
import { createSecretUseRepository } from '../../../lib/storage/inbox/secret-uses.ts';
import { createStoreRepository, type Stores } from '../../../lib/storage/stores.ts';
import { createVersionReader } from '../../../lib/storage/versioned-secret.ts';
import { createWorkQueue, type WorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { createVerifySignature, type VerifySignature } from '../../../lib/webhooks/in/verify-signature.ts';
import { composeStorage, type TableAndSecrets } from '../compose-storage.ts';
import type { WithContainerEnd } from '../compose-store-access.ts';

export type PlatformWebhooksDeps = {
  readonly now: () => number;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly inbox: Inbox;
  readonly workQueue: WorkQueue;
  readonly verifySignature: VerifySignature;
};

/** Creates the dependencies of the endpoint for the platform's webhooks, for one container. */
export function composePlatformWebhooks(environment: Environment): PlatformWebhooksDeps & WithContainerEnd {
  const { secretsPrefix, logLevel } = environment;
  const now = Date.now;
  const logger = createLogger({
    ...{ functionName: 'platform-webhooks', level: logLevel },
    metrics: { namespace: secretsPrefix, now },
  });
  const containerEnd = createContainerShutdown({ logger });
  const storage = composeStorage(environment, containerEnd.request);
  return { containerEnd, ...composePlatformWebhooksWith({ ...storage, secretsPrefix, now, logger }) };
}

type PlatformWebhooksInput = TableAndSecrets &
  Pick<PlatformWebhooksDeps, 'now' | 'logger'> & { readonly secretsPrefix: string };

/** @internal Creates the dependencies with any table and secrets, for tests. */
export function composePlatformWebhooksWith({
  table,
  secrets,
  secretsPrefix,
  now,
  logger,
}: PlatformWebhooksInput): PlatformWebhooksDeps {
  const storageDeps = { table, now, newId: randomUUID };
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  return {
    now,
    logger,
    stores: createStoreRepository({ table, parts: [] }),
    inbox: createInbox(storageDeps),
    workQueue: createWorkQueue(storageDeps),
    verifySignature: createVerifySignature({
      readVersion,
      secretUses: createSecretUseRepository({ table }),
      now,
    }),
  };
}
