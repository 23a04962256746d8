/** Composes the dependencies of the scheduled work. */

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import {
  createSendWithinBudget,
  type SendWithinBudget,
} from '../../lib/platform/admin-api/send-within-budget.ts';
import type { StoreShard } from '../../lib/storage/scheduled-tasks.ts';
import {
  createStorefrontTokenRepository,
  type StorefrontTokens,
} from '../../lib/storage/storefront-tokens.ts';
import {
  acquireShardLease,
  type ShardLease,
  shardLeaseKey,
} from '../../lib/storage/work-queue/shard-lease.ts';
import { createWorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import { CHANGE_FINISHERS_BY_ACTION } from '../../lib/subscriptions/interval/finish-interval-change.ts';
import {
  createPostponementRepository,
  type Postponements,
} from '../../lib/subscriptions/order-dates/postponements.ts';
import { readPauseEnd } from '../../lib/subscriptions/pause/read-pause-end.ts';
import {
  createTimedPauseRepository,
  type TimedPauseRepository,
} from '../../lib/subscriptions/pause/timed-pauses.ts';
import type { SettleOpenIntentsDeps } from '../../lib/timeline/settle/settle-open-intents.ts';
import { composeSdkStorage } from './compose-sdk-storage.ts';
import { composeStoreAccess, type StoreAccess } from './compose-store-access.ts';

export type ScheduledDeps = StoreAccess & {
  readonly acquireLease: (shard: StoreShard, untilMs: number) => Promise<ShardLease | undefined>;
  readonly wait: (ms: number) => Promise<void>;
  readonly sendWithinBudget: SendWithinBudget;
  readonly storefrontTokens: StorefrontTokens;
  readonly timedPauses: TimedPauseRepository;
  readonly postponements: Postponements;
  readonly enqueueStore: (shopId: ShopId) => Promise<void>;
  readonly platformGidNamespace: string;
  readonly finishers: SettleOpenIntentsDeps['finishers'];
  readonly readPauseEnd: SettleOpenIntentsDeps['readPauseEnd'];
};

/** Creates the dependencies of the scheduled work, for one container. */
export function composeScheduledWork(environment: Environment): ScheduledDeps {
  const storeAccess = composeStoreAccess({
    environment,
    functionName: 'scheduled-work',
    storeParts: ['grant'],
    composeStorage: composeSdkStorage,
  });
  const { now, sendAdminOperation: sendAdmin } = storeAccess;
  const timedPauses = createTimedPauseRepository(storeAccess);
  const withIds = { ...storeAccess, newId: randomUUID };
  const { enqueue } = createWorkQueue(withIds);
  const billingSettings = createBillingSettings(storeAccess);
  const wait = async (ms: number) => setTimeout(ms);
  return {
    ...storeAccess,
    wait,
    acquireLease: (shard, untilMs) => acquireShardLease(withIds, shardLeaseKey(shard), untilMs),
    sendWithinBudget: createSendWithinBudget({ send: sendAdmin, now, wait }),
    enqueueStore: async (shopId) => {
      await enqueue('store-events', shopId);
      // A store whose time zone has changed has another time of its next billing run. This also replaces a queue item
      // that was lost.
      if ((await billingSettings.read(shopId)).version > 0) await enqueue('billing', shopId);
    },
    storefrontTokens: createStorefrontTokenRepository(storeAccess),
    timedPauses,
    postponements: createPostponementRepository(storeAccess),
    platformGidNamespace: environment.platformGidNamespace,
    finishers: CHANGE_FINISHERS_BY_ACTION,
    readPauseEnd: (contract) => readPauseEnd(timedPauses, contract),
  };
}
