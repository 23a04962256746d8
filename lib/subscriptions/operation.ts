/**
 * The kernel of subscription operations: their dependencies, and their common type. The files of this folder are
 * shared by the operations and import no subfolder. A subfolder imports only subfolders that precede it in this list:
 * selling-plans (frequencies, plans, prices), draft (the platform's draft, from opening to commit), details (note,
 * payment method, discounts), cycles (single orders), pause (records of pauses, and their end), status (pause,
 * resume, cancel), charge, lines, delivery, interval.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import type { AdminAnswer } from '../platform/admin-api/admin-answer.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { BeginChange, ChangeIntent, RecordAlso } from '../timeline/begin-change.ts';
import type { ChangedFact } from '../timeline/changed-fact.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { ObservedAttempt } from '../timeline/observed-attempt.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { AnswerSelection } from './answer-selection.ts';
import type { OperationOutcome } from './operation-error.ts';

/** Sends one request to the platform's Admin API, for the store and within the deadline of the client's request. */
export type AskPlatform = (request: {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly mutates: boolean;
}) => Promise<AdminAnswer>;

/**
 * The dependencies of every operation. Some operations have more, which their folder defines (`PauseDeps`, for
 * example).
 */
export type OperationDeps = {
  readonly ask: AskPlatform;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** The deadline of the client's request, epoch milliseconds. */
  readonly deadlineAtMs: number;
  readonly store: StoreRecord;
  readonly platformGidNamespace: string;
  /** Set if a customer is acting: the contract must be this customer's, else the operation throws FORBIDDEN. */
  readonly actingCustomerId: CustomerId | undefined;
  /** The actor that makes the change, and the principal it acts for. */
  readonly actor: EventActor;
  /** Reads pages of the contract's timeline. */
  readonly readEvents: Timeline['readEvents'];
  /**
   * Writes the intent of a change. Called after every check, immediately before the change is sent to the platform.
   */
  readonly beginChange: BeginChange;
};

export type OperationRequest = {
  /** The client's arguments, coerced, with ids in the platform's namespace. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly selection: AnswerSelection;
};

/**
 * Returns the changed object, or why nothing was changed.
 * @throws FORBIDDEN when the contract is not the acting customer's, or does not exist for a customer
 * @throws OUTCOME_UNKNOWN when the response to the change was lost
 * @throws TEMPORARILY_UNAVAILABLE when no intent could be written
 * @throws PLATFORM_UNAVAILABLE, THROTTLED
 */
export type Operation<Deps extends OperationDeps = OperationDeps> = (
  deps: Deps,
  request: OperationRequest,
) => Promise<Decision>;

/**
 * An operation reads, checks and decides: its outcome without a change, or the change that `runOperation` makes. An
 * operation that has work after the change calls `runOperation` itself and returns the outcome.
 */
export type Decision = OperationOutcome | PlannedChange;

/** A change that is made after its intent is written. */
export type PlannedChange = {
  readonly intent: ChangeIntent;
  /** Makes the change. `stale`: nothing was changed, because a concurrent request changed what was read. */
  readonly apply: (recordAlso: RecordAlso) => Promise<AppliedOutcome | 'stale'>;
  /** Decides again from fresh state after `stale`. */
  readonly restart?: () => Promise<Decision>;
};

/** The outcome of a change, with the facts that its entry in the timeline needs. */
export type AppliedOutcome = OperationOutcome & {
  /** The actual changes, if they differ from the intent's. */
  readonly changed?: readonly ChangedFact[];
  /** The platform's response was lost, and a read shows the change. */
  readonly isSeen?: boolean;
  /** The attempt that a charge returned. */
  readonly attempt?: ObservedAttempt;
  /**
   * A concurrent request made the same change: this client gets its response, and the timeline has only the other
   * request's entry.
   */
  readonly isOthers?: boolean;
};
