/**
 * The client of the platform's Admin API; all requests to it use this client. It waits for the store's bucket,
 * retries what can be retried within the deadline, and converts every failure to an error of the catalogue. It never
 * sends a mutation twice unless the platform certainly did not run it.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import { createLruCache, type LruCache } from '../../domain/lru-cache.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { GrantRefused } from '../grants/grant-refused.ts';
import type { StoreToken } from '../grants/platform-grant.ts';
import type { StoreGrants } from '../grants/store-grants.ts';
import {
  type AdminAttemptOutcome,
  secondsUntilRetry,
  toAdminAttemptOutcome,
  toPlatformServiceError,
} from './admin-attempt-outcome.ts';
import type { SendAdminRequest } from './admin-request.ts';
import { createAdminPeersByDomain, reportOtherApiVersion } from './admin-request.ts';
import {
  type AdminResponse,
  classifyAdminResponse,
  isAccessDenied,
  isEveryMutationRootDenied,
  type PlatformCost,
  type PlatformError,
  type RawAdminResponse,
} from './admin-response.ts';
import type { CustomerQuota } from './customer-quota.ts';
import type { GidNamespaces } from './rejected-document-error.ts';
import type { ThrottleBuckets } from './throttle-buckets.ts';
import {
  admitRequest,
  recordSpentPoints,
  requirePointsWithoutWait,
  throttledRetryLaterError,
  type WaitBudget,
  waitWithinBudget,
} from './wait-for-points.ts';

export type AdminOperation = {
  readonly store: StoreRecord;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly mutates: boolean;
  /** Set if the document contains values from a caller, who can correct them if they are rejected. */
  readonly callerNamespaces?: GidNamespaces | undefined;
  /** Epoch milliseconds; see `requestDeadlineAtMs`. */
  readonly deadlineAtMs: number;
  /** Identifies what determines the cost: the document and its page sizes. */
  readonly costKey: string;
  /** The customer for whom the request is made, who gets at most a share of the bucket. */
  readonly customerId?: CustomerId | undefined;
  /** How long all operations of the customer's request may wait for points; set with `customerId`. */
  readonly waitBudget?: WaitBudget | undefined;
  /** Whether the response's data may be returned as unparsed text. */
  readonly acceptsDataText?: boolean;
  /**
   * Whether the caller can do without the response. The operation is then sent at most once, without waiting, and only
   * while the store's points and the customer's quota are plentiful. Its failures are not logged.
   */
  readonly isOptional?: boolean;
};

/**
 * Sends one operation, never after its deadline.
 * @throws THROTTLED, QUERY_TOO_COMPLEX, PLATFORM_UNAVAILABLE, STORE_DISCONNECTED
 * @throws STORE_ACCESS_MISSING when access to the whole request, or to every root of a mutation, is denied
 * @throws OUTCOME_UNKNOWN only for mutations
 * @throws GRAPHQL_VALIDATION_FAILED when the platform rejected the document; INTERNAL_ERROR if it contains no values
 * from a caller
 */
export type SendAdminOperation = (operation: AdminOperation) => Promise<AdminResponse>;

type AdminClientDeps = {
  readonly send: SendAdminRequest;
  readonly grants: Pick<StoreGrants, 'read' | 'renew'>;
  readonly buckets: ThrottleBuckets;
  /**
   * Loads the quota with which customers' requests claim points. Without it, they only wait. See wait-for-points.ts.
   */
  readonly loadCustomerQuota?: (() => Promise<CustomerQuota>) | undefined;
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
  readonly logger: Logger;
  readonly now: () => number;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
};

const REQUEST_DEADLINE_MS = 20_000;
const MAX_SEND_ATTEMPTS = 5;
const RETRY_BACKOFF_MS = 150;
/**
 * The maximum pause before a throttled request is repeated. Points are restored continuously, so other requests would
 * consume them during a longer pause.
 */
const MAX_THROTTLED_BACKOFF_MS = 1_000;
const MAX_CACHED_COSTS = 10_000;

/** Returns the deadline of a request that starts now: before API Gateway's timeout of 30 s. */
export function requestDeadlineAtMs(nowMs: number): number {
  return nowMs + REQUEST_DEADLINE_MS;
}

/** The memory of a container between requests. */
type AdminClientCache = {
  /** The cost that the platform last reported for each cost key. The next request with the key reserves these points. */
  readonly costByKey: LruCache<string, number>;
  readonly peerOf: ReturnType<typeof createAdminPeersByDomain>;
};

/** Creates the client of a container. */
export function createAdminClient(deps: AdminClientDeps): SendAdminOperation {
  const clientCache: AdminClientCache = {
    costByKey: createLruCache<string, number>(MAX_CACHED_COSTS),
    peerOf: createAdminPeersByDomain(deps),
  };
  return async (operation) => {
    if (operation.isOptional) return sendOptionalOperation(deps, operation, clientCache);
    const raiseAlarm = (error: unknown) => throwWithAlarm(deps, operation, error);
    let token = await deps.grants.read(operation.store).catch(raiseAlarm);
    let isGrantRenewed = false;
    for (let attemptNumber = 1; ; attemptNumber++) {
      const attemptOutcome = await reserveAndSendAttempt(deps, {
        operation,
        token,
        clientCache,
      });
      if (attemptOutcome.kind === 'answered') return attemptOutcome.response;
      if (attemptOutcome.kind === 'unauthorized' && !isGrantRenewed) {
        isGrantRenewed = true;
        token = await deps.grants.renew(operation.store, token.versionId).catch(raiseAlarm);
        continue;
      }
      await waitBeforeRetry(deps, operation, { attemptOutcome, tries: attemptNumber });
    }
  };
}

/**
 * Sends an optional operation.
 * @throws ServiceError when it was not sent, or has no response
 */
async function sendOptionalOperation(
  deps: AdminClientDeps,
  operation: AdminOperation,
  clientCache: AdminClientCache,
): Promise<AdminResponse> {
  const token = await deps.grants.read(operation.store);
  requirePointsWithoutWait(deps, operation, clientCache.costByKey.get(operation.costKey) ?? 0);
  const attemptOutcome = await reserveAndSendAttempt(deps, { operation, token, clientCache });
  if (attemptOutcome.kind === 'answered') return attemptOutcome.response;
  throw toPlatformServiceError(attemptOutcome, operation);
}

/**
 * Throws an error of reading or renewing the store's token. A store without a token raises the same alarm as a store
 * whose token was refused.
 */
function throwWithAlarm({ logger }: AdminClientDeps, { store }: AdminOperation, error: unknown): never {
  if (error instanceof ServiceError && error.code === 'STORE_DISCONNECTED') {
    const failureReason = error instanceof GrantRefused ? error.reason : error.internal;
    const logFields = { shopId: store.shopId, reason: failureReason };
    logger.error('platform_request.failed', { ...logFields, alarm: 'store-disconnected' });
  }
  throw error;
}

type AttemptToSend = {
  readonly operation: AdminOperation;
  readonly token: StoreToken;
  readonly clientCache: AdminClientCache;
};

async function reserveAndSendAttempt(
  deps: AdminClientDeps,
  { operation, token, clientCache }: AttemptToSend,
): Promise<AdminAttemptOutcome> {
  const { costKey } = operation;
  const expectedPoints = clientCache.costByKey.get(costKey) ?? 0;
  const pointsReservation = await admitRequest(deps, operation, expectedPoints);
  let platformCost: PlatformCost | undefined;
  let attemptOutcome: AdminAttemptOutcome;
  try {
    attemptOutcome = await sendAttempt(deps, { operation, token, clientCache });
    platformCost = costOfOutcome(attemptOutcome);
  } finally {
    pointsReservation.end(platformCost);
  }
  if (platformCost !== undefined) {
    if (platformCost.requestedQueryCost !== expectedPoints)
      clientCache.costByKey.set(costKey, platformCost.requestedQueryCost);
    const pendingRecording = recordSpentPoints(deps, operation, platformCost.actualQueryCost ?? 0);
    if (pendingRecording !== undefined) await pendingRecording;
  }
  if (!operation.mutates || attemptOutcome.kind !== 'answered') return attemptOutcome;
  if (isEveryMutationRootDenied(attemptOutcome.response))
    return { kind: 'denied', errors: attemptOutcome.response.errors };
  if (operation.waitBudget !== undefined) operation.waitBudget.isChanging = true;
  return attemptOutcome;
}

/** Sends the request of an attempt, unless its deadline has passed, and parses the response. */
async function sendAttempt(
  deps: AdminClientDeps,
  { operation, token, clientCache }: AttemptToSend,
): Promise<AdminAttemptOutcome> {
  const { store, document: query, variables } = operation;
  const timeoutMs = operation.deadlineAtMs - deps.now();
  // The process may have been paused since the caller took a lease or a claim: another process may have it by now.
  if (timeoutMs <= 0) return { kind: 'not-sent' };
  const adminPeer = clientCache.peerOf(store.domain);
  let rawResponse: RawAdminResponse;
  try {
    rawResponse = await deps.send({
      url: adminPeer.url,
      accessToken: token.accessToken,
      body: JSON.stringify({ query, variables }),
      timeoutMs,
      freshConnection: operation.mutates,
    });
  } catch (error) {
    return toAdminAttemptOutcome(error);
  }
  reportOtherApiVersion(deps, {
    peer: adminPeer,
    shopId: store.shopId,
    respondingVersion: rawResponse.apiVersion,
  });
  const attemptOutcome = classifyAdminResponse(rawResponse, operation.acceptsDataText);
  const errors = errorsOfOutcome(attemptOutcome);
  if (errors.some(isAccessDenied)) {
    // Loaded on demand: it has the table of all accesses, which most containers never need.
    const { reportMissingAccess } = await import('./report-missing-access.ts');
    reportMissingAccess(deps.logger, {
      shopId: store.shopId,
      reportedHandles: adminPeer.reportedHandles,
      errors,
    });
  }
  return attemptOutcome;
}

/**
 * Waits until the next attempt may start.
 * @throws the error of the attempt when there is no further attempt
 */
async function waitBeforeRetry(
  deps: AdminClientDeps,
  operation: AdminOperation,
  { attemptOutcome, tries }: { attemptOutcome: AdminAttemptOutcome; tries: number },
): Promise<void> {
  if (
    isRetriableFailure(attemptOutcome, operation) &&
    (tries < MAX_SEND_ATTEMPTS || mayWaitUntilDeadline(attemptOutcome, operation))
  ) {
    const waitMs = computeRetryDelayMs(deps, attemptOutcome, tries);
    const waitLimits =
      attemptOutcome.kind === 'throttled' ? operation : { deadlineAtMs: operation.deadlineAtMs };
    if (await waitWithinBudget(deps, waitLimits, waitMs)) return;
  }
  const error =
    attemptOutcome.kind === 'throttled'
      ? throttledRetryLaterError(deps, operation, attemptOutcome)
      : toPlatformServiceError(attemptOutcome, operation);
  const logFields = { shopId: operation.store.shopId, reason: attemptOutcome.kind, tries };
  if (error.code === 'STORE_DISCONNECTED') {
    deps.logger.error('platform_request.failed', { ...logFields, alarm: 'store-disconnected' });
  } else if (attemptOutcome.kind !== 'denied') deps.logger.warn('platform_request.failed', logFields);
  throw error;
}

function isRetriableFailure(attemptOutcome: AdminAttemptOutcome, { mutates }: AdminOperation): boolean {
  if (attemptOutcome.kind === 'throttled' || attemptOutcome.kind === 'not-sent') return true;
  if (mutates) return false;
  return (
    attemptOutcome.kind === 'lost' || (attemptOutcome.kind === 'unavailable' && attemptOutcome.retryable)
  );
}

/** Whether the request may wait until its deadline: a request of a merchant's server, or a change that has started. */
function mayWaitUntilDeadline(attemptOutcome: AdminAttemptOutcome, { waitBudget }: AdminOperation): boolean {
  return attemptOutcome.kind === 'throttled' && (waitBudget === undefined || waitBudget.isChanging);
}

function computeRetryDelayMs(
  { random }: AdminClientDeps,
  attemptOutcome: AdminAttemptOutcome,
  tries: number,
): number {
  const backoffMs = RETRY_BACKOFF_MS * 2 ** (tries - 1) * (0.5 + random());
  if (attemptOutcome.kind !== 'throttled') return backoffMs;
  return Math.max(Math.min(backoffMs, MAX_THROTTLED_BACKOFF_MS), secondsUntilRetry(attemptOutcome) * 1000);
}

function errorsOfOutcome(attemptOutcome: AdminAttemptOutcome): readonly PlatformError[] {
  if (attemptOutcome.kind === 'answered') return attemptOutcome.response.errors;
  return attemptOutcome.kind === 'denied' ? attemptOutcome.errors : [];
}

function costOfOutcome(attemptOutcome: AdminAttemptOutcome): PlatformCost | undefined {
  if (attemptOutcome.kind === 'answered') return attemptOutcome.response.cost;
  return attemptOutcome.kind === 'throttled' || attemptOutcome.kind === 'too-costly'
    ? attemptOutcome.cost
    : undefined;
}
