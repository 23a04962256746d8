/** The expected results for each order of a description: its charge, its tries, and the final status of its contract. */
import type { ContractStatus } from './description.ts';

export type ChargeState =
  | 'ACTION_REQUIRED'
  | 'CHARGED'
  | 'DUE'
  | 'ENDED'
  /** The service has no charge for the order, and needs none. */
  | 'NONE'
  | 'REPORTED'
  | 'RETRYING'
  | 'SKIPPED'
  | 'WAITING';

export type ChargeReason =
  | 'BEYOND_LAST_ORDER'
  | 'BILLING_OFF'
  | 'CONTRACT_ENDED'
  | 'EMPTY_CYCLE'
  | 'MERCHANT_ACCOUNT'
  | 'MOVED'
  | 'NEVER_RETRIED'
  | 'NOT_ACTIVE'
  | 'NO_OUTCOME'
  | 'OVERDUE'
  | 'PAID_ELSEWHERE'
  | 'PRICE_REFUSED'
  | 'REFUSED'
  | 'SKIPPED_ORDER'
  | 'TRIES_OVER'
  | 'UNDER_REVIEW';

/** Why there is no charge. */
export type AbsenceReason = 'BEFORE_START' | 'BILLED_BY_OTHERS' | 'NOT_FOUND' | 'SKIPPED_ORDER';

/** The first and the last instant at which something may happen, epoch milliseconds. */
export type TimeWindow = { readonly earliestMs: number; readonly latestMs: number };

export type ExpectedTry = TimeWindow & {
  readonly by: 'OTHERS' | 'SERVICE';
  /** `PAYS`, the code of the decline, or null while it is open. */
  readonly outcome: string | null;
};

export type OrderExpectation = {
  readonly index: number;
  /** When the order was due, as last known to the service. */
  readonly expectedMs: number;
  readonly state: ChargeState;
  readonly reason: AbsenceReason | ChargeReason | null;
  readonly chargedBy: 'OTHERS' | 'SERVICE' | null;
  /** The total of the order that the service charged, in minor units; null if it charged none. */
  readonly priceMinor: number | null;
  readonly tries: readonly ExpectedTry[];
  /** The day whose run took up the order. */
  readonly day: string | null;
  /** When it is tried again, or the final action is taken. */
  readonly next: TimeWindow | null;
};

export type ContractExpectation = {
  readonly id: number;
  readonly status: ContractStatus;
  /** The orders that were due in the observed time, or were taken up in it. */
  readonly orders: readonly OrderExpectation[];
};

export type HoldReason = 'MERCHANT_ACCOUNT_REFUSES' | 'MORE_THAN_EXPECTED' | 'PREVIEW_MISSING';

type RunExpectation = TimeWindow & {
  readonly day: string;
  readonly foundCount: number;
  readonly holdReason: HoldReason | null;
};

export type Expectation = {
  readonly contracts: readonly ContractExpectation[];
  readonly runs: readonly RunExpectation[];
};
