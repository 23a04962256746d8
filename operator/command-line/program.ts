/** The command line as commander parses it: groups, commands, and the options that all commands share. */

import { Command, CommanderError } from 'commander';
import { escapeInvisibleCharacters } from '../../lib/observability/escape-invisible-characters.ts';
import type { CommandDefinition, CommandOptions } from '../command.ts';
import { formatTimesAsIso } from '../format-times.ts';
import type { CommandOutcome } from '../outcome.ts';
import { parseAddressOption } from '../parse-address-option.ts';
import { createPlainTerminal } from '../plain-terminal.ts';
import { describeFailure } from '../run/describe-failure.ts';
import { runCommand } from '../run/run-command.ts';
import { closeTarget, openTarget, type TargetOptions } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import { commandDefinitions, commandGroups } from './all-commands.ts';
import { writeCompletionScript } from './completion.ts';

const HELP_WIDTH = 100;

/** Runs a command line and returns its exit code: 0 for success, 1 for failure, 2 for an invalid command line. */
export async function runCommandLine(args: readonly string[], processTerminal: Terminal): Promise<number> {
  const plainTerminal = createPlainTerminal(processTerminal);
  const programState = { exitCode: 0 };
  // With --json standard error has only the error, also an error of commander.
  const isJson = args.includes('--json');
  const parserTerminal = isJson ? { ...plainTerminal, err: () => undefined } : plainTerminal;
  const program = buildProgram(parserTerminal, async (definition, parameters) => {
    programState.exitCode = await runAtTerminal(definition, plainTerminal, parameters);
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return programState.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { message, code, exitCode } = describeFailure(error);
    if (isJson) plainTerminal.err(JSON.stringify({ error: { code, message } }));
    else if (!(error instanceof CommanderError)) plainTerminal.err(message);
    return exitCode;
  }
}

/**
 * Parses a command line without running it.
 * @returns commander's message, or undefined when the command line is valid
 * @internal Tests parse every command in the documents with it.
 */
export async function findParseError(args: readonly string[]): Promise<string | undefined> {
  const outputTexts: string[] = [];
  const writeError = (text: string) => void outputTexts.push(text);
  const helpTerminal = { out: writeError, err: writeError, columns: HELP_WIDTH };
  try {
    await buildProgram(helpTerminal, async () => undefined).parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    return error instanceof CommanderError && error.exitCode === 0
      ? undefined
      : outputTexts.join('\n') || `${error}`;
  }
}

type TerminalOutput = Pick<Terminal, 'out' | 'err' | 'columns'>;
type RunCommand = (definition: CommandDefinition, parameters: [string[], CommandOptions]) => Promise<void>;

function buildProgram(terminal: TerminalOutput, run: RunCommand): Command {
  const program = new Command('operator')
    .description('Stores, admin keys and sign-ins of the subscription service.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .configureHelp({ helpWidth: Math.min(terminal.columns, HELP_WIDTH) })
    .showHelpAfterError('Add --help to list the commands.')
    .helpCommand(false);
  for (const [group, summary] of Object.entries(commandGroups)) {
    const command = program.command(group).description(summary).helpCommand(false);
    for (const definition of commandDefinitions.filter((each) => each.group === group)) {
      addCommand(command, definition, (...parameters) => run(definition, parameters));
    }
  }
  for (const definition of commandDefinitions.filter(({ group }) => group === '')) {
    addCommand(program, definition, (...parameters) => run(definition, parameters));
  }
  program
    .command('completion')
    .description('Print a script that completes groups and commands')
    .argument('<shell>', 'bash or zsh')
    .action((shell: string) => terminal.out(writeCompletionScript(shell)));
  return program;
}

function addCommand(
  group: Command,
  definition: CommandDefinition,
  action: (args: string[], options: CommandOptions) => Promise<void>,
): void {
  const command = group.command(definition.usage).description(definition.summary);
  for (const [flags, message] of Object.entries(definition.options ?? {})) command.option(flags, message);
  command
    .option('--env <name>', 'local, or an environment of infra/definition/config.ts', 'local')
    .option('--state <file>', 'file that describes the local stack (default: .local/stack.json)')
    .option('--json', 'print JSON');
  if (!definition.isReadOnly) {
    command.option('--dry-run', 'print what would change, and change nothing');
    // A command that confirms each of its steps has its own --yes.
    if (!Object.keys(definition.options ?? {}).some((flags) => flags.startsWith('--yes')))
      command.option('--yes', 'do not ask for confirmation');
  }
  rejectRepeatedOptions(command);
  const examples = definition.examples.map((example) => `  npm run operator -- ${example}`);
  command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  command.action(async (...parameters: unknown[]) => {
    const args = parameters.slice(0, -2).filter((each): each is string => typeof each === 'string');
    await action(args, selectTypedOptions(parameters.at(-1) as Command));
  });
}

/** Refuses an option that is given twice, or given and negated: commander would silently take the last value. */
function rejectRepeatedOptions(command: Command): void {
  const flagByName = new Map<string, string>();
  for (const option of command.options) {
    const name = option.attributeName();
    command.on(`option:${option.name()}`, () => {
      const earlierFlag = flagByName.get(name);
      flagByName.set(name, option.flags);
      const isRepeatedFlag = earlierFlag === option.flags && !option.required && !option.optional;
      if (earlierFlag === undefined || isRepeatedFlag) return;
      const optionProblem =
        earlierFlag === option.flags
          ? `${earlierFlag} is given twice`
          : `${earlierFlag} contradicts ${option.flags}`;
      command.error(`error: option '${optionProblem}'`);
    });
  }
}

/** Returns the options that were typed, because the trace records only these, and the environment. */
function selectTypedOptions(command: Command): CommandOptions {
  const isOptionGiven = (name: string) => name === 'env' || command.getOptionValueSource(name) === 'cli';
  return Object.fromEntries(Object.entries(command.opts()).filter(([name]) => isOptionGiven(name)));
}

async function runAtTerminal(
  definition: CommandDefinition,
  terminal: Terminal,
  [args, commandOptions]: [string[], CommandOptions],
): Promise<number> {
  const openedTarget = await openTarget({
    ...(commandOptions as TargetOptions),
    baseUrl: parseAddressOption(commandOptions, '--base-url'),
  });
  const isJson = commandOptions.json === true;
  try {
    const show = (outcome: CommandOutcome) => printOutcome(terminal, outcome, isJson);
    const commandOutcome = await runCommand(definition, {
      target: openedTarget,
      terminal,
      args,
      options: commandOptions,
      show,
    });
    return commandOutcome.isBad ? 1 : 0;
  } finally {
    closeTarget(openedTarget);
  }
}

/** @internal Tests print any text. An outcome line for people stays one line, whatever characters it contains. */
export function printOutcome(terminal: Terminal, { json, lines }: CommandOutcome, isJson: boolean): void {
  if (isJson) terminal.out(JSON.stringify(formatTimesAsIso(json), undefined, 2));
  else for (const line of lines) terminal.out(escapeInvisibleCharacters(line));
}
