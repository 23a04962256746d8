/**
 * The idempotency keys of changes. Claims a key for a request; finds the outcome of the first request with the key by the
 * key's record, and by the intent and the entry that the record names.
 */
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  claimIdempotencyKey,
  type IdempotencyKeyClaim,
  storeResponse,
} from '../storage/claim-idempotency-key.ts';
import {
  type ClaimableIdempotencyKey,
  EMPTY_RESPONSE,
  type IdempotencyRecord,
  type RequestWithIdempotencyKey,
  type StoredResponse,
  toIdempotencyRecord,
} from '../storage/idempotency-record.ts';
import type { Table } from '../storage/table.ts';
import {
  type ContractNumber,
  contractNumberOfGid,
  type EventRecord,
  findTimelineEntry,
  parseEventNumber,
} from './event-record.ts';
import {
  findIntent,
  type OpenIntent,
  removeIntent,
  SETTLE_INTENT_AFTER_MS,
  type TimelineWriteDeps,
} from './intent.ts';

/** The idempotency records of a store. The methods throw TEMPORARILY_UNAVAILABLE when the table cannot be used. */
export type IdempotencyRecords = {
  /** Finds the outcome of the first request with this key. */
  findFirst(request: RequestWithIdempotencyKey): Promise<FirstRequest>;
  /** Claims the key for a change without an intent; returns false when another request has the key. */
  claim(
    key: ClaimableIdempotencyKey,
    claim: Pick<IdempotencyKeyClaim, 'mayRunAgain' | 'storedResponse'>,
  ): Promise<boolean>;
  /** Stores the response for retries in the record that this request has claimed. A response that is too long releases it. */
  storeResponse(key: ClaimableIdempotencyKey, storedResponse: Partial<StoredResponse>): Promise<void>;
  /**
   * Stores that nothing had to be changed, so that a retry with the key changes nothing later either.
   * @throws IDEMPOTENCY_KEY_PARAMETER_MISMATCH when a request with other arguments has the key
   */
  storeUnchanged(key: ClaimableIdempotencyKey, response: Partial<StoredResponse>): Promise<void>;
  /** Releases this request's own claim: nothing was changed. */
  release(key: ClaimableIdempotencyKey): Promise<void>;
};

export type FirstRequest =
  /** No request has this key, or the first one changed nothing: this request may run, and claims the key. */
  | { readonly kind: 'none'; readonly key: ClaimableIdempotencyKey }
  | { readonly kind: 'other arguments' }
  | { readonly kind: 'running'; readonly retryAfterSeconds: number }
  /** The first request is over, but its intent is not settled yet. */
  | { readonly kind: 'open'; readonly intent: OpenIntent }
  /** `contract`: that of the change. `entry`: undefined when nothing was changed, or the entry is written later. */
  | {
      readonly kind: 'ended';
      readonly storedResponse: StoredResponse;
      readonly contract: ContractNumber | undefined;
      readonly entry: EventRecord | undefined;
    }
  | { readonly kind: 'unknown' };

type Deps = TimelineWriteDeps & { readonly newId: () => string };

/** The first request as the table has it. `replaces`: the id of its run, which changed nothing and may be replaced. */
type FirstRequestRun =
  | Exclude<FirstRequest, { kind: 'none' }>
  | { readonly kind: 'none'; readonly replaces: string | undefined };

/** Longer than any request lasts. */
const MAX_REQUEST_MS = 30_000;
const CONCURRENT_RETRY_AFTER_SECONDS = 2;
/** The idempotency record may change during the read, but rarely. */
const MAX_RECORD_READS = 4;

/** Creates the repository over the table. */
export function createIdempotencyRecordRepository(deps: Deps): IdempotencyRecords {
  const { table } = deps;
  return {
    async findFirst(request) {
      const firstRequest = await findFirstRequest(deps, request);
      if (firstRequest.kind !== 'none') return firstRequest;
      return {
        kind: 'none',
        key: { ...request, replaceableRunId: firstRequest.replaces, runId: deps.newId() },
      };
    },
    claim: (key, claim) => claimIdempotencyKey(deps, key, claim),
    async storeResponse(key, storedResponse) {
      const { itemKey, runId: id } = key;
      const isResponseStored = await storeResponse(
        table,
        { repeat: itemKey, id, isOnlyWriter: true },
        storedResponse,
      );
      if (!isResponseStored) await deleteIdempotencyRecordOfRun(table, key);
    },
    async storeUnchanged(key, response) {
      if (await claimIdempotencyKey(deps, key, { storedResponse: { ...EMPTY_RESPONSE, ...response } }))
        return;
      const firstRequest = await findFirstRequest(deps, key);
      if (firstRequest.kind === 'other arguments')
        throw new ServiceError('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
    },
    release: (key) => deleteIdempotencyRecordOfRun(table, key),
  };
}

async function deleteIdempotencyRecordOfRun(
  table: Table,
  { itemKey, runId }: ClaimableIdempotencyKey,
): Promise<void> {
  await table.delete(itemKey, { condition: 'runId = :mine', values: { ':mine': runId } });
}

/**
 * Claims the key of a change whose intent is written. Drops the intent if that fails.
 * @throws IDEMPOTENCY_CONCURRENT_REQUEST when another request has the key, TEMPORARILY_UNAVAILABLE
 */
export async function claimIdempotencyKeyForIntent(
  deps: TimelineWriteDeps,
  key: ClaimableIdempotencyKey,
  intent: OpenIntent,
): Promise<void> {
  // An intent that remains is settled as not done, because the record does not name it.
  const withdrawIntent = () => removeIntent(deps, intent).catch(() => undefined);
  const isClaimed = await claimIdempotencyKey(deps, key, { intent }).catch(async (error: unknown) => {
    await withdrawIntent();
    throw error;
  });
  if (isClaimed) return;
  await withdrawIntent();
  throw concurrentIdempotentRequestError(1);
}

/** Creates the error for a key whose first request has not ended. */
export function concurrentIdempotentRequestError(retryAfterSeconds: number): ServiceError {
  return new ServiceError('IDEMPOTENCY_CONCURRENT_REQUEST', {
    retryAfterSeconds,
    extensions: { retryAfterSeconds },
  });
}

async function findFirstRequest(deps: Deps, request: RequestWithIdempotencyKey): Promise<FirstRequestRun> {
  let replacedRun: string | undefined;
  for (let readsMade = 0; readsMade < MAX_RECORD_READS; readsMade++) {
    const idempotencyRecord = await readUnexpiredIdempotencyRecord(deps, request);
    if (idempotencyRecord === undefined) return { kind: 'none', replaces: undefined };
    // A change stores its response before its intent is removed: a run without an intent may have stored it since, so the
    // record is read once more.
    if (replacedRun === idempotencyRecord.runId && idempotencyRecord.storedResponse === undefined)
      return { kind: 'none', replaces: replacedRun };
    const recordedRun = await findRunOfRecord(deps, request, idempotencyRecord);
    const hasSameArguments = idempotencyRecord.argumentsHash === request.argumentsHash;
    if (recordedRun !== undefined)
      return hasSameArguments || recordedRun.kind === 'none' ? recordedRun : { kind: 'other arguments' };
    replacedRun = idempotencyRecord.runId;
  }
  return { kind: 'running', retryAfterSeconds: CONCURRENT_RETRY_AFTER_SECONDS };
}

async function readUnexpiredIdempotencyRecord(
  { table, now }: Deps,
  { itemKey }: RequestWithIdempotencyKey,
): Promise<IdempotencyRecord | undefined> {
  const item = await table.get(itemKey);
  const storedRecord = item && toIdempotencyRecord(item);
  return storedRecord !== undefined && storedRecord.untilMs > now() ? storedRecord : undefined;
}

/**
 * Finds the run that the record names.
 * @returns undefined when the run has neither an intent nor an entry
 */
async function findRunOfRecord(
  deps: Deps,
  { shopId }: RequestWithIdempotencyKey,
  idempotencyRecord: IdempotencyRecord,
): Promise<FirstRequestRun | undefined> {
  const { number, claimedAtMs, mayRunAgain, runId, storedResponse } = idempotencyRecord;
  const parsedNumber = number === undefined ? undefined : parseEventNumber(number);
  if (storedResponse !== undefined) {
    const eventRecord = await findStoredEntry(deps, shopId, idempotencyRecord);
    return { kind: 'ended', storedResponse, contract: parsedNumber?.contract, entry: eventRecord };
  }
  if (parsedNumber === undefined) {
    const mayStillRun = deps.now() - claimedAtMs < MAX_REQUEST_MS;
    if (mayStillRun) return { kind: 'running', retryAfterSeconds: CONCURRENT_RETRY_AFTER_SECONDS };
    return mayRunAgain ? { kind: 'none', replaces: runId } : { kind: 'unknown' };
  }
  const { createdAtMs, contract } = parsedNumber;
  const openIntent = await findIntent(deps.scheduledTasks, {
    shopId,
    number: parsedNumber.number,
    createdAtMs,
    id: runId,
  });
  // Look for the entry first: a finished change can still have an intent, which stays until the entry is appended to
  // the stream.
  const eventRecord = await findTimelineEntry(deps, { shopId, createdAtMs, contract, id: runId });
  if (eventRecord === undefined)
    return openIntent?.id === runId ? toFirstRequestWithIntent(openIntent, deps.now()) : undefined;
  return eventRecord.outcome === 'DONE'
    ? { kind: 'ended', storedResponse: EMPTY_RESPONSE, contract, entry: eventRecord }
    : { kind: 'unknown' };
}

/** Finds the entry of a change whose response is stored. If the change created a contract, that contract has the entry. */
async function findStoredEntry(
  deps: Deps,
  shopId: ShopId,
  { number, runId: id, storedResponse }: IdempotencyRecord,
): Promise<EventRecord | undefined> {
  const parsedNumber = number === undefined ? undefined : parseEventNumber(number);
  if (parsedNumber === undefined || storedResponse === undefined || storedResponse.userErrors.length > 0)
    return undefined;
  const { contract: createdContractId } = storedResponse.ids;
  const contract =
    (createdContractId === undefined ? undefined : contractNumberOfGid(createdContractId)) ??
    parsedNumber.contract;
  return findTimelineEntry(deps, { shopId, createdAtMs: parsedNumber.createdAtMs, contract, id });
}

function toFirstRequestWithIntent(intent: OpenIntent, nowMs: number): FirstRequestRun {
  const ageMs = nowMs - intent.createdAtMs;
  if (ageMs >= SETTLE_INTENT_AFTER_MS) return { kind: 'open', intent };
  const secondsUntilSettled = Math.ceil((SETTLE_INTENT_AFTER_MS - ageMs) / 1000);
  // The request may end at any moment; when it is over, its response was lost, and the intent is settled later.
  return {
    kind: 'running',
    retryAfterSeconds: ageMs < MAX_REQUEST_MS ? CONCURRENT_RETRY_AFTER_SECONDS : secondsUntilSettled,
  };
}
