/** The real parts of the Admin API client are put together here. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../lib/config/environment.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { createPlatformTime, type PlatformTime } from '../../lib/observability/platform-time.ts';
import { createAdminClient, type SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createSendAdminRequest } from '../../lib/platform/admin-api/admin-request.ts';
import { createThrottleBuckets } from '../../lib/platform/admin-api/throttle-buckets.ts';
import type { StoreGrants } from '../../lib/platform/grants/store-grants.ts';

export type AdminClientParts = {
  readonly environment: Pick<Environment, 'platformOrigin' | 'platformApiVersion'>;
  readonly grants: StoreGrants;
  readonly logger: Logger;
  readonly now: () => number;
  /** Counts what is waited for: the platform, and the store's points. */
  readonly platformTime?: PlatformTime;
};

/** The Admin API client of one container. */
export function composeAdminClient({
  environment,
  grants,
  logger,
  now,
  platformTime = createPlatformTime(now),
}: AdminClientParts): SendAdminOperation {
  const { platformOrigin, platformApiVersion } = environment;
  const send = createSendAdminRequest();
  return createAdminClient({
    send: (post) => platformTime.spend(() => send(post)),
    grants,
    buckets: createThrottleBuckets({ now }),
    platformOrigin,
    platformApiVersion,
    logger,
    now,
    random: Math.random,
    wait: (ms) => platformTime.spend(async () => wait(ms)),
  });
}
