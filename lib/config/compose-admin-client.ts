/** Puts the real parts of the Admin API client together, for every function that has one. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../observability/logger.ts';
import { createAdminClient, type SendAdminOperation } from '../platform/admin-client.ts';
import { createSendAdminRequest } from '../platform/admin-request.ts';
import { createPostForm } from '../platform/grants/post-form.ts';
import { createRenewGrant } from '../platform/grants/renew-grant.ts';
import { createStoreGrants, type StoreGrants } from '../platform/grants/store-grant.ts';
import { createSendSignInRequest } from '../platform/sign-in-request.ts';
import { createThrottleBuckets } from '../platform/throttle-bucket.ts';
import type { Secrets } from '../storage/secrets.ts';
import type { Stores } from '../storage/stores.ts';
import type { Table } from '../storage/table.ts';
import { createVersionReader } from '../storage/versioned-secret.ts';
import type { Environment } from './environment.ts';

export type StoreGrantParts = {
  readonly environment: Environment;
  readonly table: Table;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly logger: Logger;
  readonly now: () => number;
};

/** The grants of all stores, as one container sees them. */
export function composeStoreGrants(parts: StoreGrantParts): StoreGrants {
  const { environment, table, secrets, stores, logger, now } = parts;
  const { secretsPrefix, platformOrigin } = environment;
  const postForm = createPostForm({ send: createSendSignInRequest({ platformOrigin }) });
  const renewGrant = createRenewGrant({
    table,
    secrets,
    secretsPrefix,
    stores,
    postForm,
    platformOrigin,
    logger,
    now,
    wait: waitMs,
  });
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  return createStoreGrants({ stores, readVersion, renewGrant, now });
}

export type AdminClientParts = {
  readonly environment: Environment;
  readonly grants: StoreGrants;
  readonly logger: Logger;
  readonly now: () => number;
};

/** The Admin API client of one container. */
export function composeAdminClient({
  environment,
  grants,
  logger,
  now,
}: AdminClientParts): SendAdminOperation {
  const { platformOrigin, platformApiVersion } = environment;
  return createAdminClient({
    send: createSendAdminRequest(),
    grants,
    buckets: createThrottleBuckets({ now }),
    platformOrigin,
    platformApiVersion,
    logger,
    now,
    random: Math.random,
    wait: waitMs,
  });
}

async function waitMs(ms: number): Promise<void> {
  await wait(ms);
}
