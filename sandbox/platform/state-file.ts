/**
 * A JSON file that follows a value in memory. It is written shortly after a change and at the end, always completely (a
 * temporary file, then a rename), so that a crash leaves the last complete version.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const WRITE_DELAY_MS = 300;

export type StateFile = {
  /** Schedules a write after a change. */
  scheduleWrite(): void;
  /** Writes immediately if anything has changed. */
  writeNow(): void;
};

/** `content` is called at the time of writing. Without a path nothing is stored. */
export function createStateFile(path: string | undefined, content: () => unknown): StateFile {
  let timer: NodeJS.Timeout | undefined;
  function writeNow() {
    if (timer === undefined || path === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dirname(path), { recursive: true });
    // The file contains grants and keys, so only this user may read it.
    writeFileSync(`${path}.tmp`, JSON.stringify(content()), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  }
  return {
    scheduleWrite() {
      if (path !== undefined) timer ??= setTimeout(writeNow, WRITE_DELAY_MS).unref();
    },
    writeNow,
  };
}

/**
 * Reads the stored value.
 * @returns undefined when nothing is stored
 * @throws Error with advice when the file cannot be read
 */
export function readStateFile(path: string | undefined): unknown {
  if (path === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read. Remove the data folder and start again.`, { cause: error });
  }
}
