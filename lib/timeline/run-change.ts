/**
 * Runs a change in this order: write its intents, claim the idempotency key, make the change, store the response for
 * retries, settle the intents. The first intent claims the key. A change without intents claims it itself, and the
 * idempotency record alone has its outcome.
 */
import { awaitAll } from '../domain/await-all.ts';
import { ignoreServiceError } from '../errors/ignore-service-error.ts';
import { provesNothingChanged } from '../errors/is-outcome-unknown.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  type ClaimableIdempotencyKey,
  EMPTY_RESPONSE,
  type StoredResponse,
} from '../storage/idempotency-record.ts';
import type { ObservedAttempt } from './attempt-outcome.ts';
import type { CommonEventFields, EventRecord } from './event-record.ts';
import type { FactChange } from './facts.ts';
import { concurrentIdempotentRequestError, type IdempotencyRecords } from './idempotency-records.ts';

export type ChangeIntent = {
  /** For example `subscription_paused`: see actions.ts. */
  readonly action: string;
  /** The platform's id; null for a change of the whole store, or of a contract that the change will create. */
  readonly contractId: string | null;
  readonly details: CommonEventFields['details'];
  /** The expected changes: the scheduled work resolves an open intent by them. */
  readonly changes: readonly FactChange[];
  /** Facts that change, too. They are recorded with `changes`, but not used to resolve an open intent. */
  readonly further?: readonly FactChange[];
};

/** The stored entry; undefined when no entry was written. The scheduled work may write the entry later. */
type SettledEntry = Promise<EventRecord | undefined>;

/**
 * A change whose intent is written. The methods that settle the intent never throw; the scheduled work settles an intent that
 * no method has settled.
 */
export type OpenChange = {
  readonly recordAlso: RecordFurtherFacts;
  /**
   * The platform's response shows the change. `changes`: the actual changes, if they differ from the intent's.
   * `contractId`: the contract that the change created, whose timeline gets the entry.
   */
  readonly settleAsDone: (changes?: readonly FactChange[], contractId?: string) => SettledEntry;
  /**
   * The platform's response was lost, but the change is in effect. If another change made it, the append step finds
   * nothing to report.
   */
  readonly settleAsObserved: (changes?: readonly FactChange[]) => SettledEntry;
  /** The platform returned this attempt for a charge: the entry shows its outcome when it has ended. */
  readonly settleWithAttempt: (attempt: ObservedAttempt) => SettledEntry;
  /** Nothing was changed: the intent is dropped. */
  readonly settleAsNotDone: () => Promise<void>;
  /**
   * Stores the parts of the response that a retry gets and that the entry lacks, before the intent is settled.
   * Undefined for a request without an idempotency key.
   * @throws TEMPORARILY_UNAVAILABLE
   */
  readonly storeResponse?: (response: Partial<StoredResponse>) => Promise<void>;
};

/**
 * Adds facts to an intent's `further` before they are changed, so that a crash in between loses none. A fact that was
 * added before keeps its first `before`.
 * @throws TEMPORARILY_UNAVAILABLE when they must not be changed
 */
export type RecordFurtherFacts = (facts: readonly FactChange[]) => Promise<void>;

/** Writes the intent of a change. @throws TEMPORARILY_UNAVAILABLE when it is not written: the platform must not be called */
export type BeginChange = (intent: ChangeIntent) => Promise<OpenChange>;

/** @internal Tests plan changes. */
export type ChangeToRun<Result> = {
  /** One intent for each contract that the change affects; none when the timeline does not record the change. */
  readonly intents: readonly ChangeIntent[];
  /**
   * How a change without intents claims the key. `once`: after a crash a retry gets OUTCOME_UNKNOWN. `repeatable`: after a
   * crash a retry makes the change again. `no-op`: the object already is in the requested state, so a retry gets a response
   * without a change; the change is still made, because another client can change the object before.
   */
  readonly claim?: 'once' | 'repeatable' | 'no-op';
  /** Makes the change. `recordAlso` adds facts to the first intent before a later step of the change sets them. */
  readonly apply: (recordAlso: RecordFurtherFacts) => Promise<ApplyChangeResult<Result>>;
};

/**
 * The outcome of applying a change: the client's result, whether the change took effect, and what a retry with the same
 * key gets.
 */
export type ApplyChangeResult<Result> = {
  readonly result: Result;
  /**
   * `done`: the response shows the change. `seen`: the response was lost, and a read shows the change. `refused`: nothing
   * was changed, and a retry may change something. `unchanged`: nothing had to be changed, or another request has made the
   * change. `unknown`: the intents stay open for the scheduled work.
   */
  readonly effect: 'done' | 'seen' | 'refused' | 'unchanged' | 'unknown';
  /** The actual changes, if they differ from the intent's. */
  readonly changes?: readonly FactChange[] | undefined;
  /** The attempt that a charge returned. */
  readonly attempt?: ObservedAttempt | undefined;
  /** The contract that the change created: its entry is recorded there. */
  readonly contractId?: string | undefined;
  /** The parts of the response that a retry with the same key gets and that the entry lacks. */
  readonly retryResponse?: Partial<StoredResponse> | undefined;
};

/** The result of a decision: a result without a change, or a change to make. */
export type ChangeDecision<Result extends object> = { readonly result: Result } | DecidedChange<Result>;

export type DecidedChange<Result extends object> = ChangeToRun<Result | 'stale'> & {
  /** Reads the state and decides anew, after a change with the result `stale`. */
  readonly restart?: () => Promise<ChangeDecision<Result>>;
};

export type ChangeDeps = {
  /** Writes one intent. Only the first intent of a change claims the idempotency key, because all are settled alike. */
  readonly begin: (intent: ChangeIntent, index: number) => Promise<OpenChange>;
  /** The idempotency key for a change without intents. */
  readonly key?: ChangeIdempotencyKey | undefined;
};

/** @internal A test claims keys in place of the table. */
export type ChangeIdempotencyKey = {
  readonly claimableKey: ClaimableIdempotencyKey;
  readonly records: Pick<IdempotencyRecords, 'claim' | 'storeResponse' | 'release'>;
  /** Logs that the record of a change that was made cannot be updated: the client must still get its response. */
  readonly logFailure: (error: unknown) => void;
};

/**
 * Decides on a change, makes it, and decides again as long as the state was stale. All changes of subscriptions run through
 * this function: those of the service's own operations, and the platform's mutations.
 * @returns the result, with `isRecorded` when the change was made, or was found made, and the timeline has it
 * @throws the errors of `decide` and `runChange`
 */
export async function decideAndRunChange<Result extends object>(
  deps: ChangeDeps,
  decide: () => Promise<ChangeDecision<Result>>,
): Promise<Result & TimelineRecording> {
  let changeDecision = await decide();
  while ('apply' in changeDecision) {
    const { result, isRecorded, entry } = await runChange(deps, changeDecision);
    if (result !== 'stale') return isRecorded ? { ...result, isRecorded, ...(entry && { entry }) } : result;
    if (changeDecision.restart === undefined) throw new Error('a stale change cannot be decided again');
    changeDecision = await changeDecision.restart();
  }
  return changeDecision.result;
}

/** Whether the timeline has the change. `entry`: the entry of the first intent, if it was written with the change. */
type TimelineRecording = { readonly isRecorded?: boolean; readonly entry?: EventRecord | undefined };

type ChangeOutcome<Result> = TimelineRecording & { readonly result: Result };

/**
 * Runs a change. Returns its result, and whether the timeline records it. After OUTCOME_UNKNOWN or an internal error the
 * intents stay open, and the scheduled work settles them.
 * @throws the errors of `apply`; TEMPORARILY_UNAVAILABLE, without a change, when an intent or a refusal cannot be
 * stored; OUTCOME_UNKNOWN when a change that was only seen cannot be stored for retries; IDEMPOTENCY_CONCURRENT_REQUEST,
 * without a change, when another request has the key
 * @internal A test plays the order of its writes.
 */
export async function runChange<Result>(
  { begin, key }: ChangeDeps,
  change: ChangeToRun<Result>,
): Promise<ChangeOutcome<Result>> {
  const { intents, apply } = change;
  if (intents.length === 0 && key !== undefined) return runChangeWithoutIntents(key, change);
  const openChanges = await writeIntents(begin, intents);
  try {
    const applyResult = await apply(async (facts) => openChanges[0]?.recordAlso(facts));
    await storeResponseForRetries(openChanges[0], applyResult);
    const entry = await settleIntents(openChanges, applyResult);
    const { result, effect } = applyResult;
    return { result, isRecorded: openChanges.length > 0 && (effect === 'done' || effect === 'seen'), entry };
  } catch (error) {
    if (provesNothingChanged(error)) await settleIntentsAsNotDone(openChanges);
    throw error;
  }
}

async function writeIntents(
  begin: ChangeDeps['begin'],
  intents: readonly ChangeIntent[],
): Promise<OpenChange[]> {
  const startResults = await Promise.allSettled(intents.map(begin));
  const openChanges = startResults.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failedStart = startResults.find((one) => one.status === 'rejected');
  if (failedStart === undefined) return openChanges;
  await settleIntentsAsNotDone(openChanges);
  throw failedStart.reason;
}

async function storeResponseForRetries(
  firstChange: OpenChange | undefined,
  { retryResponse, effect }: ApplyChangeResult<unknown>,
): Promise<void> {
  const storeResponse = firstChange?.storeResponse;
  if (storeResponse === undefined || retryResponse === undefined) return;
  // No client may get a refusal that its retry would not get.
  if (effect === 'refused' || effect === 'unchanged') await storeResponse(retryResponse);
  else if (effect === 'seen') await storeResponse(retryResponse).catch(throwOutcomeUnknown);
  else await ignoreServiceError(() => storeResponse(retryResponse));
}

function throwOutcomeUnknown(cause: unknown): never {
  throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the response could not be stored', cause });
}

async function settleIntents(
  openChanges: readonly OpenChange[],
  { effect, attempt, changes, contractId }: ApplyChangeResult<unknown>,
): SettledEntry {
  if (effect === 'unknown') return undefined;
  if (effect === 'refused' || effect === 'unchanged') {
    await settleIntentsAsNotDone(openChanges);
    return undefined;
  }
  const [firstEntry] = await awaitAll(
    openChanges.map(({ settleWithAttempt, settleAsObserved, settleAsDone }) => {
      if (attempt !== undefined) return settleWithAttempt(attempt);
      return effect === 'seen' ? settleAsObserved(changes) : settleAsDone(changes, contractId);
    }),
  );
  return firstEntry;
}

async function settleIntentsAsNotDone(openChanges: readonly OpenChange[]): Promise<void> {
  await awaitAll(openChanges.map(({ settleAsNotDone }) => settleAsNotDone()));
}

/** Runs a change without intents: the change itself claims the idempotency key, and the record has its outcome. */
async function runChangeWithoutIntents<Result>(
  key: ChangeIdempotencyKey,
  { claim, apply }: ChangeToRun<Result>,
): Promise<ChangeOutcome<Result>> {
  const { claimableKey, records } = key;
  const isNoOp = claim === 'no-op';
  const claimFields = isNoOp ? { storedResponse: EMPTY_RESPONSE } : { mayRunAgain: claim === 'repeatable' };
  if (!(await records.claim(claimableKey, claimFields))) throw concurrentIdempotentRequestError(1);
  const releaseKey = () => records.release(claimableKey);
  const applyResult = await apply(async () => undefined).catch(async (error: unknown) => {
    if (provesNothingChanged(error)) await logFailureOf(key, releaseKey());
    throw error;
  });
  const { result, effect, retryResponse } = applyResult;
  const storeRetryResponse = () => records.storeResponse(claimableKey, retryResponse ?? {});
  if (effect === 'refused' && retryResponse?.userErrors !== undefined) {
    // No client may get a refusal that its retry would not get.
    await storeRetryResponse();
  } else if (effect === 'refused') {
    await (isNoOp ? releaseKey() : logFailureOf(key, releaseKey()));
  } else if (effect !== 'unknown' && !isNoOp) {
    await logFailureOf(key, storeRetryResponse());
  }
  return { result, isRecorded: false };
}

async function logFailureOf({ logFailure }: ChangeIdempotencyKey, work: Promise<void>): Promise<void> {
  await work.catch(logFailure);
}
