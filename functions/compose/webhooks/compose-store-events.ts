/** The real parts of the worker that acts on what happened at stores are put together here. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import type { SweepDeps } from '../../../lib/privacy/sweep-erasures.ts';
import { createComplianceRequests } from '../../../lib/storage/privacy/compliance-requests.ts';
import { createTombstoneKey } from '../../../lib/storage/privacy/tombstone-key.ts';
import { createTombstones } from '../../../lib/storage/privacy/tombstones.ts';
import { createWakeMarks, type WakeMarks } from '../../../lib/storage/wakes/wake-marks.ts';
import { composeSdkStorage, composeTableScan } from '../compose-sdk-storage.ts';
import { composeStoreAccess, type StoreAccess } from '../compose-store-access.ts';

type StoreEventsDeps = StoreAccess & SweepDeps & { readonly wakeMarks: WakeMarks };

/** The parts that one container works with. */
export function composeStoreEvents(environment: Environment): StoreEventsDeps {
  const access = composeStoreAccess({
    environment,
    functionName: 'store-events',
    storeParts: ['grant'],
    composeStorage: composeSdkStorage,
  });
  const { table, now, secrets } = access;
  const key = createTombstoneKey({ secrets, secretsPrefix: environment.secretsPrefix });
  return {
    ...access,
    newId: randomUUID,
    wakeMarks: createWakeMarks({ ...access, newId: randomUUID }),
    scan: composeTableScan(environment),
    tombstones: createTombstones({ table, key, now }),
    complianceRequests: createComplianceRequests({ table }),
    onErased: async () => undefined,
  };
}
