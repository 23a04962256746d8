/** What was made at the platform, by whom, and what is told of it. */

/** Who did something, as the timeline names it. */
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
  /** Undefined: not through the service. */
  readonly actor: RecordedActor | undefined;
  /** The process of the service died, and perhaps does not know what it did. */
  readonly isUncertain: boolean;
  /** Its place in the history, and the request that made it. */
  readonly at: number;
  readonly during: Request | undefined;
};
/** All was looked at, and nothing was under way: what was not told by then never is. */
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
/** What an endpoint took. */
export type Receipt = {
  readonly id: string;
  readonly atMs: number;
  /** The time that it tells. */
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
  /** Of what is told ahead: which order, or which payment method. */
  readonly ahead: string | undefined;
  readonly attempt: string | undefined;
  /** What was received, whole. */
  readonly body: { readonly type: string; readonly data: object };
};
