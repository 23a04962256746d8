/** The lines of the operators' trace: what a command was about to do, what it did, and how it ended. */
import type { LogFields } from '../../lib/observability/logger.ts';

/** Who runs the command, as AWS tells it. (STS, GetCallerIdentity) */
export type Caller = { readonly account: string; readonly arn: string; readonly userId: string };

/** A command without its secrets. */
export type Command = {
  /** For example `key revoke`. */
  readonly verb: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
};

/** The store that a command is about; the id is not known of one that is not there. */
export type AboutStore = { readonly domain?: string; readonly shopId?: number };

/** Written before the first change. */
type StartLine = Command & {
  readonly event: 'begun';
  readonly who: Caller;
  readonly environment: string;
  readonly table: string;
  readonly store?: AboutStore;
};
/** One thing that was done, in the words of the functions' log: restoring the table replays some of them. */
type Did = LogFields & { readonly event: 'did'; readonly message: string };
/** Written at the end. Without this line the outcome is unknown: the command broke off. */
type Ended = {
  readonly event: 'ended';
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
  readonly errorCode?: string;
};

/** `id` holds the lines of a command together; `at` is the operator's own clock (ISO 8601). */
export type TraceLine = { readonly id: string; readonly at: string } & (StartLine | Did | Ended);
export type HowItEnded = Omit<Ended, 'event'>;
