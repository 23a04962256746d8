/** The outcome of a command: for people, for programs, and as an exit code. */

export type CommandOutcome = {
  /** The complete standard output with --json. */
  readonly json: unknown;
  /** The lines for people. */
  readonly lines: readonly string[];
  /** The command succeeded and found a problem: exit code 1. */
  readonly isBad?: boolean;
};

/** Creates the outcome of a --dry-run; `message` starts with "Would". */
export function createDryRunOutcome(message: string, facts: object = {}): CommandOutcome {
  return { json: { dryRun: true, would: message, ...facts }, lines: [message] };
}

/** Returns for example `1 store`, `2 stores`. */
export function formatCountWithUnit(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
