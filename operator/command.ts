/** A command of the command line: its usage, its help text, and its implementation. */
import type { RunChange } from './dry-run.ts';
import type { Operator } from './operator.ts';
import { OperatorError } from './operator-error.ts';
import type { CommandOutcome } from './outcome.ts';
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
  readonly isReadOnly?: boolean;
  readonly run: (run: CommandRun) => Promise<CommandOutcome>;
};

export type CommandOptions = Readonly<Record<string, unknown>>;
export type CommandRun = {
  readonly operator: Operator;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  readonly options: CommandOptions;
  readonly isDryRun: boolean;
  /** Runs every write of the command, unless the command computes a dry run's counts itself. */
  readonly change: RunChange;
  /** Asks before an irreversible step, unless --yes was given. */
  readonly confirm: (question: string) => Promise<void>;
};
/** Returns an option's text, or undefined when it was not given. */
export function findTextOption(options: CommandOptions, name: string): string | undefined {
  const optionValue = options[name];
  return typeof optionValue === 'string' ? optionValue : undefined;
}

/** Returns a required argument; commander has checked that it was given. */
export function requireArgument(run: CommandRun, index: number): string {
  const argumentValue = run.args[index];
  if (argumentValue === undefined)
    throw new OperatorError('An argument is missing. Add --help to list the arguments.', 2);
  return argumentValue;
}
