import { createLogs, type FunctionLogs } from '../functions/logs.ts';
import { StartError } from './start-error.ts';
import type { StartOptions } from './start-options.ts';

/**
 * Opens the logs of a run.
 * @throws StartError when the log file cannot be written
 */
export function openLogs({ jsonLogs, logFile }: StartOptions): FunctionLogs {
  try {
    return createLogs({ json: jsonLogs, file: logFile, write: console.log, now: Date.now });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The log file ${logFile} cannot be written (${code}): name another with --log-file.`,
    );
  }
}
