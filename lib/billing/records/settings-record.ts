/** Whether and how the service bills a store (`BILLING#{shop}`, `SETTINGS`). */

/** LEAVE: the contract goes on, and the order stays unpaid. */
export type BillingFinalAction = 'PAUSE' | 'CANCEL' | 'SKIP' | 'LEAVE';

/** A retry schedule: the days from one failed try to the next, none to nine numbers from 1 to 14, 30 together. */
export type RetrySettings = {
  readonly retryAfterDays: readonly number[];
  readonly finalAction: BillingFinalAction;
};

/** All times are epoch milliseconds. */
export type BillingSettings = {
  /** 0 when nothing is stored yet. */
  readonly version: number;
  readonly enabled: boolean;
  /** The first day of the store whose orders the service charges: 2026-12-01. */
  readonly startsOn?: string;
  /** The hour of the day, in the store's time zone, in which a run begins: 0 to 23. */
  readonly hour: number;
  readonly declined: RetrySettings;
  readonly outOfStock: RetrySettings;
  /** Whether the platform's e-mail asks the customer for a new payment method where one is needed. */
  readonly askForNewMethod: boolean;
  /** When the merchant stopped billing; absent when not stopped. Only the merchant's own resume ends this stop. */
  readonly stoppedByStoreAtMs?: number | undefined;
  /** When an operator stopped billing of this store; absent when not stopped. Only an operator ends this stop. */
  readonly stoppedByOperatorAtMs?: number | undefined;
  /** When an operator last resumed billing. A store that was restored from a backup after that is stopped. */
  readonly resumedByOperatorAtMs?: number;
  /** When the settings were last changed: settings from before the app was installed again are ignored. */
  readonly updatedAtMs?: number;
  /** When billing was last switched on. */
  readonly enabledAtMs?: number;
  /** When billing was last switched off. */
  readonly disabledAtMs?: number;
  /** When billing was last switched off after its first day had begun: the last time at which the service could charge. */
  readonly lastChargingAtMs?: number;
  /** When billing was first switched on. A store that was restored after that waits for an operator. */
  readonly firstEnabledAtMs?: number;
};

export const DEFAULT_BILLING_SETTINGS: BillingSettings = {
  version: 0,
  enabled: false,
  hour: 10,
  declined: { retryAfterDays: [3, 4, 7], finalAction: 'PAUSE' },
  outOfStock: { retryAfterDays: [1, 1, 1, 1], finalAction: 'SKIP' },
  askForNewMethod: true,
};
