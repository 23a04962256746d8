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
   * Returns the key for new tokens and boxes. If the cached ring signs with one of `refusedKids`, it is older than a
   * leak, and is read again.
   * @throws TEMPORARILY_UNAVAILABLE when there is no other key yet
   */
  signingKey(refusedKids?: readonly KeyId[]): Promise<RingKey>;
  /**
   * Finds a key by its id.
   * @returns undefined when the ring does not contain it
   * @throws TEMPORARILY_UNAVAILABLE when the ring cannot be read, or was read so recently that it may lack a newer key
   */
  find(kid: KeyId): RingKey | Promise<RingKey | undefined>;
};

type TokenKeysDeps = {
  readonly secrets: Pick<Secrets, 'read'>;
  readonly secretsPrefix: string;
  /** The name of the ring among the environment's secrets. By default, the ring of customers' tokens. */
  readonly ringName?: string;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'error'>;
};

const RING_REREAD_INTERVAL_MS = 5 * 60_000;
const RING_RETRY_AFTER_FAILURE_MS = 30_000;
/** The minimum time between two reads of the ring because of a refused signing key, which an operator is replacing. */
const MIN_RING_REREAD_INTERVAL_MS = 1_000;
/**
 * The maximum number of unknown key ids that are remembered. Many invalid ids can evict another id, which then counts
 * as new.
 */
const MAX_UNKNOWN_KEYS = 1_000;

/** The reads are numbered from 1 in the order of their starts. */
type KeyRingRead = { readonly number: number; readonly ring: Promise<KeyRing> };

type KeyRingCache = {
  ring: KeyRing | undefined;
  /** The number of the read that returned `ring`. */
  ringReadNumber: number;
  /** How many reads of the ring this container has started; each read has the next number. */
  startedReadCount: number;
  ringReadAtMs: number;
  failedAtMs: number;
  hasLastReadFailed: boolean;
  /** When the last read of `ring` started. */
  ringReadStartedAtMs: number;
  unknownKeyReadAtMs: number;
  /** For each unknown key: how many reads of the ring had started when the key was first requested. */
  readonly readCountByUnknownKid: LruCache<KeyId, number>;
  readInProgress: KeyRingRead | undefined;
};

/** Creates the reader of the ring, one for each container. */
export function createTokenKeyReader(deps: TokenKeysDeps): TokenKeys {
  const keyRingCache: KeyRingCache = {
    ring: undefined,
    ringReadNumber: 0,
    startedReadCount: 0,
    ringReadAtMs: -Infinity,
    failedAtMs: -Infinity,
    hasLastReadFailed: false,
    ringReadStartedAtMs: -Infinity,
    unknownKeyReadAtMs: -Infinity,
    readCountByUnknownKid: createLruCache(MAX_UNKNOWN_KEYS),
    readInProgress: undefined,
  };
  return {
    async signingKey(refusedKids = []) {
      const { signingKey } = findFreshRing(deps, keyRingCache) ?? (await rereadRing(deps, keyRingCache));
      return refusedKids.includes(signingKey.kid)
        ? findUnrefusedSigningKey(deps, keyRingCache, refusedKids)
        : signingKey;
    },
    find: (kid) => findFreshRing(deps, keyRingCache)?.keys.get(kid) ?? findRereadKey(deps, keyRingCache, kid),
  };
}

/** Finds a key that the cached ring lacks, or for which the ring must be read again because the cache is too old. */
async function findRereadKey(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  kid: KeyId,
): Promise<RingKey | undefined> {
  const { startedReadCount } = memory;
  const cachedKey = (findFreshRing(deps, memory) ?? (await rereadRing(deps, memory))).keys.get(kid);
  // A read that had started before this request may lack a key that is newer.
  if (cachedKey !== undefined || memory.ringReadNumber > startedReadCount) return cachedKey;
  return findUncachedKey(deps, memory, { kid, readCountAtRequest: startedReadCount });
}

/** Returns the cached ring, or undefined when it has to be read again. */
function findFreshRing({ now }: TokenKeysDeps, memory: KeyRingCache): KeyRing | undefined {
  const nowMs = now();
  const hasFailedRecently =
    memory.hasLastReadFailed && nowMs - memory.failedAtMs < RING_RETRY_AFTER_FAILURE_MS;
  return nowMs - memory.ringReadAtMs < RING_REREAD_INTERVAL_MS || hasFailedRecently ? memory.ring : undefined;
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
  refusedKids: readonly KeyId[],
): Promise<RingKey> {
  const waitMs =
    Math.max(memory.ringReadStartedAtMs, memory.failedAtMs) + MIN_RING_REREAD_INTERVAL_MS - deps.now();
  const signingKey = waitMs > 0 ? undefined : (await joinOrStartRingRead(deps, memory)).signingKey;
  if (signingKey !== undefined && !refusedKids.includes(signingKey.kid)) return signingKey;
  throw keyRingRetryLaterError(
    'the ring signs with a leaked key',
    Math.max(waitMs, MIN_RING_REREAD_INTERVAL_MS),
  );
}

/** `readCountAtRequest`: how many reads had started when the key was requested. */
type UnknownKeyId = { readonly kid: KeyId; readonly readCountAtRequest: number };

/**
 * Reads the ring again to find a key that is not cached. At most one such read starts in a retry interval, because any
 * caller can send an unknown key id.
 * @returns undefined when the key is missing in a ring that was read after the key was first requested
 * @throws TEMPORARILY_UNAVAILABLE when the ring cannot be read, or was read too recently
 */
async function findUncachedKey(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  { kid, readCountAtRequest }: UnknownKeyId,
): Promise<RingKey | undefined> {
  const nowMs = deps.now();
  const { readInProgress } = memory;
  if (readInProgress !== undefined && readInProgress.number > readCountAtRequest)
    return (await readInProgress.ring).keys.get(kid);
  if (memory.hasLastReadFailed && nowMs - memory.failedAtMs < RING_RETRY_AFTER_FAILURE_MS)
    throw ringUnreadableError(undefined);
  const readCountAtFirstRequest = memory.readCountByUnknownKid.get(kid);
  if (readCountAtFirstRequest !== undefined && memory.ringReadNumber > readCountAtFirstRequest)
    return undefined;
  if (readCountAtFirstRequest === undefined) memory.readCountByUnknownKid.set(kid, readCountAtRequest);
  const waitMs =
    memory.failedAtMs >= memory.unknownKeyReadAtMs
      ? 0
      : memory.unknownKeyReadAtMs + RING_RETRY_AFTER_FAILURE_MS - nowMs;
  // Any caller can send an unknown key id: that is not the service's fault.
  if (waitMs > 0)
    throw keyRingRetryLaterError('an unknown token key, and the ring was read a moment ago', waitMs);
  memory.unknownKeyReadAtMs = nowMs;
  return (await startRingRead(deps, memory)).keys.get(kid);
}

/** Joins the read in progress, or starts one. */
function joinOrStartRingRead(deps: TokenKeysDeps, memory: KeyRingCache): Promise<KeyRing> {
  return memory.readInProgress?.ring ?? startRingRead(deps, memory);
}

/** Starts a read, even if an earlier one is in progress. */
function startRingRead(deps: TokenKeysDeps, memory: KeyRingCache): Promise<KeyRing> {
  memory.startedReadCount++;
  const ringReadNumber = memory.startedReadCount;
  const ringPromise = readRingFromSecret(deps, memory, ringReadNumber);
  memory.readInProgress = { number: ringReadNumber, ring: ringPromise };
  return ringPromise;
}

async function readRingFromSecret(
  deps: TokenKeysDeps,
  memory: KeyRingCache,
  readNumber: number,
): Promise<KeyRing> {
  const { secrets, secretsPrefix, ringName = 'token-keys', now } = deps;
  const readStartedAtMs = now();
  try {
    const ringSecret = await secrets.read(`${secretsPrefix}/${ringName}`);
    const keyRing = parseKeyRing(ringSecret?.json);
    memory.hasLastReadFailed = false;
    if (readNumber > memory.ringReadNumber) {
      memory.ring = keyRing;
      memory.ringReadNumber = readNumber;
      memory.ringReadAtMs = now();
      memory.ringReadStartedAtMs = readStartedAtMs;
    }
    return keyRing;
  } catch (cause) {
    memory.failedAtMs = now();
    memory.hasLastReadFailed = true;
    throw ringUnreadableError(cause);
  } finally {
    if (memory.readInProgress?.number === readNumber) memory.readInProgress = undefined;
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
