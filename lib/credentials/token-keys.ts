/**
 * The ring of token keys, kept in memory: read every 5 minutes, served from memory through an outage of
 * Secrets Manager, and read again for a key id that is not known, as a rotation may have brought it.
 */
import type { KeyId } from '../domain/key-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { Secrets } from '../storage/secrets.ts';
import { type KeyRing, parseKeyRing, type RingKey } from './key-ring.ts';

export type TokenKeys = {
  /** The key that makes new tokens and boxes. */
  signing(): Promise<RingKey>;
  /** Undefined: the ring has no such key. TEMPORARILY_UNAVAILABLE: it is not known, the ring being out of reach. */
  find(kid: KeyId): Promise<RingKey | undefined>;
};

export type TokenKeysDeps = {
  readonly secrets: Pick<Secrets, 'read'>;
  readonly secretsPrefix: string;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'error'>;
};

const FRESH_MS = 5 * 60_000;
const RETRY_MS = 30_000;

type Memory = {
  ring: KeyRing | undefined;
  readAtMs: number;
  failedAtMs: number;
  hasFailed: boolean;
  rereadAtMs: number;
  reading: Promise<KeyRing> | undefined;
};

/** The ring's reader. One a container. */
export function createTokenKeys(deps: TokenKeysDeps): TokenKeys {
  const memory: Memory = {
    ring: undefined,
    readAtMs: -Infinity,
    failedAtMs: -Infinity,
    hasFailed: false,
    rereadAtMs: -Infinity,
    reading: undefined,
  };
  return {
    signing: async () => (await freshRing(deps, memory)).signing,
    async find(kid) {
      const readBefore = memory.readAtMs;
      const known = (await freshRing(deps, memory)).find(kid);
      if (known !== undefined || memory.readAtMs !== readBefore) return known;
      return (await rereadRing(deps, memory))?.find(kid);
    },
  };
}

async function freshRing(deps: TokenKeysDeps, memory: Memory): Promise<KeyRing> {
  const now = deps.now();
  const { ring } = memory;
  const isTriedLately = memory.hasFailed && now - memory.failedAtMs < RETRY_MS;
  if (ring && (now - memory.readAtMs < FRESH_MS || isTriedLately)) return ring;
  try {
    return await readRing(deps, memory);
  } catch (error) {
    if (ring === undefined) throw error;
    deps.logger.error('the token keys cannot be read: the ones in memory go on', { alarm: 'token_keys' });
    return ring;
  }
}

/** Undefined: it was read again a moment ago, and the key was not in it. */
async function rereadRing(deps: TokenKeysDeps, memory: Memory): Promise<KeyRing | undefined> {
  const now = deps.now();
  if (memory.hasFailed && now - memory.failedAtMs < RETRY_MS) throw unreadable(undefined);
  if (!memory.hasFailed && now - memory.rereadAtMs < RETRY_MS) return undefined;
  memory.rereadAtMs = now;
  return readRing(deps, memory);
}

function readRing(deps: TokenKeysDeps, memory: Memory): Promise<KeyRing> {
  memory.reading ??= readOnce(deps, memory).finally(() => {
    memory.reading = undefined;
  });
  return memory.reading;
}

async function readOnce({ secrets, secretsPrefix, now }: TokenKeysDeps, memory: Memory): Promise<KeyRing> {
  try {
    const secret = await secrets.read(`${secretsPrefix}/token-keys`);
    const ring = parseKeyRing(secret?.json);
    memory.ring = ring;
    memory.readAtMs = now();
    memory.hasFailed = false;
    return ring;
  } catch (cause) {
    memory.failedAtMs = now();
    memory.hasFailed = true;
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'the ring of token keys cannot be read',
    retryAfterSeconds: 5,
    causedBy: 'us',
    // A parser's error quotes what it read: only Secrets Manager's own is passed on.
    ...(cause instanceof ServiceError && { cause }),
  });
}
