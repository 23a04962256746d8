/** The real parts of stores' grants are put together here. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../lib/config/environment.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { createPostForm } from '../../lib/platform/grants/post-form.ts';
import { createRenewGrant } from '../../lib/platform/grants/renew-grant.ts';
import { createStoreGrants, type StoreGrants } from '../../lib/platform/grants/store-grants.ts';
import { createSendSignInRequest } from '../../lib/platform/sign-in/sign-in-request.ts';
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { Stores } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';

export type StoreGrantParts = {
  readonly environment: Pick<Environment, 'secretsPrefix' | 'platformOrigin'>;
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
    newId: randomUUID,
    wait: async (ms) => wait(ms),
  });
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  return createStoreGrants({ stores, readVersion, renewGrant, now });
}
