/**
 * The cached ring of token keys: read every 5 minutes, served from memory during an outage of Secrets Manager, and
 * read again for an unknown key id, which a rotation may have added.
 */
import { createLruCache, type LruCache } from '../domain/lru-cache.ts';
import type { KeyId } from '../domain/tokens/key-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { Secrets } from '../storage/secrets.ts';
import { type KeyRing, parseKeyRing, type RingKey } from './key-ring.ts';

export type TokenKeys = {
  /**
   * Returns the key for new tokens and boxes. If it is one of `refused`, the cached ring is older than a leak, and is
   * read again.
   * @throws TEMPORARILY_UNAVAILABLE when there is no other key yet
   */
  signing(refused?: readonly KeyId[]): Promise<RingKey>;
  /**
   * Finds a key by its id.
   * @returns undefined when the ring does not contain it
   * @throws TEMPORARILY_UNAVAILABLE when that is unknown: the ring cannot be read, or was read a moment ago and the
   * key may be newer
   */
  find(kid: KeyId): RingKey | Promise<RingKey | undefined>;
};

type TokenKeysDeps = {
  readonly secrets: Pick<Secrets, 'read'>;
  readonly secretsPrefix: string;
  /** The name of the ring among the environment's secrets. By default, the ring of customers' tokens. */
  readonly ring?: string;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'error'>;
};

const RING_REREAD_INTERVAL_MS = 5 * 60_000;
const RING_RETRY_AFTER_FAILURE_MS = 30_000;
/** For a refused key the ring is not read again sooner: an operator is replacing it. */
const MIN_RING_REREAD_INTERVAL_MS = 1_000;
/**
 * The maximum number of unknown keys that are stored. Invalid keys can push another one out, which then counts as
 * new.
 */
const MAX_UNKNOWN_KEYS = 1_000;

/** The reads are numbered from 1 in the order of their starts. */
type KeyRingRead = { readonly number: number; readonly ring: Promise<KeyRing> };

type KeyRingCache = {
  ring: KeyRing | undefined;
  /** The number of the read that returned `ring`. */
  ringNumber: number;
  /** How many reads of the ring this container has started; each read has the next number. */
  startedReads: number;
  readAtMs: number;
  failedAtMs: number;
  hasFailed: boolean;
  /** When the last read of `ring` started. */
  readStartedAtMs: number;
  rereadAtMs: number;
  /** For each unknown key: how many reads of the ring had started when the key was first requested. */
  readonly requestedKeys: LruCache<KeyId, number>;
  reading: KeyRingRead | undefined;
};

/** Creates the reader of the ring, one for each container. */
export function createTokenKeyReader(deps: TokenKeysDeps): TokenKeys {
  const keyRingCache: KeyRingCache = {
    ring: undefined,
    ringNumber: 0,
    startedReads: 0,
    readAtMs: -Infinity,
    failedAtMs: -Infinity,
    hasFailed: false,
    readStartedAtMs: -Infinity,
    rereadAtMs: -Infinity,
    requestedKeys: createLruCache(MAX_UNKNOWN_KEYS),
    reading: undefined,
  };
  return {
    async signing(refused = []) {
      const { signing } = findFreshRing(deps, keyRingCache) ?? (await rereadRing(deps, keyRingCache));
      return refused.includes(signing.kid) ? findUnrefusedSigningKey(deps, keyRingCache, refused) : signing;
    },
    find: (kid) => findFreshRing(deps, keyRingCache)?.keys.get(kid) ?? findRereadKey(deps, keyRingCache, kid),
  };
}

/** Finds a key that the fresh ring lacks, or that needs a read of the ring. */
async function findRereadKey(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  kid: KeyId,
): Promise<RingKey | undefined> {
  const { startedReads } = memory;
  const cachedKey = (findFreshRing(deps, memory) ?? (await rereadRing(deps, memory))).keys.get(kid);
  // A read that had started before this request may lack a key that is newer.
  if (cachedKey !== undefined || memory.ringNumber > startedReads) return cachedKey;
  return findUncachedKey(deps, memory, { kid, startedReads });
}

/** Returns the cached ring, or undefined when it has to be read again. */
function findFreshRing({ now }: TokenKeysDeps, memory: KeyRingCache): KeyRing | undefined {
  const nowMs = now();
  const hasFailedRecently = memory.hasFailed && nowMs - memory.failedAtMs < RING_RETRY_AFTER_FAILURE_MS;
  return nowMs - memory.readAtMs < RING_REREAD_INTERVAL_MS || hasFailedRecently ? memory.ring : undefined;
}

/** Reads the ring again. Returns the cached one if it cannot be read. */
async function rereadRing(deps: TokenKeysDeps, memory: KeyRingCache): Promise<KeyRing> {
  const { ring } = memory;
  try {
    return await joinOrStartRingRead(deps, memory);
  } catch (error) {
    if (ring === undefined) throw error;
    deps.logger.error('token_keys.read_failed', { alarm: 'token_keys' });
    return ring;
  }
}

async function findUnrefusedSigningKey(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  refused: readonly KeyId[],
): Promise<RingKey> {
  const waitMs =
    Math.max(memory.readStartedAtMs, memory.failedAtMs) + MIN_RING_REREAD_INTERVAL_MS - deps.now();
  const signingKey = waitMs > 0 ? undefined : (await joinOrStartRingRead(deps, memory)).signing;
  if (signingKey !== undefined && !refused.includes(signingKey.kid)) return signingKey;
  throw keyRingRetryLaterError(
    'the ring signs with a leaked key',
    Math.max(waitMs, MIN_RING_REREAD_INTERVAL_MS),
  );
}

/** `startedReads`: how many reads had started when the key was requested. */
type UnknownKeyId = { readonly kid: KeyId; readonly startedReads: number };

/**
 * Reads the ring again to find a key that is not cached. At most one such read starts in a retry interval, because any
 * caller can send an unknown key id.
 * @returns undefined when the key is missing in a ring that was read after the key was first requested
 * @throws TEMPORARILY_UNAVAILABLE when the ring cannot be read, or was read too recently
 */
async function findUncachedKey(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  { kid, startedReads }: UnknownKeyId,
): Promise<RingKey | undefined> {
  const now = deps.now();
  const { reading } = memory;
  if (reading !== undefined && reading.number > startedReads) return (await reading.ring).keys.get(kid);
  if (memory.hasFailed && now - memory.failedAtMs < RING_RETRY_AFTER_FAILURE_MS)
    throw ringUnreadableError(undefined);
  const requestedBefore = memory.requestedKeys.get(kid);
  if (requestedBefore !== undefined && memory.ringNumber > requestedBefore) return undefined;
  if (requestedBefore === undefined) memory.requestedKeys.set(kid, startedReads);
  const waitMs =
    memory.failedAtMs >= memory.rereadAtMs ? 0 : memory.rereadAtMs + RING_RETRY_AFTER_FAILURE_MS - now;
  // Any caller can send an unknown key id: that is not the service's fault.
  if (waitMs > 0)
    throw keyRingRetryLaterError('an unknown token key, and the ring was read a moment ago', waitMs);
  memory.rereadAtMs = now;
  return (await startRingRead(deps, memory)).keys.get(kid);
}

/** Joins the read in progress, or starts one. */
function joinOrStartRingRead(deps: TokenKeysDeps, memory: KeyRingCache): Promise<KeyRing> {
  return memory.reading?.ring ?? startRingRead(deps, memory);
}

/** Starts a read, even if an earlier one is in progress. */
function startRingRead(deps: TokenKeysDeps, memory: KeyRingCache): Promise<KeyRing> {
  memory.startedReads++;
  const ringReadNumber = memory.startedReads;
  const ringPromise = readRingFromSecret(deps, memory, ringReadNumber);
  memory.reading = { number: ringReadNumber, ring: ringPromise };
  return ringPromise;
}

async function readRingFromSecret(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  number: number,
): Promise<KeyRing> {
  const { secrets, secretsPrefix, ring: ringName = 'token-keys', now } = deps;
  const fromMs = now();
  try {
    const ringSecret = await secrets.read(`${secretsPrefix}/${ringName}`);
    const keyRing = parseKeyRing(ringSecret?.json);
    memory.hasFailed = false;
    if (number > memory.ringNumber) {
      memory.ring = keyRing;
      memory.ringNumber = number;
      memory.readAtMs = now();
      memory.readStartedAtMs = fromMs;
    }
    return keyRing;
  } catch (cause) {
    memory.failedAtMs = now();
    memory.hasFailed = true;
    throw ringUnreadableError(cause);
  } finally {
    if (memory.reading?.number === number) memory.reading = undefined;
  }
}

function keyRingRetryLaterError(internal: string, waitMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new ServiceError('TEMPORARILY_UNAVAILABLE', { internal, retryAfterSeconds });
}

function ringUnreadableError(cause: unknown): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'the ring of token keys cannot be read',
    retryAfterSeconds: 5,
    causedBy: 'us',
    // A parser's error quotes its input: only errors of Secrets Manager are passed on.
    ...(cause instanceof ServiceError && { cause }),
  });
}
