/** Composes the worker that processes the stores' platform webhooks. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import { createStoreBudget } from '../../../lib/platform/admin-api/store-budget.ts';
import type { EraseDeps } from '../../../lib/privacy/erase-customer.ts';
import type { SweepDeps } from '../../../lib/privacy/sweep-erasures.ts';
import { noticeErased } from '../../../lib/privacy/tell-erased.ts';
import { createMarks, type Marks } from '../../../lib/storage/marks/marks.ts';
import { createComplianceRequests } from '../../../lib/storage/privacy/compliance-requests.ts';
import { createTombstoneKey } from '../../../lib/storage/privacy/tombstone-key.ts';
import { createTombstones } from '../../../lib/storage/privacy/tombstones.ts';
import { createWakeMarks, type WakeMarks } from '../../../lib/storage/wakes/wake-marks.ts';
import type { ActDeps } from '../../../lib/store-events/marks/act-on-marks.ts';
import { markFamilies } from '../../../lib/store-events/marks/mark-families.ts';
import type { PassDeps } from '../../../lib/store-events/nightly/nightly-pass.ts';
import { createTimedPauses } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import { composeSdkStorage, composeTableScan } from '../compose-sdk-storage.ts';
import { composeStoreAccess, type StoreAccess } from '../compose-store-access.ts';

type StoreEventsDeps = StoreAccess &
  SweepDeps &
  EraseDeps &
  PassDeps &
  ActDeps & { readonly marks: Marks; readonly wakeMarks: WakeMarks };

/** Creates the parts of one container. */
export function composeStoreEvents(environment: Environment): StoreEventsDeps {
  const access = composeStoreAccess({
    environment,
    functionName: 'store-events',
    storeParts: ['grant'],
    composeStorage: composeSdkStorage,
  });
  const { table, now, secrets, wait, sendAdminOperation: send } = access;
  const key = createTombstoneKey({ secrets, secretsPrefix: environment.secretsPrefix });
  const tombstones = createTombstones({ table, key, now });
  const parts = {
    ...access,
    newId: randomUUID,
    wakeMarks: createWakeMarks({ ...access, newId: randomUUID }),
    scan: composeTableScan(environment),
    tombstones,
    complianceRequests: createComplianceRequests({ table }),
    // The platform hardly knows a customer whom it asks to erase: snapshots and the sweep find the contracts.
    contractsOf: async () => [],
    onErased: noticeErased(access),
    sendWithinBudget: createStoreBudget({ send, now, wait }),
    timedPauses: createTimedPauses(access),
    platformGidNamespace: environment.platformGidNamespace,
    marks: createMarks({ ...access, newId: randomUUID }),
  };
  return { ...parts, families: markFamilies(parts) };
}
