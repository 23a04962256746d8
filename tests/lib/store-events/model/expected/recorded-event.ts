/** The changes at the platform with their actors, and their events. */

/** An actor, as the timeline names it. */
export type RecordedActor = { readonly kind: string; readonly label?: string };

/** A request of the service's, from when it began to when it ended; `from`, `to`: places in the history. */
export type Request = {
  readonly actor: RecordedActor;
  readonly from: number;
  readonly to: number;
  readonly fromMs: number;
  readonly toMs: number;
};

/** The platform's own state went from one value to another. */
export type Made = {
  readonly contract: number;
  readonly field: string;
  readonly before: string;
  readonly after: string;
  /** Undefined for a change that was not made through the service. */
  readonly actor: RecordedActor | undefined;
  /** The service's process crashed, and may not know its result. */
  readonly isUncertain: boolean;
  /** Its place in the history, and the request that made it. */
  readonly at: number;
  readonly during: Request | undefined;
};
/** Everything was reconciled without running work: announcements that are missing by then never come. */
export type AheadPeriod = { readonly aheadPeriodAtMs: number };

export type RecordedEvent = {
  readonly id: string;
  readonly contract: number;
  readonly number: string;
  readonly action: string;
  readonly createdAtMs: number;
  readonly outcome: string;
  readonly actor: RecordedActor;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
};
/** An event that an endpoint accepted. */
export type Receipt = {
  readonly id: string;
  readonly atMs: number;
  /** The time in the event. */
  readonly happenedMs: number;
  readonly customerId: string | null;
  readonly onBehalfOf: string | null;
  readonly type: string;
  readonly contract: string | null;
  readonly changes: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
  readonly actor: string | undefined;
  readonly outcome: string;
  readonly recordedMs: number;
  readonly position: number;
  /** The orders as the platform has them when the event says that they are others. */
  readonly orders: Readonly<Record<string, string>> | undefined;
  /** The order or the payment method of an announcement. */
  readonly ahead: string | undefined;
  readonly attempt: string | undefined;
  /** The complete received body. */
  readonly body: { readonly type: string; readonly data: object };
};
