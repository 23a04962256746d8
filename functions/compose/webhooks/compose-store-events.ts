/** The real parts of the worker that acts on what happened at stores are put together here. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import { createWakeMarks, type WakeMarks } from '../../../lib/storage/wakes/wake-marks.ts';
import { composeSdkStorage } from '../compose-sdk-storage.ts';
import { composeStoreAccess, type StoreAccess } from '../compose-store-access.ts';

type StoreEventsDeps = StoreAccess & { readonly wakeMarks: WakeMarks };

/** The parts that one container works with. */
export function composeStoreEvents(environment: Environment): StoreEventsDeps {
  const access = composeStoreAccess({
    environment,
    functionName: 'store-events',
    storeParts: ['grant'],
    composeStorage: composeSdkStorage,
  });
  return { ...access, wakeMarks: createWakeMarks({ ...access, newId: randomUUID }) };
}
