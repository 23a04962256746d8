/** The grants of the first store as a container of the service has them, at the clock of the world. */

import { composeStoreGrants } from '../../functions/compose/compose-store-grants.ts';
import { parseShopId } from '../../lib/domain/shop-id.ts';
import { renewDueGrants } from '../../lib/platform/grants/renew-due-grants.ts';
import { createScheduledTaskRepository } from '../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import { composeOperator } from '../../operator/operator.ts';
import { closeTarget, openTarget } from '../../operator/target.ts';
import { NO_TRACE } from '../../operator/trace/trace.ts';
import type { OperatorWorld } from './operator-world.ts';

const RUN_MS = 3_600_000;

export type GrantContainer = Awaited<ReturnType<typeof openContainer>>;

/** Does it in a container of its own. */
export async function withinContainer<T>(
  world: OperatorWorld,
  work: (it: GrantContainer) => Promise<T>,
): Promise<T> {
  const it = await openContainer(world);
  try {
    return await work(it);
  } finally {
    it.close();
  }
}

async function openContainer(world: OperatorWorld) {
  const target = await openTarget({ env: 'local', state: world.stateFile });
  const parts = composeOperator(target, { progress: () => undefined, trace: NO_TRACE, isDryRun: false });
  const reported: Record<string, unknown>[] = [];
  const log = (_message: string, fields?: object) => void reported.push({ ...fields });
  const logger = { debug: log, info: log, warn: log, error: log };
  const grants = composeStoreGrants({ ...parts, logger, environment: target });
  const shopId = parseShopId(world.platform.stores[0]?.shopId ?? 0) as NonNullable<
    ReturnType<typeof parseShopId>
  >;
  const store = async () => (await parts.stores.find(shopId)) as StoreRecord;
  const work = { ...parts, logger, grants, scheduledTasks: createScheduledTaskRepository(parts) };
  return {
    /** Returns the alarms with their fields. */
    alarms: () => reported.filter(({ alarm }) => alarm !== undefined),
    /** The token that a request would use. */
    token: async () => (await grants.read(await store())).accessToken,
    /** Renews grants like the scheduled work. */
    schedule: () => renewDueGrants(work, parts.now() + RUN_MS),
    close() {
      closeTarget(target);
    },
  };
}
