/**
 * One JSON file that follows what is in memory: written a moment after a change and at the end, always as a
 * whole (a temporary file, then a rename), so that a lost machine leaves the last whole version.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const WRITE_AFTER_MS = 300;

export type StateFile = {
  /** Something changed: write soon. */
  touch(): void;
  /** Write now if anything changed. */
  flush(): void;
};

/** `content` is asked for at the time of writing. Without a path nothing is kept. */
export function createStateFile(path: string | undefined, content: () => unknown): StateFile {
  let timer: NodeJS.Timeout | undefined;
  function flush() {
    if (timer === undefined || path === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dirname(path), { recursive: true });
    // Grants and keys: for this user's eyes.
    writeFileSync(`${path}.tmp`, JSON.stringify(content()), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  }
  return {
    touch() {
      if (path !== undefined) timer ??= setTimeout(flush, WRITE_AFTER_MS).unref();
    },
    flush,
  };
}

/** What was kept; undefined if nothing was. Throws, saying what to do, if it cannot be read. */
export function readStateFile(path: string | undefined): unknown {
  if (path === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read. Remove the data folder and start again.`, { cause: error });
  }
}
