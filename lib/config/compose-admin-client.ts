/** Puts the real parts of the Admin API client together, for every function that has one. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../observability/logger.ts';
import { createAdminClient, type SendAdminOperation } from '../platform/admin-client.ts';
import { createSendAdminRequest } from '../platform/admin-request.ts';
import { createPostForm } from '../platform/post-form.ts';
import { createRefreshGrant } from '../platform/refresh-grant.ts';
import { createSendSignInRequest } from '../platform/sign-in-request.ts';
import { createStoreGrants } from '../platform/store-grant.ts';
import { createThrottleBuckets } from '../platform/throttle-bucket.ts';
import type { Secrets } from '../storage/secrets.ts';
import type { Stores } from '../storage/stores.ts';
import type { Table } from '../storage/table.ts';
import { createVersionReader } from '../storage/versioned-secret.ts';
import type { Environment } from './environment.ts';

export type AdminClientParts = {
  readonly environment: Environment;
  readonly table: Table;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly logger: Logger;
  readonly now: () => number;
};

/** The Admin API client of one container. */
export function composeAdminClient(parts: AdminClientParts): SendAdminOperation {
  const { environment, table, secrets, stores, logger, now } = parts;
  const { secretsPrefix, platformOrigin, platformApiVersion } = environment;
  const postForm = createPostForm({ send: createSendSignInRequest({ platformOrigin }) });
  const waitMs = async (ms: number) => wait(ms);
  const refreshGrant = createRefreshGrant({
    table,
    secrets,
    secretsPrefix,
    stores,
    postForm,
    platformOrigin,
    now,
    wait: waitMs,
  });
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  return createAdminClient({
    send: createSendAdminRequest(),
    grants: createStoreGrants({ stores, readVersion, refreshGrant, now }),
    buckets: createThrottleBuckets({ now }),
    platformOrigin,
    platformApiVersion,
    logger,
    now,
    random: Math.random,
    wait: waitMs,
  });
}
