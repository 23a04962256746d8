/** The folder of `--data`: locks it for one stack, and stores the runner's own values. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

export type DataFolder = {
  /** Returns a path below the folder; undefined in a run without a folder. */
  path(name: string): string | undefined;
  /**
   * Reads a stored value.
   * @returns undefined when there is none
   * @throws StartError when it cannot be read
   */
  read(name: string): unknown;
  write(name: string, content: unknown): void;
  release(): void;
};

const LOCK_FILE = 'in-use';

/**
 * Opens the folder; without `dir` nothing is stored.
 * @throws StartError when another stack uses the folder
 */
export function openDataFolder(dir: string | undefined): DataFolder {
  if (dir === undefined) {
    const doNothing = () => undefined;
    return { path: doNothing, read: doNothing, write: doNothing, release: doNothing };
  }
  createPrivateFolder(dir);
  const lockFile = join(dir, LOCK_FILE);
  acquireLock(lockFile, dir);
  return {
    path: (name) => join(dir, name),
    read: (name) => readStoredJson(join(dir, name)),
    write(name, content) {
      const path = join(dir, name);
      writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    release: () => rmSync(lockFile, { force: true }),
  };
}

/** Creates the folder, which only this user may read: it contains secrets. */
function createPrivateFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The data folder ${dir} cannot be made (${code}): name another one with --data.`);
  }
}

function acquireLock(lockFile: string, dir: string): void {
  try {
    writeFileSync(lockFile, `${process.pid}`, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new StartError(`The data folder ${dir} cannot be written to (${code}).`);
    const holderProcessId = Number(readFileSync(lockFile, 'utf8'));
    if (isProcessRunning(holderProcessId)) {
      throw new StartError(
        `The data folder ${dir} is in use by process ${holderProcessId}: stop that stack, or name another folder.`,
      );
    }
    rmSync(lockFile, { force: true });
    acquireLock(lockFile, dir);
  }
}

function isProcessRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStoredJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`${path} cannot be read: remove the data folder and start again.`);
  }
}
