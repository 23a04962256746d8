/** The records on the device, and the lock under which they are read and written. The lock is not reentrant. */
import type { Environment } from '../device/environment.ts';
import { runWithTimeLimit } from '../device/run-with-time-limit.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Storage } from '../storage/storage.ts';

/** How long a caller waits for the lock. A keychain can be slow; after this time it counts as hanging. */
const MAX_LOCK_WAIT_MS = 10_000;

export type StoredSession = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly customerId: number;
  /** Epoch milliseconds by the device's clock. */
  readonly receivedAtMs: number;
  /** How long the access token is valid after `receivedAtMs`. */
  readonly lifeMs: number;
  /** The `state` of the sign-in that created the session. */
  readonly state: string;
};

/** A sign-in in progress: its browser is open, or its code awaits a response. */
export type StoredSignIn = {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** Epoch milliseconds by the device's clock. */
  readonly startedAtMs: number;
  readonly code?: string;
};

/** A sign-out that the service has not confirmed. */
export type StoredSignOut = Pick<StoredSession, 'customerId' | 'refreshToken'>;

/** Is stored in place of a session that the service has ended, so that every tab reports the same. */
type EndedSession = { readonly endedByService: true };

type StoredLists = { signIns: readonly StoredSignIn[]; signOuts: readonly StoredSignOut[] };
type StoredValues = StoredLists & { session: StoredSession | EndedSession | null };

export type Records = {
  /**
   * Reads the session.
   * @returns null when no readable session is stored.
   * @throws STORAGE when the storage fails.
   */
  session(): Promise<StoredSession | null>;
  /**
   * Reads whether the service has ended the last session. False while a session is stored.
   * @throws STORAGE when the storage fails.
   */
  isEnded(): Promise<boolean>;
  /**
   * Reads a list; it is empty when no readable list is stored.
   * @throws STORAGE when the storage fails.
   */
  read<Kind extends keyof StoredLists>(kind: Kind): Promise<StoredLists[Kind]>;
  /**
   * Writes an entry; null or an empty list deletes it.
   * @throws STORAGE when the storage fails.
   */
  write<Kind extends keyof StoredValues>(kind: Kind, value: StoredValues[Kind]): Promise<void>;
};

/**
 * Runs work under the lock, after all earlier work; its writes have finished when it resolves. Work that has not
 * started after 10 s never starts. Work that has started holds the lock until it ends, so no late write overtakes
 * another.
 * @throws the work's errors, or STORAGE after 10 s.
 */
export type WithRecords = <Result>(work: (records: Records) => Promise<Result>) => Promise<Result>;

export type RecordsDeps = {
  readonly environment: Environment;
  readonly storage: Storage;
  readonly shop: string;
};

export function createRecordsLock({ environment, storage, shop }: RecordsDeps): WithRecords {
  const lockedRecords = createRecords(storage, (kind) => `subscriptions.${shop}.${kind}`);
  let previousAccess: Promise<unknown> = Promise.resolve();
  return (work) => {
    let hasLockTimedOut = false;
    const runPromise = previousAccess.then(() => {
      if (!hasLockTimedOut) return work(lockedRecords);
      throw new ServiceError('STORAGE');
    });
    previousAccess = runPromise.catch(() => undefined);
    return runWithTimeLimit(
      { ...environment, ms: MAX_LOCK_WAIT_MS, code: 'STORAGE' },
      () => runPromise,
    ).catch((error) => {
      hasLockTimedOut = true;
      throw error;
    });
  };
}

function createRecords(storage: Storage, keyOf: (kind: string) => string): Records {
  async function readRecord(kind: string) {
    const recordText = await withStorageErrors(() => storage.get(keyOf(kind)));
    try {
      return JSON.parse(recordText ?? 'null');
    } catch {
      // A truncated entry, or one that was encrypted on another phone, counts as not stored.
      return null;
    }
  }
  return {
    async session() {
      const session = await readRecord('session');
      return session?.refreshToken ? session : null;
    },
    isEnded: async () => (await readRecord('session'))?.endedByService === true,
    async read(kind) {
      const list = await readRecord(kind);
      return Array.isArray(list) ? list : [];
    },
    async write(kind, value) {
      const isEmptyValue = value === null || (value as readonly unknown[]).length === 0;
      await withStorageErrors(() =>
        isEmptyValue ? storage.remove(keyOf(kind)) : storage.set(keyOf(kind), JSON.stringify(value)),
      );
    },
  };
}

async function withStorageErrors<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new ServiceError('STORAGE', { message: String(cause), cause });
  }
}
