/**
 * The description of a command line for the trace: the arguments that matter, without secrets and without settings of
 * this machine.
 */
import { redactSecrets } from '../../lib/observability/redact-secrets.ts';
import type { CommandDefinition, CommandOptions } from '../command.ts';
import type { TracedCommandText } from '../trace/trace-line.ts';

/** These options concern only this machine or have their own field in the trace. */
const OMITTED_OPTIONS = ['env', 'state', 'json', 'dryRun', 'output'];
/** These options name files with secrets or log lines; the trace records only that they were given. */
const FILE_OPTIONS = ['credentials', 'events'];

/** Describes a command. Redacts texts that look like secrets, because a person may have pasted one anywhere. */
export function describeCommand(
  command: CommandDefinition,
  args: readonly string[],
  options: CommandOptions,
): TracedCommandText {
  const visibleOptionEntries = Object.entries(options).filter(([name]) => !OMITTED_OPTIONS.includes(name));
  const describedOptions = visibleOptionEntries.map(([name, value]) => [
    name,
    FILE_OPTIONS.includes(name) ? 'given' : value,
  ]);
  const redactedCommand = redactSecrets({ args, options: Object.fromEntries(describedOptions) });
  const { args: safeArgs, options: safeOptions } = removeUrlFragments(redactedCommand) as Pick<
    TracedCommandText,
    'args' | 'options'
  >;
  return {
    verb: `${command.group} ${command.usage.split(' ')[0]}`.trim(),
    args: safeArgs,
    options: safeOptions,
  };
}

/** The secret of a one-time link is its fragment: 43 characters of base64url. */
function removeUrlFragments(value: object): object {
  return JSON.parse(JSON.stringify(value).replaceAll(/#[\w-]{43,}/g, '#[redacted]')) as object;
}
