/** What is kept on the device, and the turn in which it is read and written: a turn is never entered twice at once. */
import type { Environment } from '../device/environment.ts';
import { within } from '../device/within.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Storage } from '../storage/storage.ts';

/** A keychain is slow sometimes. Longer than this it hangs. */
const TURN_MS = 10_000;

export type StoredSession = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly customerId: number;
  /** Epoch milliseconds by the device's clock. */
  readonly receivedAtMs: number;
  /** How long the access token serves from then on. */
  readonly lifeMs: number;
  /** The `state` of the sign-in that it came from. */
  readonly state: string;
};

/** A sign-in that is not over: its browser is open, or its code waits for an answer. */
export type StoredSignIn = {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** Epoch milliseconds by the device's clock. */
  readonly startedAtMs: number;
  readonly code?: string;
};

/** A sign-out that the service has not heard of. */
export type StoredSignOut = Pick<StoredSession, 'customerId' | 'refreshToken'>;

type Lists = { signIns: readonly StoredSignIn[]; signOuts: readonly StoredSignOut[] };
type Kinds = Lists & { session: StoredSession | null };

export type Records = {
  /** Null where none is stored, or none that can be read. Throws STORAGE. */
  session(): Promise<StoredSession | null>;
  /** Empty where nothing is stored, or nothing that can be read. Throws STORAGE. */
  read<Kind extends keyof Lists>(kind: Kind): Promise<Lists[Kind]>;
  /** Null or an empty list removes it. Throws STORAGE. */
  write<Kind extends keyof Kinds>(kind: Kind, value: Kinds[Kind]): Promise<void>;
};

/**
 * Runs work after all work before it, and its writes are over when it is. Throws what the work throws, or STORAGE after 10 s;
 * work that has not begun by then never does, and what has begun keeps the turn until it ends: no late write overtakes another.
 */
export type InTurn = <Result>(work: (records: Records) => Promise<Result>) => Promise<Result>;

export type RecordsParts = {
  readonly environment: Environment;
  readonly storage: Storage;
  readonly shop: string;
};

export function createTurns({ environment, storage, shop }: RecordsParts): InTurn {
  const records = createRecords(storage, (kind) => `subscriptions.${shop}.${kind}`);
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    let isLate = false;
    const currentRun = last.then(() => {
      if (!isLate) return work(records);
      throw new ServiceError('STORAGE');
    });
    last = currentRun.catch(() => undefined);
    return within({ ...environment, ms: TURN_MS, code: 'STORAGE' }, () => currentRun).catch((error) => {
      isLate = true;
      throw error;
    });
  };
}

function createRecords(storage: Storage, keyOf: (kind: string) => string): Records {
  async function read(kind: string) {
    const text = await guard(() => storage.get(keyOf(kind)));
    try {
      return JSON.parse(text ?? 'null');
    } catch {
      // Cut short, or sealed on another phone: as if nothing were stored.
      return null;
    }
  }
  return {
    async session() {
      const session = await read('session');
      return session?.refreshToken ? session : null;
    },
    async read(kind) {
      const list = await read(kind);
      return Array.isArray(list) ? list : [];
    },
    async write(kind, value) {
      const isNothing = value === null || (value as readonly unknown[]).length === 0;
      await guard(() =>
        isNothing ? storage.remove(keyOf(kind)) : storage.set(keyOf(kind), JSON.stringify(value)),
      );
    },
  };
}

async function guard<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new ServiceError('STORAGE', { message: String(cause), cause });
  }
}
