/** What a verb comes to: for people, for programs, and in its exit code. */

export type Outcome = {
  /** The whole of standard output with --json. */
  readonly json: unknown;
  /** The lines for people. */
  readonly lines: readonly string[];
  /** The command did what it should, and what it found is not well: exit code 1. */
  readonly isBad?: boolean;
};

/** What a --dry-run answers: `words` begin with "Would". */
export function dryRun(message: string, facts: object = {}): Outcome {
  return { json: { dryRun: true, would: message, ...facts }, lines: [message] };
}

/** For example `1 store`, `2 stores`. */
export function counted(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
