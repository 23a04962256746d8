/**
 * Writes the log lines of functions and runner to the terminal, formatted or unchanged, and unchanged to a file. Banner
 * and mailbox are not log lines: start.ts writes them to the terminal only.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { RuntimeError } from './invocation-error.ts';
import { formatReadableLine } from './readable-line.ts';

type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
export type FunctionLogs = {
  /** A line that a function wrote. Text that is no JSON object is wrapped in one, as Lambda does. */
  fromFunction(name: string, line: string): void;
  functionError(name: string, requestId: string, error: RuntimeError): void;
  fromRunner(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  close(): void;
};
export type LogsOptions = {
  /** Whether the lines are printed unchanged, one JSON object each, instead of formatted. */
  readonly json: boolean;
  readonly file?: string | undefined;
  readonly write: (line: string) => void;
  readonly now: () => number;
};

/**
 * Opens the logs of a run.
 * @throws the system's error when the file cannot be opened
 */
export function createLogs({ json, file, write, now }: LogsOptions): FunctionLogs {
  const fileDescriptor = file === undefined ? undefined : openSync(file, 'a');
  const writeEntry = (entry: Readonly<Record<string, unknown>>, line = JSON.stringify(entry)) => {
    if (fileDescriptor !== undefined) writeSync(fileDescriptor, `${line}\n`);
    write(json ? line : formatReadableLine(entry));
  };
  const formatNow = () => new Date(now()).toISOString();
  return {
    fromFunction(name, line) {
      const parsedEntry = parseObject(line);
      if (parsedEntry !== undefined) writeEntry(parsedEntry, line);
      else writeEntry({ level: 'INFO', message: line, timestamp: formatNow(), service: name });
    },
    functionError(name, requestId, error) {
      writeEntry({
        level: 'ERROR',
        message: 'invocation failed',
        timestamp: formatNow(),
        service: name,
        requestId,
        ...error,
      });
    },
    fromRunner(level, message, fields = {}) {
      writeEntry({ level, message, timestamp: formatNow(), service: 'local-stack', ...fields });
    },
    close() {
      if (fileDescriptor !== undefined) closeSync(fileDescriptor);
    },
  };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
