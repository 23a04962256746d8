/** What is known of a contract at the platform at one time: the facts that are compared with those of another time. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ContractNumber } from '../../timeline/event-number.ts';

/** A billing cycle. Epoch seconds; `editedAt`: when the contract of this one cycle was edited last. */
export type CycleFacts = {
  readonly start: number;
  readonly end: number;
  readonly date: number;
  readonly isSkipped: boolean;
  readonly editedAt?: number;
};

export type ContractReading = {
  readonly contract: ContractNumber;
  /** Before the platform was asked; epoch milliseconds. */
  readonly readAtMs: number;
  readonly createdAtMs: number;
  readonly revisionId: string;
  /** Undefined: it has none, or has been forgotten. */
  readonly customerId?: CustomerId;
  readonly paymentMethod?: PaymentMethodFacts;
  /** Texts by field, as the timeline tells them; what is null is not there. The delivery method is a hash. */
  readonly facts: Readonly<Record<string, string>>;
  /** Fields of the contract that cannot be told as a whole: the store withholds them, or they are too long. */
  readonly untold: readonly string[];
  /** Those to come that are not billed yet, by index. */
  readonly cycles: Readonly<Record<string, CycleFacts>>;
  /** Cycles that are due later than this were not read; epoch seconds. */
  readonly cyclesUntil: number;
};

export type PaymentMethodFacts = {
  readonly id: string;
  /** `2027-04`: the last month in which the card is good. Undefined: it has no end. */
  readonly goodUntil?: string;
  /** A hash of what the method is; undefined: the store withholds it. */
  readonly instrument?: string;
  readonly isRevoked: boolean;
};
