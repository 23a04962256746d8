/** A verb of the command line: what it is called, how it is explained, and what it does. */
import type { Change } from './dry-run.ts';
import type { Operator } from './operator.ts';
import { OperatorError } from './operator-error.ts';
import type { Outcome } from './outcome.ts';
import type { Terminal } from './terminal.ts';

export type CommandDefinition = {
  readonly group: string;
  /** The verb with its arguments, for example `install <domain>`. */
  readonly usage: string;
  readonly summary: string;
  /** The options in commander's notation → their explanation. */
  readonly options?: Readonly<Record<string, string>>;
  /** The examples, as they stand behind `npm run operator -- `. */
  readonly examples: readonly string[];
  /** The verb reads alone, and has no --dry-run. */
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
  /** Every write of the verb happens in here, unless it foresees a dry run's counts by itself. */
  readonly change: Change;
  /** Asks before something that cannot be taken back, unless --yes was given. */
  readonly confirm: (question: string) => Promise<void>;
};
/** An option's text, if it was given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** A required argument; commander has seen that it is there. */
export function argument(run: Run, index: number): string {
  const value = run.args[index];
  if (value === undefined) throw new OperatorError('An argument is missing. Add --help to see all.', 2);
  return value;
}
