/** A command of the command line: its usage, its help text, and its implementation. */
import type { ApplyChange } from './dry-run.ts';
import type { Operator } from './operator.ts';
import { OperatorError } from './operator-error.ts';
import type { Outcome } from './outcome.ts';
import type { Terminal } from './terminal.ts';

export type CommandDefinition = {
  readonly group: string;
  /** The command with its arguments, for example `install <domain>`. */
  readonly usage: string;
  readonly summary: string;
  /** Option descriptions by option, in commander's notation. */
  readonly options?: Readonly<Record<string, string>>;
  /** Example arguments, to append to `npm run operator -- `. */
  readonly examples: readonly string[];
  /** The command only reads, so it has no --dry-run. */
  readonly isReading?: boolean;
  readonly run: (run: Run) => Promise<Outcome>;
};

export type Options = Readonly<Record<string, unknown>>;
export type Run = {
  readonly operator: Operator;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  readonly options: Options;
  readonly isDryRun: boolean;
  /** Runs every write of the command, unless the command computes a dry run's counts itself. */
  readonly change: ApplyChange;
  /** Asks before an irreversible step, unless --yes was given. */
  readonly confirm: (question: string) => Promise<void>;
};
/** Returns an option's text, or undefined when it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a required argument; commander has checked that it was given. */
export function requiredArgument(run: Run, index: number): string {
  const value = run.args[index];
  if (value === undefined)
    throw new OperatorError('An argument is missing. Add --help to list the arguments.', 2);
  return value;
}
