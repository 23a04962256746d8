/** A command line as the trace keeps it: what decides, without secrets and without what is about this machine alone. */
import { redact } from '../../lib/observability/redact.ts';
import type { CommandDefinition, Options } from '../command.ts';
import type { Command } from '../trace/trace-line.ts';

/** About this machine, or told in a field of its own. */
const LEFT_OUT = ['env', 'state', 'json', 'dryRun', 'output'];
/** Name files that hold secrets or lines of others: that one was given is enough. */
const FILES = ['credentials', 'events'];

/** Texts that look like a secret are redacted: a person may have pasted one anywhere. */
export function describeCommand(
  command: CommandDefinition,
  args: readonly string[],
  options: Options,
): Command {
  const visibleOptions = Object.entries(options).filter(([name]) => !LEFT_OUT.includes(name));
  const described = visibleOptions.map(([name, value]) => [name, FILES.includes(name) ? 'given' : value]);
  const safe = redact({ args, options: Object.fromEntries(described) });
  const { args: safeArgs, options: safeOptions } = withoutFragments(safe) as Pick<
    Command,
    'args' | 'options'
  >;
  return {
    verb: `${command.group} ${command.usage.split(' ')[0]}`.trim(),
    args: safeArgs,
    options: safeOptions,
  };
}

/** The secret of a one-time link is its fragment: 43 characters of base64url. */
function withoutFragments(value: object): object {
  return JSON.parse(JSON.stringify(value).replaceAll(/#[\w-]{43,}/g, '#[redacted]')) as object;
}
