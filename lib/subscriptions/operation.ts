/**
 * The type of a subscription operation, and its dependencies. The files directly in this folder are shared by all
 * operations and import no subfolder. A subfolder imports only subfolders that precede it in this list: selling-plans
 * (frequencies, plans, prices), draft (the platform's draft, from opening to commit), details (note, payment method,
 * discounts), order-dates (the dates of postponed orders), cycles (single orders), postpone, pause (records of pauses,
 * and their end), status (pause, resume, cancel), charge, lines, delivery, interval.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import type { AdminResponse } from '../platform/admin-api/admin-response.ts';
import type { StoreRecord } from '../storage/stores.ts';
import type { ObservedAttempt } from '../timeline/attempt-outcome.ts';
import type { EventActor } from '../timeline/event-record.ts';
import type { FactChange } from '../timeline/facts.ts';
import type { BeginChange, ChangeIntent, RecordFurtherFacts } from '../timeline/run-change.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { CountOrdersBefore } from './count-paid-orders.ts';
import type { OperationOutcome } from './operation-error.ts';

/** Sends one request to the platform's Admin API of the store, within the deadline of the client's request. */
export type SendToPlatform = (request: {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly mutates: boolean;
}) => Promise<AdminResponse>;

/**
 * The dependencies of every operation. A subfolder can define a type with additional ones, for example `PauseDeps`.
 */
export type OperationDeps = {
  readonly sendToPlatform: SendToPlatform;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** The deadline of the client's request in epoch milliseconds. */
  readonly deadlineAtMs: number;
  readonly store: StoreRecord;
  readonly platformGidNamespace: string;
  /**
   * The customer who sends the request, or for whom an admin key acts. The operation then throws FORBIDDEN unless the contract
   * is this customer's. Undefined when a key acts for the whole store, or the service by itself.
   */
  readonly actingCustomerId: CustomerId | undefined;
  /** The actor for the timeline: who makes the change, and on whose behalf. */
  readonly actor: EventActor;
  /** Reads pages of the contract's timeline. */
  readonly readEvents: Timeline['readEvents'];
  /** Writes the intent of a change. Called after all checks, immediately before the change is sent to the platform. */
  readonly beginChange: BeginChange;
  readonly dryRuns: DryRunDeps;
};

/** What a dry run needs in addition. `contractId` is the platform's global id. */
type DryRunDeps = {
  /**
   * Counts one dry run of the contract against the hourly limit.
   * @throws THROTTLED when the contract has reached the limit
   */
  countDryRun(contractId: string): Promise<void>;
  /**
   * Reads when the contract's pause ends, in epoch milliseconds.
   * @returns undefined when no end is stored. A stored end has no meaning for a contract that is not paused.
   */
  readPauseEndMs(contractId: string): Promise<number | undefined>;
  /**
   * Reads what counts the orders of a contract whose lines have price steps. Orders before `notBeforeMs` (epoch
   * milliseconds) do not come.
   * @returns undefined when the service does not bill
   */
  readOrderCounts(contractId: string, notBeforeMs: number): Promise<CountOrdersBefore | undefined>;
};

/**
 * The client's selection of the changed object as GraphQL text, written when the client's document is compiled.
 * Operations insert it into their own fixed documents; they neither read nor build it.
 */
export type ClientSelection = {
  /**
   * One entry for each field of the payload, such as `contract`, whose object comes from the platform. `key` is the
   * response key, `field` the payload field, `selection` GraphQL text such as `{ cycleIndex }`. A document that
   * declares the variables below must contain every entry, because GraphQL forbids unused variables.
   */
  readonly payloadFields: readonly {
    readonly key: string;
    readonly field: string;
    readonly selection: string;
  }[];
  /** GraphQL declarations of the variables that the selections use, for example `$first: Int`. */
  readonly declarations: readonly string[];
  /** The values of these variables, by name without `$`. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** GraphQL text of the fragment definitions that the selections use. */
  readonly fragments: string;
};

export type OperationRequest = {
  /** The client's arguments after coercion. Ids are the platform's global ids. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly selection: ClientSelection;
};

/**
 * Decides on the change: returns the outcome when nothing has to be changed, or the planned change.
 * @throws FORBIDDEN when the contract does not exist or is not the acting customer's
 * @throws OUTCOME_UNKNOWN when the response to the change was lost
 * @throws TEMPORARILY_UNAVAILABLE when no intent could be written
 * @throws PLATFORM_UNAVAILABLE when the platform does not respond
 * @throws THROTTLED when the store's points are used up
 */
export type Operation<Deps extends OperationDeps = OperationDeps> = (
  deps: Deps,
  request: OperationRequest,
) => Promise<OperationDecision>;

/**
 * What an operation decides: an outcome without a change, or a change that `runOperation` makes. An operation with work
 * after the change calls `runOperation` itself and returns the outcome.
 */
export type OperationDecision = OperationOutcome | PlannedChange;

/** A change whose intent is written before it is made. */
export type PlannedChange = {
  readonly intent: ChangeIntent;
  /**
   * Makes the change. Returns `stale` when a concurrent request had changed the state on which the decision was
   * based, so that this call changed nothing.
   */
  readonly apply: (recordAlso: RecordFurtherFacts) => Promise<AppliedOutcome | 'stale'>;
  /** Reads the state again and decides again. Called after `apply` has returned `stale`. */
  readonly restart?: () => Promise<OperationDecision>;
};

/** The outcome of a change that was sent to the platform, with what its timeline entry needs. */
export type AppliedOutcome = OperationOutcome & {
  /** The changed fields for the timeline entry. Absent when they are those that the intent has recorded. */
  readonly changedFacts?: readonly FactChange[];
  /** Whether the platform's response to the change was lost, and a later read showed that the change was made. */
  readonly isConfirmedByRead?: boolean;
  /** The billing attempt that a charge returned. */
  readonly attempt?: ObservedAttempt;
  /**
   * Whether a concurrent request made the same change first. The client gets a success response, but the timeline has
   * only the entry of the other request.
   */
  readonly isMadeByOtherRequest?: boolean;
  /**
   * Whether a part of the change is not made yet. The scheduled work makes it, and then writes the timeline entry.
   */
  readonly isUnfinished?: boolean;
};
