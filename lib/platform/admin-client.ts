/**
 * The only way to the platform's Admin API. Waits for the store's bucket, retries what may be retried inside
 * the deadline, and turns every failure into an error of the catalogue. A mutation is never sent twice unless
 * the platform certainly did not run it.
 */
import { LRUCache } from 'lru-cache';
import type { CustomerId } from '../domain/customer-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { StoreRecord } from '../storage/stores.ts';
import { type AdminAnswer, type AdminReading, type PlatformCost, readAdminAnswer } from './admin-answer.ts';
import { AdminTransportError, type SendAdminRequest } from './admin-request.ts';
import type { StoreGrants, StoreToken } from './store-grant.ts';
import type { ThrottleBuckets } from './throttle-bucket.ts';

export type AdminOperation = {
  readonly store: StoreRecord;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly mutates: boolean;
  /** Epoch milliseconds; see `deadlineAfter`. */
  readonly deadlineAtMs: number;
  /** Names what decides the cost: the document and its page sizes. */
  readonly costKey: string;
  /** Set if the request is made for one customer: it then gets its share of the bucket at most. */
  readonly customerId?: CustomerId | undefined;
};

/**
 * Sends one operation. Errors: THROTTLED, QUERY_TOO_COMPLEX, PLATFORM_UNAVAILABLE, STORE_DISCONNECTED,
 * OUTCOME_UNKNOWN (mutations alone), INTERNAL_ERROR (the platform refused our document).
 */
export type SendAdminOperation = (operation: AdminOperation) => Promise<AdminAnswer>;

export type AdminClientDeps = {
  readonly send: SendAdminRequest;
  readonly grants: StoreGrants;
  readonly buckets: ThrottleBuckets;
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
  readonly logger: Logger;
  readonly now: () => number;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

const DEADLINE_MS = 20_000;
/** Less than this is not worth a try. */
const SHORTEST_TRY_MS = 250;
const MAX_TRIES = 5;
const BACKOFF_MS = 150;
const MAX_KNOWN_COSTS = 10_000;
/** A connection used this recently is alive; an older one may have died unseen. */
const TRUSTED_IDLE_MS = 2_000;

/** When a request that starts now must be answered: before API Gateway gives up at 30 s. */
export function deadlineAfter(nowMs: number): number {
  return nowMs + DEADLINE_MS;
}

/** What a container remembers between requests. */
type Memory = {
  /** By cost key: what the platform said the request costs. */
  readonly costs: LRUCache<string, number>;
  /** By domain. */
  readonly lastAnswerAtMs: LRUCache<string, number>;
};

/** The client of a container. */
export function createAdminClient(deps: AdminClientDeps): SendAdminOperation {
  const memory: Memory = {
    costs: new LRUCache<string, number>({ max: MAX_KNOWN_COSTS }),
    lastAnswerAtMs: new LRUCache<string, number>({ max: MAX_KNOWN_COSTS }),
  };
  return async (operation) => {
    let token = await deps.grants.read(operation.store);
    let renewed = false;
    for (let tries = 1; ; tries++) {
      const reading = await attempt(deps, { operation, token, memory }).catch(readFailure);
      if (reading.kind === 'answered') return reading.answer;
      if (reading.kind === 'unauthorized' && !renewed) {
        renewed = true;
        token = await deps.grants.renew(operation.store, token.versionId);
        continue;
      }
      await waitBeforeRetry(deps, operation, { reading, tries });
    }
  };
}

type Attempt = {
  readonly operation: AdminOperation;
  readonly token: StoreToken;
  readonly memory: Memory;
};

async function attempt(deps: AdminClientDeps, { operation, token, memory }: Attempt): Promise<AdminReading> {
  const { store, customerId, costKey, document: query, variables } = operation;
  const spender = { shopId: store.shopId, customerId };
  const reserved = memory.costs.get(costKey) ?? 0;
  await waitForBucket(deps, operation, reserved);
  deps.buckets.spend(spender, reserved);
  const idleMs = deps.now() - (memory.lastAnswerAtMs.get(store.domain) ?? 0);
  const raw = await deps.send({
    url: adminUrl(deps, store.domain),
    accessToken: token.accessToken,
    body: JSON.stringify({ query, variables }),
    timeoutMs: Math.max(1, operation.deadlineAtMs - deps.now()),
    freshConnection: operation.mutates && idleMs > TRUSTED_IDLE_MS,
  });
  memory.lastAnswerAtMs.set(store.domain, deps.now());
  const reading = readAdminAnswer(raw);
  const cost = costOf(reading);
  if (cost !== undefined) {
    memory.costs.set(costKey, cost.requestedQueryCost);
    deps.buckets.learn(spender, cost, reserved);
  }
  return reading;
}

type Failure =
  | AdminReading
  | { readonly kind: 'lost' }
  | { readonly kind: 'not-sent' }
  | { kind: 'too-large' };

function readFailure(error: unknown): Failure {
  if (!(error instanceof AdminTransportError)) throw error;
  if (error.kind === 'too-large') return { kind: 'too-large' };
  return { kind: error.sent ? 'lost' : 'not-sent' };
}

/** Returns when the next try may start; throws if there is none. */
async function waitBeforeRetry(
  deps: AdminClientDeps,
  operation: AdminOperation,
  { reading, tries }: { reading: Failure; tries: number },
): Promise<void> {
  const error = toError(reading, operation);
  const retriable = isRetriable(reading, operation.mutates) && tries < MAX_TRIES;
  const waitMs = retriable ? retryDelayMs(deps, reading, tries) : Infinity;
  if (deps.now() + waitMs + SHORTEST_TRY_MS > operation.deadlineAtMs) {
    const facts = { shopId: operation.store.shopId, reason: reading.kind, tries };
    if (error.code === 'STORE_DISCONNECTED') {
      deps.logger.error('platform request failed', { ...facts, alarm: 'store-disconnected' });
    } else deps.logger.warn('platform request failed', facts);
    throw error;
  }
  await deps.wait(waitMs);
}

function isRetriable(reading: Failure, mutates: boolean): boolean {
  if (reading.kind === 'throttled' || reading.kind === 'not-sent') return true;
  if (mutates) return false;
  return reading.kind === 'lost' || (reading.kind === 'unavailable' && reading.retryable);
}

function retryDelayMs({ random }: AdminClientDeps, reading: Failure, tries: number): number {
  const backoffMs = BACKOFF_MS * 2 ** (tries - 1) * (0.5 + random());
  if (reading.kind !== 'throttled') return backoffMs;
  return Math.max(backoffMs, throttledSeconds(reading) * 1000);
}

/** (requested − available) / restore rate, or what the platform says. */
function throttledSeconds({ retryAfterSeconds, cost }: Extract<Failure, { kind: 'throttled' }>): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  if (cost === undefined) return 1;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  const missing = Math.max(0, cost.requestedQueryCost - currentlyAvailable);
  return missing / Math.max(1, restoreRate);
}

function toError(reading: Failure, { mutates }: AdminOperation): ServiceError {
  switch (reading.kind) {
    case 'throttled':
      return throttled(throttledSeconds(reading), reading.cost);
    case 'too-costly':
      return new ServiceError('QUERY_TOO_COMPLEX', {
        message: reading.message,
        ...(reading.cost && { extensions: { cost: reading.cost } }),
      });
    case 'too-large':
      return mutates
        ? new ServiceError('OUTCOME_UNKNOWN', { internal: 'the answer is too large' })
        : new ServiceError('QUERY_TOO_COMPLEX', {
            message: 'The answer is larger than 5 MB. Ask for fewer objects at a time.',
          });
    case 'unauthorized':
    case 'disconnected':
      return new ServiceError('STORE_DISCONNECTED', { internal: reading.kind });
    case 'rejected':
      return new ServiceError('INTERNAL_ERROR', {
        internal: `the platform refused our document: ${reading.reason}`,
      });
    case 'not-sent':
      return new ServiceError('PLATFORM_UNAVAILABLE', { internal: 'no connection', retryAfterSeconds: 2 });
    default:
      return mutates
        ? new ServiceError('OUTCOME_UNKNOWN', { internal: reading.kind })
        : new ServiceError('PLATFORM_UNAVAILABLE', { internal: reading.kind, retryAfterSeconds: 2 });
  }
}

async function waitForBucket(deps: AdminClientDeps, operation: AdminOperation, cost: number): Promise<void> {
  const spender = { shopId: operation.store.shopId, customerId: operation.customerId };
  const admission = deps.buckets.admit(spender, cost);
  if (admission === 'never') {
    throw new ServiceError('QUERY_TOO_COMPLEX', {
      message: `The query costs ${cost} points, more than the platform allows at all. Ask for fewer objects.`,
    });
  }
  if (admission.waitMs === 0) return;
  if (deps.now() + admission.waitMs + SHORTEST_TRY_MS > operation.deadlineAtMs) {
    throw throttled(admission.waitMs / 1000, undefined);
  }
  await deps.wait(admission.waitMs);
}

function throttled(seconds: number, cost: PlatformCost | undefined): ServiceError {
  return new ServiceError('THROTTLED', {
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    ...(cost && { extensions: { cost } }),
  });
}

function costOf(reading: AdminReading): PlatformCost | undefined {
  if (reading.kind === 'answered') return reading.answer.cost;
  return reading.kind === 'throttled' || reading.kind === 'too-costly' ? reading.cost : undefined;
}

function adminUrl({ platformOrigin, platformApiVersion }: AdminClientDeps, domain: string): string {
  return `${platformOrigin.replaceAll('{shop}', domain)}/admin/api/${platformApiVersion}/graphql.json`;
}
