/** Composes the access tokens (grants) with which the service calls the platform for stores. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../lib/config/environment.ts';
import { awaitAll } from '../../lib/domain/await-all.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { measurePlatformTime } from '../../lib/observability/request-context.ts';
import type { RenewGrant } from '../../lib/platform/grants/renew-grant.ts';
import { createStoreGrantReader, type StoreGrants } from '../../lib/platform/grants/store-grants.ts';
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { Stores } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';

export type StoreGrantsInput = {
  readonly environment: Pick<Environment, 'secretsPrefix' | 'platformOrigin'>;
  readonly table: Table;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly logger: Logger;
  readonly now: () => number;
};

/** Creates the grants of all stores for one container. */
export function composeStoreGrants(input: StoreGrantsInput): StoreGrants {
  const { environment, secrets, stores, now } = input;
  const { secretsPrefix } = environment;
  const readVersion = createVersionReader({ secrets, secretsPrefix });
  const loadRenewal = loadOnce(() => composeRenewal(input));
  const renewGrant: RenewGrant = async (...request) => (await loadRenewal())(...request);
  return createStoreGrantReader({ stores, readVersion, renewGrant, now });
}

/** Loads the renewal on demand, because few requests renew a grant. */
async function composeRenewal(input: StoreGrantsInput): Promise<RenewGrant> {
  const { environment, ...otherDeps } = input;
  const { secretsPrefix, platformOrigin } = environment;
  const [{ createPostForm }, { createRenewGrant }, { createSendSignInRequest }] = await awaitAll([
    import('../../lib/platform/grants/post-form.ts'),
    import('../../lib/platform/grants/renew-grant.ts'),
    import('../../lib/platform/sign-in/sign-in-request.ts'),
  ]);
  const sendSignInRequest = createSendSignInRequest({ platformOrigin });
  return createRenewGrant({
    ...otherDeps,
    secretsPrefix,
    platformOrigin,
    postForm: createPostForm({ send: (request) => measurePlatformTime(() => sendSignInRequest(request)) }),
    newId: randomUUID,
    wait: async (ms) => wait(ms),
  });
}
