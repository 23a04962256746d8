/**
 * An observation is a contract's state at the platform at one time. The worker of store events enqueues it, and the append
 * step compares it with the recorded state.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ContractNumber } from '../event-record.ts';

/**
 * A billing cycle. Times are epoch seconds. `date`: when its order is due. `editedAt`: when the order's own content was last
 * edited.
 */
export type CycleFacts = {
  readonly start: number;
  readonly end: number;
  readonly date: number;
  readonly isSkipped: boolean;
  readonly editedAt?: number;
};

export type PaymentMethodFacts = {
  readonly id: string;
  /** The last month in which the card is valid, for example `2027-04`; undefined when it does not expire. */
  readonly goodUntil?: string;
  /** A hash of the card or account; undefined when access to it is denied. */
  readonly instrument?: string;
  readonly isRevoked: boolean;
};

/** The result of reading a contract. */
export type ContractReading = {
  readonly contract: ContractNumber;
  /** When the platform request was sent, epoch milliseconds. */
  readonly startedAtMs: number;
  /** When the platform's response was received, epoch milliseconds. */
  readonly endedAtMs: number;
  readonly createdAtMs: number;
  /** The platform's time of the contract's last change. Skipping or moving an order does not change it. */
  readonly updatedAtMs: number;
  readonly revisionId: string;
  /** Undefined when the contract has no customer, or the customer was erased. */
  readonly customerId?: CustomerId;
  readonly paymentMethod?: PaymentMethodFacts;
  /**
   * The facts as stored texts (facts.ts), by field. A fact without a value is absent; in an observation that is not
   * whole it is null.
   */
  readonly facts: Readonly<Record<string, string | null>>;
  /** Fields that could not be read completely: access is denied, or the list is longer than one page. */
  readonly withheld: readonly string[];
  /** Fields that the service sets without recording it: they become unknown in the recorded state. */
  readonly unrecorded?: readonly string[];
  /** Future cycles that are not billed, by index. */
  readonly cycles: Readonly<Record<string, CycleFacts>>;
  /** The end of the last cycle that was read, epoch seconds; 0 when no cycle was read. */
  readonly cyclesUntil: number;
};

export type Observation = ContractReading & {
  /** Whether `facts` is complete; otherwise it has the facts that differed from the recorded state. */
  readonly isWhole: boolean;
  /** The contract was created after the start of the store's first reconciliation, so it is reported as created. */
  readonly isNew?: true;
  /** The customer was erased: nothing of the contract is recorded. */
  readonly isForgotten?: true;
  /** When the customer signed in again after an erasure; earlier events must not name the customer. */
  readonly namesSinceMs?: number;
};

/** Returns the id of an observation in the queue, and of the entries that report it. */
export function contractObservationId({
  contract,
  startedAtMs,
}: Pick<ContractReading, 'contract' | 'startedAtMs'>) {
  return `observed-${contract}-${startedAtMs}`;
}
