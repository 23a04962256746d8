/**
 * An observation states what a contract was at the platform at one time. The worker of store events writes it into the queue,
 * and the append step compares it with the recorded state.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ContractNumber } from '../event-record.ts';

/** A billing cycle. Epoch seconds; `editedAt`: when the content of this one cycle was edited last. */
export type CycleFacts = {
  readonly start: number;
  readonly end: number;
  readonly date: number;
  readonly isSkipped: boolean;
  readonly editedAt?: number;
};

export type PaymentMethodFacts = {
  readonly id: string;
  /** `2027-04`: the last month in which the card is good. Undefined: it has no end. */
  readonly goodUntil?: string;
  /** A hash of what the method is; undefined: the store withholds it. */
  readonly instrument?: string;
  readonly isRevoked: boolean;
};

/** What was read of a contract. */
export type ContractReading = {
  readonly contract: ContractNumber;
  /** Before the platform was asked, and after it had answered; epoch milliseconds. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly createdAtMs: number;
  /** By the platform's clock, which does not count skipped and moved orders. */
  readonly updatedAtMs: number;
  readonly revisionId: string;
  /** Undefined: it has none, or the customer was erased. */
  readonly customerId?: CustomerId;
  readonly paymentMethod?: PaymentMethodFacts;
  /** Texts by field, as they are recorded (facts.ts). What is null is absent. */
  readonly facts: Readonly<Record<string, string | null>>;
  /** Fields of the contract that cannot be read as a whole: the store withholds them, or they are too long. */
  readonly withheld: readonly string[];
  /** The cycles to come that are not billed yet, by index. */
  readonly cycles: Readonly<Record<string, CycleFacts>>;
  /** Cycles that end later than this were not read; epoch seconds. 0: no cycle was read. */
  readonly cyclesUntil: number;
};

export type Observation = ContractReading & {
  /** Whether `facts` has all that are not null; else it has those that differed from the recorded state. */
  readonly isWhole: boolean;
  /** The contract was made after the store's first reconciliation began, so it is reported as created. */
  readonly isNew?: true;
  /** The customer was erased: nothing of the contract is recorded. */
  readonly isForgotten?: true;
  /** The customer was erased and has signed in again then; earlier events must not name the customer. */
  readonly namesSinceMs?: number;
};

/** The id of an observation in the queue, and of what is reported because of it. */
export function observationId({ contract, startedAtMs }: Pick<ContractReading, 'contract' | 'startedAtMs'>) {
  return `observed-${contract}-${startedAtMs}`;
}
