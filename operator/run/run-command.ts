/** Runs a command at its target, with its trace. */
import { escapeInvisibleCharacters } from '../../lib/observability/escape-invisible-characters.ts';
import type { CommandDefinition, CommandOptions } from '../command.ts';
import { createRunChange } from '../dry-run.ts';
import { createCommandTrace } from '../open-trace.ts';
import { composeOperator } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandOutcome } from '../outcome.ts';
import type { OperatorTarget } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import { type CommandTrace, NO_TRACE } from '../trace/trace.ts';
import type { CommandEnd } from '../trace/trace-line.ts';
import { classifyFailure } from './classify-failure.ts';
import { describeCommand } from './describe-command.ts';
import { describeFailure } from './describe-failure.ts';

export type CommandCall = {
  readonly target: OperatorTarget;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  readonly options: CommandOptions;
  /** Called with the outcome before the trace ends, because a new key's link is shown only once. */
  readonly show?: (outcome: CommandOutcome) => void;
  /** Replaces the wait for concurrent processes where there are none. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** Runs the command and returns its outcome. Rejects with the command's error, and leaves the target open. */
export async function runCommand(command: CommandDefinition, call: CommandCall): Promise<CommandOutcome> {
  const { target, terminal, args, options, wait } = call;
  const isDryRun = options.dryRun === true;
  const commandTrace =
    command.isReadOnly || isDryRun
      ? NO_TRACE
      : createCommandTrace(target, describeCommand(command, args, options));
  const writeProgress = (message: string) => {
    if (options.json !== true) terminal.err(`… ${escapeInvisibleCharacters(message)}`);
  };
  const tracedOperator = {
    ...composeOperator(target, { progress: writeProgress, trace: commandTrace, isDryRun }),
    ...(wait && { wait }),
  };
  const askForConfirmation = (question: string) =>
    promptForConfirmation(terminal, question, isDryRun || options.yes === true);
  const commandRun = {
    operator: tracedOperator,
    terminal,
    args,
    options,
    isDryRun,
    change: createRunChange(isDryRun),
    confirm: askForConfirmation,
  };
  try {
    const outcome = await command.run(commandRun);
    call.show?.(outcome);
    await endTrace(commandTrace, terminal, outcome.isBad ? INCOMPLETE_COMMAND_END : { outcome: 'succeeded' });
    return outcome;
  } catch (error) {
    await endTrace(commandTrace, terminal, classifyFailure(error));
    throw error;
  }
}

/** The outcome has reported a problem, or a step that was not done. */
const INCOMPLETE_COMMAND_END: CommandEnd = { outcome: 'failed', errorCode: 'INCOMPLETE' };

/** Ends the trace. A failure to write the outcome is only reported, because it does not undo the command. */
async function endTrace(trace: CommandTrace, terminal: Terminal, commandEnd: CommandEnd): Promise<void> {
  await trace.end(commandEnd).catch((error: unknown) => {
    const message = describeFailure(error).message;
    terminal.err(`The trace has this command, but not its outcome (${commandEnd.outcome}): ${message}`);
  });
}

async function promptForConfirmation(
  terminal: Terminal,
  question: string,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed) return;
  if (!terminal.isInteractive)
    throw new OperatorError(
      `${question} This terminal cannot ask for confirmation. Add --yes.`,
      2,
      'CONFIRMATION_REQUIRED',
    );
  if (!(await terminal.confirm(question)))
    throw new OperatorError('Nothing was changed.', 1, 'CONFIRMATION_DENIED');
}
