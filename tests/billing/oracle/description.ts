/**
 * A plain description of a store that the service bills: its settings over time, its contracts, and what customers,
 * merchants, banks and another server of the same app do. All instants are epoch milliseconds, all money is in minor
 * units of the contract's currency, days are written as 2026-12-01 in the store's zone.
 */

export type FinalAction = 'CANCEL' | 'LEAVE' | 'PAUSE' | 'SKIP';
export type RetrySettings = { readonly retryAfterDays: readonly number[]; readonly finalAction: FinalAction };

export type BillingSettings = {
  readonly enabled: boolean;
  /** The first day whose orders the service charges. */
  readonly startsOn: string;
  /** 0 to 23. */
  readonly hour: number;
  readonly declined: RetrySettings;
  readonly outOfStock: RetrySettings;
};

export type StoreChange = { readonly atMs: number } & (
  | { readonly kind: 'settings'; readonly settings: Partial<BillingSettings> }
  | { readonly kind: 'zone'; readonly timeZone: string }
  | { readonly kind: 'stop' | 'resume' }
  /** Lets the run of a day go on that was on hold. */
  | { readonly kind: 'confirm'; readonly day: string }
);

export type StoreDescription = {
  readonly timeZone: string;
  readonly currencyCode: string;
  /** In the order of their times. */
  readonly changes: readonly StoreChange[];
  /** How many orders the preview of a day had, where it is not as many as the run finds. */
  readonly previewCounts?: Readonly<Record<string, number>>;
  /** Whether the platform accepts an attempt without an index more than a day before the order is due. */
  readonly earlyWithoutIndex?: 'charged' | 'refused';
};

export type Anchor = {
  readonly type: 'MONTHDAY' | 'WEEKDAY' | 'YEARDAY';
  readonly day: number;
  readonly month: number | null;
};

export type Policy = {
  readonly interval: 'DAY' | 'MONTH' | 'WEEK' | 'YEAR';
  readonly intervalCount: number;
  readonly anchors: readonly Anchor[];
  /** Whether the platform makes the second cycle of several anchors an empty one. */
  readonly hasEmptyCycle?: boolean;
};

/** `priceMinor` is for one piece and a whole payment. The step applies from the order after so many orders. */
type PriceStep = { readonly afterCycle: number; readonly priceMinor: number };

export type Line = {
  readonly quantity: number;
  readonly currentPriceMinor: number;
  readonly steps: readonly PriceStep[];
};

/** The bank's answer to an attempt, so many seconds after it was sent. */
export type Answer = {
  /** `PAYS`, a code of the platform, or `PENDING`: never. */
  readonly outcome: string;
  readonly seconds: number;
  /** The customer has to confirm the payment (3-D Secure), and the outcome follows from that. */
  readonly isChallenge?: boolean;
};

/** Each attempt takes the next answer, and the last one stays. */
export type Card = { readonly answers: readonly Answer[]; readonly expiresAtMs?: number };

export type ContractStatus = 'ACTIVE' | 'CANCELLED' | 'EXPIRED' | 'FAILED' | 'PAUSED';

export type ContractEvent = { readonly atMs: number } & (
  | { readonly kind: 'skip' | 'unskip'; readonly index: number }
  | { readonly kind: 'move'; readonly index: number; readonly toMs: number }
  | { readonly kind: 'activate' | 'cancel' | 'expire' | 'fail' | 'pause' }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'address' }
  /** The customer asks for the payment to be tried again. */
  | { readonly kind: 'retry' }
  /** The merchant sets the price of the first line. */
  | { readonly kind: 'price'; readonly priceMinor: number }
  /** The merchant edits one order, whose total is then this. */
  | { readonly kind: 'edit'; readonly index: number; readonly totalMinor: number }
  /** Another server of the app sends an attempt: for an index, or for the current cycle. */
  | { readonly kind: 'charge'; readonly index: number | null }
);

export type ContractDescription = {
  readonly id: number;
  /** The customer's currency, which may be another one than the store's. */
  readonly currencyCode: string;
  readonly createdMs: number;
  readonly policy: Policy;
  readonly maxCycles: number | null;
  /** Whether a checkout created the first order, which belongs to no cycle. */
  readonly hasCheckoutOrder: boolean;
  /** How many cycles others had billed before the observed time, from the first one on, each at its date. */
  readonly billedCount: number;
  readonly status: ContractStatus;
  readonly lines: readonly Line[];
  readonly deliveryPriceMinor: number;
  /** Whether the platform refuses to set another price. */
  readonly refusesPrice?: boolean;
  readonly card: Card;
  /** Times in which the platform answers an attempt with a user error. */
  readonly refusals?: readonly { readonly fromMs: number; readonly untilMs: number; readonly code: string }[];
  /** In the order of their times. */
  readonly events: readonly ContractEvent[];
};

export type Description = {
  /** The observed time. Nothing happens before it. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly store: StoreDescription;
  readonly contracts: readonly ContractDescription[];
};

/** The settings of a store that has changed none. */
export const DEFAULT_SETTINGS: BillingSettings = {
  enabled: false,
  startsOn: '9999-12-31',
  hour: 10,
  declined: { retryAfterDays: [3, 4, 7], finalAction: 'PAUSE' },
  outOfStock: { retryAfterDays: [1, 1, 1, 1], finalAction: 'SKIP' },
};
