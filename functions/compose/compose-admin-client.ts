/** Composes the client of the platform's Admin API. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../lib/config/environment.ts';
import { awaitAll } from '../../lib/domain/await-all.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { measurePlatformTime } from '../../lib/observability/request-context.ts';
import { createAdminClient, type SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createSendAdminRequest } from '../../lib/platform/admin-api/admin-request.ts';
import type { CustomerQuota } from '../../lib/platform/admin-api/customer-quota.ts';
import { createThrottleBuckets } from '../../lib/platform/admin-api/throttle-buckets.ts';
import type { StoreGrants } from '../../lib/platform/grants/store-grants.ts';
import type { Table } from '../../lib/storage/table.ts';

export type AdminClientInput = {
  readonly environment: Pick<Environment, 'platformOrigin' | 'platformApiVersion'>;
  readonly grants: StoreGrants;
  readonly logger: Logger;
  readonly now: () => number;
  /** The table that stores customers' quotas of points. Undefined for functions that serve no customers. */
  readonly table?: Table;
};

/** Creates the Admin API client of one container. */
export function composeAdminClient({
  environment,
  grants,
  logger,
  now,
  table,
}: AdminClientInput): SendAdminOperation {
  const { platformOrigin, platformApiVersion } = environment;
  const sendAdminRequest = createSendAdminRequest({ now });
  return createAdminClient({
    send: (post) => measurePlatformTime(() => sendAdminRequest(post)),
    grants,
    buckets: createThrottleBuckets({ now }),
    loadCustomerQuota: table && loadOnce(() => loadCustomerQuota({ table, now })),
    platformOrigin,
    platformApiVersion,
    logger,
    now,
    random: Math.random,
    // The wait for the store's points counts as a wait for the platform.
    wait: (ms) => measurePlatformTime(async () => wait(ms)),
  });
}

/** Loads the quota of customers on demand: most containers never serve a store whose points are scarce. */
async function loadCustomerQuota(deps: {
  readonly table: Table;
  readonly now: () => number;
}): Promise<CustomerQuota> {
  const [{ createCustomerQuota }, { createCustomerQuotaRepository }] = await awaitAll([
    import('../../lib/platform/admin-api/customer-quota.ts'),
    import('../../lib/storage/sessions/customer-quota-repository.ts'),
  ]);
  return createCustomerQuota({ quotaRepository: createCustomerQuotaRepository(deps), now: deps.now });
}
