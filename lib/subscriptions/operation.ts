/**
 * The kernel of subscription operations: what each is given, and its one shape. The files of this folder are what the
 * operations share, and import no subfolder. Of the subfolders each stands on those named before it alone:
 *
 * selling-plans (rhythms, plans, prices), draft (the platform's draft, from opening to commit), details (note, payment
 * method, discounts), cycles (single orders), pause (what is kept of pauses, and their end), status (pause, resume,
 * cancel), charge, lines, delivery, interval.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import type { AdminAnswer } from '../platform/admin-api/admin-answer.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { BeginChange } from '../timeline/begin-change.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { AnswerSelection } from './answer-selection.ts';
import type { OperationOutcome } from './operation-error.ts';

/** Sends one request to the platform's Admin API, for the store and within the deadline of the client's request. */
export type AskPlatform = (request: {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly mutates: boolean;
}) => Promise<AdminAnswer>;

/** What every operation is given. Some are given more, which their folder names (`PauseDeps`, for example). */
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
  /** Reads pages of the contract's timeline. */
  readonly readEvents: Timeline['readEvents'];
  /** Writes the intent of a change; called after every check, right before the platform is asked to change. */
  readonly beginChange: BeginChange;
};

export type OperationRequest = {
  /** The client's arguments, coerced, with ids as the platform names them. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly selection: AnswerSelection;
};

/**
 * An operation answers what it changed, or why it changed nothing. ServiceError: FORBIDDEN (not the acting customer's,
 * absent included), OUTCOME_UNKNOWN (the answer to the change was lost), PLATFORM_UNAVAILABLE, THROTTLED,
 * TEMPORARILY_UNAVAILABLE (no intent could be written).
 */
export type Operation<Deps extends OperationDeps = OperationDeps> = (
  deps: Deps,
  request: OperationRequest,
) => Promise<OperationOutcome>;
