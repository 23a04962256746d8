/** Composes the access to stores, which both GraphQL functions and the workers use. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../lib/config/environment.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { type ContainerShutdown, createContainerShutdown } from '../../lib/http/container-shutdown.ts';
import { createLogger, type Logger } from '../../lib/observability/logger.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import type { StoreGrants } from '../../lib/platform/grants/store-grants.ts';
import { createScheduledTaskRepository, type ScheduledTasks } from '../../lib/storage/scheduled-tasks.ts';
import type { Secrets } from '../../lib/storage/secrets.ts';
import { createStoreRepository, type StoreItemPart, type Stores } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import { createVersionReader, type VersionReader } from '../../lib/storage/versioned-secret.ts';
import type { ApplyOutcomeToCharge } from '../../lib/timeline/attempt-outcome.ts';
import type { Timeline, TimelineDeps } from '../../lib/timeline/timeline.ts';
import { composeAdminClient } from './compose-admin-client.ts';
import type { TableAndSecrets } from './compose-storage.ts';
import { composeStoreGrants } from './compose-store-grants.ts';

export type StoreAccess = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly logger: Logger;
  readonly table: Table;
  readonly scheduledTasks: ScheduledTasks;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly readVersion: VersionReader;
  readonly grants: StoreGrants;
  readonly sendAdminOperation: SendAdminOperation;
  readonly timeline: Timeline;
  readonly applyOutcomeToCharge: ApplyOutcomeToCharge;
};

export type WithContainerEnd = { readonly containerEnd: ContainerShutdown };
type StoreAccessInput = {
  readonly environment: Environment;
  readonly functionName: string;
  /** The items of a store that the function reads in addition to the STORE item: its grant, its admin keys. */
  readonly storeParts: readonly StoreItemPart[];
  readonly composeStorage: (environment: Environment, onCredentialsExpired: () => void) => TableAndSecrets;
};

/** Creates the dependencies for one container. `functionName` is a field of every log line. */
export function composeStoreAccess({
  environment,
  functionName,
  storeParts,
  composeStorage,
}: StoreAccessInput): StoreAccess & WithContainerEnd {
  const { secretsPrefix, logLevel } = environment;
  const now = Date.now;
  const logger = createLogger({
    ...{ functionName, level: logLevel },
    metrics: { namespace: secretsPrefix, now },
  });
  const containerEnd = createContainerShutdown({ logger });
  const { table, secrets } = composeStorage(environment, containerEnd.request);
  const stores = createStoreRepository({ table, parts: storeParts });
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const storeGrants = composeStoreGrants({ environment, table, secrets, stores, logger, now });
  const loadApplyOutcomeToCharge = loadOnce(async () => {
    const { composeApplyOutcomeToCharge } = await import('./compose-apply-outcome-to-charge.ts');
    return composeApplyOutcomeToCharge({ table, stores, logger, now });
  });
  const applyOutcomeToCharge: ApplyOutcomeToCharge = async (outcome) =>
    (await loadApplyOutcomeToCharge())(outcome);
  return {
    containerEnd,
    now,
    wait: async (ms) => wait(ms),
    logger,
    table,
    scheduledTasks,
    secrets,
    stores,
    readVersion: createVersionReader({ secrets, secretsPrefix }),
    grants: storeGrants,
    sendAdminOperation: composeAdminClient({ environment, grants: storeGrants, logger, now, table }),
    timeline: composeTimeline({ table, scheduledTasks, logger, now, applyOutcomeToCharge }),
    applyOutcomeToCharge,
  };
}

/** Loads the timeline's code with the first change or the first read of entries, because most requests need neither. */
function composeTimeline(deps: Omit<TimelineDeps, 'newId'>): Timeline {
  const loadTimeline = loadOnce(async () => {
    const { createTimeline } = await import('../../lib/timeline/timeline.ts');
    return createTimeline({ ...deps, newId: randomUUID });
  });
  return {
    begin: (author) => async (intent) => (await loadTimeline()).begin(author)(intent),
    readEvents: async (request) => (await loadTimeline()).readEvents(request),
    findEvents: async (...names) => (await loadTimeline()).findEvents(...names),
    idempotency: {
      findFirst: async (idempotentRequest) => (await loadTimeline()).idempotency.findFirst(idempotentRequest),
      claim: async (...parameters) => (await loadTimeline()).idempotency.claim(...parameters),
      storeResponse: async (...parameters) => (await loadTimeline()).idempotency.storeResponse(...parameters),
      storeUnchanged: async (...parameters) =>
        (await loadTimeline()).idempotency.storeUnchanged(...parameters),
      release: async (idempotentRequest) => (await loadTimeline()).idempotency.release(idempotentRequest),
    },
  };
}
