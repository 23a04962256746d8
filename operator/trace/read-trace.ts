/**
 * Reads the parts of the trace that a restore needs: the recorded changes, and the commands with an unknown outcome.
 */
import { type JsonObject, parseJsonObject } from '../../lib/domain/json-object.ts';
import { type LoggedChange, parseLoggedChange } from '../../lib/stores/restore/logged-change.ts';
import type { CommandTraceLine } from './trace-line.ts';
import type { TraceStore } from './trace-store.ts';

/** A command without a recorded outcome, as it can be typed again. */
export type CommandWithoutOutcome = {
  readonly command: string;
  readonly by: string;
  readonly startedAtMs: number;
};
type TraceForRestore = {
  readonly events: readonly LoggedChange[];
  /** The commands whose outcome is unknown. */
  readonly open: readonly CommandWithoutOutcome[];
};

/** Longer than any command runs: a command that started before the backup may have written after it. */
const MAX_COMMAND_MS = 24 * 3600 * 1000;

/** Reads the trace since a time of AWS's clock (epoch milliseconds), oldest first. */
export async function readTrace(store: TraceStore, sinceMs: number): Promise<TraceForRestore> {
  const storedLines = await store.readSince(sinceMs - MAX_COMMAND_MS);
  const parsedLines = storedLines.map(({ message, ingestedAtMs }) => ({
    line: parseJsonObject(message),
    ingestedAtMs,
  }));
  return {
    events: parsedLines
      .filter(({ ingestedAtMs }) => ingestedAtMs >= sinceMs)
      .flatMap(({ line, ingestedAtMs }) => parseLoggedChange(line, ingestedAtMs)),
    open: findCommandsWithoutOutcome(parsedLines),
  };
}

type ParsedLine = { readonly line: JsonObject | undefined; readonly ingestedAtMs: number };

function findCommandsWithoutOutcome(lines: readonly ParsedLine[]): CommandWithoutOutcome[] {
  const endedCommands = new Set(
    lines.flatMap(({ line }) => (line?.event === 'ended' && line.outcome !== 'unknown' ? [line.id] : [])),
  );
  return lines.flatMap(({ line, ingestedAtMs }) => {
    if (line?.event !== 'begun' || endedCommands.has(line.id) || line.verb === 'restore-complete') return [];
    const startLine = line as unknown as Extract<CommandTraceLine, { event: 'begun' }>;
    return [{ command: formatCommand(startLine), by: startLine.who.arn, startedAtMs: ingestedAtMs }];
  });
}

/** Returns the command as it was typed, except for the options that name files and the environment. */
function formatCommand({
  verb: commandName,
  args,
  options,
}: Extract<CommandTraceLine, { event: 'begun' }>): string {
  const flags = Object.entries(options).map(([name, value]) => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === false) return `--no-${flag}`;
    return value === true ? `--${flag}` : `--${flag} ${JSON.stringify(value)}`;
  });
  return [commandName, ...args, ...flags].join(' ');
}
