/** What every subscription operation is given, and its one shape: a file an operation, one commit each. */
import type { CustomerId } from '../domain/customer-id.ts';
import type { AdminAnswer } from '../platform/admin-api/admin-answer.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { BeginChange } from '../timeline/begin-change.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { AnswerSelection } from './answer-selection.ts';
import type { ChargeClaims } from './charge/charge-claims.ts';
import type { UnfinishedIntervals } from './interval/unfinished-intervals.ts';
import type { OperationOutcome } from './operation-error.ts';
import type { TimedPauses } from './pause/timed-pauses.ts';

/** One request to the platform's Admin API, for the store and within the deadline of the client's request. */
export type AskPlatform = (request: {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly mutates: boolean;
}) => Promise<AdminAnswer>;

export type OperationDeps = {
  readonly ask: AskPlatform;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** When the client's request has to be answered, epoch milliseconds. */
  readonly deadlineAtMs: number;
  readonly store: StoreRecord;
  readonly platformGidNamespace: string;
  /** Set if a customer is acting: the contract has to be this customer's, else FORBIDDEN. */
  readonly actingCustomerId: CustomerId | undefined;
  /** Who makes the change, in whose name. */
  readonly actor: EventActor;
  /** What is kept here of the store's pauses. */
  readonly timedPauses: TimedPauses;
  readonly chargeClaims: ChargeClaims;
  /** Edits that a change of the interval has not put back yet. */
  readonly unfinishedIntervals: UnfinishedIntervals;
  /** Pages of the contract's timeline. */
  readonly readEvents: Timeline['readEvents'];
  /** Writes the intent of a change; called after every check, right before the platform is asked to change. */
  readonly beginChange: BeginChange;
};

export type OperationRequest = {
  /** The client's, coerced; ids as the platform names them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly selection: AnswerSelection;
};

/**
 * One operation. ServiceError: FORBIDDEN (not the acting customer's, absent included), OUTCOME_UNKNOWN (the answer
 * to the change was lost), PLATFORM_UNAVAILABLE, THROTTLED, TEMPORARILY_UNAVAILABLE (no intent could be written).
 */
export type Operation = (deps: OperationDeps, request: OperationRequest) => Promise<OperationOutcome>;
