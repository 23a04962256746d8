/**
 * An operation tells the timeline what it is going to change before it asks the platform, and afterwards how that
 * ended.
 */

import type { StoredResponse } from '../storage/idempotency-record.ts';
import type { ChangedFact } from './facts.ts';
import type { ObservedAttempt } from './observed-attempt.ts';

export type ChangeIntent = {
  /** Stable name, for example `subscription_paused`: see actions.ts. */
  readonly action: string;
  /**
   * The contract's id as the platform returned it; null for a change of the whole store, or of a contract that is yet
   * to be made.
   */
  readonly contractId: string | null;
  /** The arguments that matter: a reason, a date, an index. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  /** What is expected to change: the scheduled work settles a crash by it. */
  readonly changes: readonly ChangedFact[];
  /** What changes with these: it is told with them, and no crash is settled by it. */
  readonly further?: readonly ChangedFact[];
};

/** An intent that is written. An intent that none is called for is settled by the scheduled work. */
export type OpenChange = {
  /**
   * Adds to `further` before it is changed, so that a crash in between loses none. A fact that is there goes on from its
   * first `before`. TEMPORARILY_UNAVAILABLE: it must not be changed.
   */
  readonly recordAlso: RecordAlso;
  /**
   * The platform has changed; `changes` as they really are, if they differ from the intent's; `contractId` of a
   * contract that the change made: the entry moves there. Never throws.
   */
  readonly done: (changes?: readonly ChangedFact[], contractId?: string) => Promise<void>;
  /**
   * The platform's response was lost, but the change is in force. Recorded as `done`: if another change has made it, the append
   * step finds nothing left to report. Never throws.
   */
  readonly seen: (changes?: readonly ChangedFact[]) => Promise<void>;
  /**
   * A charge was answered with this attempt: the entry tells what it comes to, as soon as it has ended. Never throws.
   */
  readonly attempted: (attempt: ObservedAttempt) => Promise<void>;
  /** Nothing has changed: the entry goes. Never throws. */
  readonly notDone: () => Promise<void>;
  /**
   * Keeps what a repeat under the request's key is told, before any of the above, where the entry alone does not tell
   * it. Without it there is no key. TEMPORARILY_UNAVAILABLE.
   */
  readonly storeResponse?: (response: Partial<StoredResponse>) => Promise<void>;
};

export type RecordAlso = (facts: readonly ChangedFact[]) => Promise<void>;

/** TEMPORARILY_UNAVAILABLE: the intent could not be written, so the platform must not be asked. */
export type BeginChange = (intent: ChangeIntent) => Promise<OpenChange>;
