/** Runs a verb at its target, with its trace. */
import { visibleText } from '../../lib/observability/visible-text.ts';
import type { CommandDefinition, Options } from '../command.ts';
import { createChange } from '../dry-run.ts';
import { openTrace } from '../open-trace.ts';
import { composeOperator } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import type { Outcome } from '../outcome.ts';
import type { Target } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import { noTrace, type Trace } from '../trace/trace.ts';
import type { HowItEnded } from '../trace/trace-line.ts';
import { describeCommand } from './describe-command.ts';
import { describeFailure } from './describe-failure.ts';
import { howItFailed } from './how-it-failed.ts';

export type CommandCall = {
  readonly target: Target;
  readonly terminal: Terminal;
  readonly args: readonly string[];
  readonly options: Options;
  /** Is told the outcome before the trace is, for a new key's link is seen once. */
  readonly show?: (outcome: Outcome) => void;
  /** In place of waiting, where nobody else is there to be waited for. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** What came of it. Rejects with what the verb rejects with, and leaves the target open. */
export async function runCommand(command: CommandDefinition, call: CommandCall): Promise<Outcome> {
  const { target, terminal, args, options, wait } = call;
  const isDryRun = options.dryRun === true;
  const trace =
    command.isReading || isDryRun ? noTrace : openTrace(target, describeCommand(command, args, options));
  const progress = (message: string) => {
    if (options.json !== true) terminal.err(`… ${visibleText(message)}`);
  };
  const operator = { ...composeOperator(target, { progress, trace, isDryRun }), ...(wait && { wait }) };
  const confirm = (question: string) => ask(terminal, question, isDryRun || options.yes === true);
  const run = { operator, terminal, args, options, isDryRun, change: createChange(isDryRun), confirm };
  try {
    const outcome = await command.run(run);
    call.show?.(outcome);
    await endTrace(trace, terminal, outcome.isBad ? INCOMPLETE : { outcome: 'succeeded' });
    return outcome;
  } catch (error) {
    await endTrace(trace, terminal, howItFailed(error));
    throw error;
  }
}

/** The verb has told what is not well, or was left undone. */
const INCOMPLETE: HowItEnded = { outcome: 'failed', errorCode: 'INCOMPLETE' };

/** The work is done, or not: that its outcome is not kept changes nothing of it. */
async function endTrace(trace: Trace, terminal: Terminal, how: HowItEnded): Promise<void> {
  await trace.end(how).catch((error: unknown) => {
    const message = describeFailure(error).message;
    terminal.err(`The trace has this command, but not how it ended (${how.outcome}): ${message}`);
  });
}

async function ask(terminal: Terminal, question: string, isAnswered: boolean): Promise<void> {
  if (isAnswered) return;
  if (!terminal.isInteractive)
    throw new OperatorError(`${question} Nobody can be asked here: add --yes.`, 2, 'CONFIRMATION_REQUIRED');
  if (!(await terminal.confirm(question)))
    throw new OperatorError('Nothing was changed.', 1, 'CONFIRMATION_DENIED');
}
