/** The lines of the operators' trace, the audit trail of their commands: a command, its changes and its outcome. */
import type { LogFields } from '../../lib/observability/logger.ts';

/** The caller's identity from AWS. (STS, GetCallerIdentity) */
export type AwsCallerIdentity = { readonly account: string; readonly arn: string; readonly userId: string };

/** A command without its secrets. */
export type TracedCommandText = {
  /** For example `key revoke`. */
  readonly verb: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
};

/** The store of a command; the id is unknown for a store that does not exist. */
export type TracedStore = { readonly domain?: string; readonly shopId?: number };

/** The line that is written before the command makes its first change. */
type StartLine = TracedCommandText & {
  readonly event: 'begun';
  readonly who: AwsCallerIdentity;
  readonly environment: string;
  readonly table: string;
  readonly store?: TracedStore;
};
/** One completed change, with the same events as the functions' log: restoring the table replays some of them. */
type ChangeLine = LogFields & { readonly event: 'did'; readonly message: string };
/** Written at the end. Without this line the outcome is unknown: the command was interrupted. */
type EndLine = {
  readonly event: 'ended';
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
  readonly errorCode?: string;
};

/** A line of the audit trail. `id` is shared by the lines of a command; `at` is the operator's clock (ISO 8601). */
export type CommandTraceLine = { readonly id: string; readonly at: string } & (
  | StartLine
  | ChangeLine
  | EndLine
);
export type CommandEnd = Omit<EndLine, 'event'>;
