/**
 * One install at a time in a folder: two at once destroy each other's work. The lock is a file with the
 * process id of its holder; if that process is gone, the lock is void.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/** Resolves when the lock is ours, with what releases it. `onWait` is called once, with the holder's id. */
export async function takeInstallLock(path, onWait) {
  for (let hasTold = false; ; ) {
    if (tryToTake(path)) return release(path);
    const holder = holderOf(path);
    if (holder !== undefined && !isAlive(holder)) {
      removeVoid(path, holder);
      continue;
    }
    if (!hasTold && holder !== undefined) {
      onWait(holder);
      hasTold = true;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** The file appears with its content, so nobody reads a lock without its holder. */
function tryToTake(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${process.pid}`);
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function release(path) {
  const remove = () => {
    if (holderOf(path) === process.pid) rmSync(path, { force: true });
  };
  process.once('exit', remove);
  return remove;
}

/**
 * Takes a void lock away. Two who saw it may both come here: what is taken away is looked at again, and put
 * back if it is another's by now.
 */
function removeVoid(path, deadHolder) {
  const aside = `${path}.void-${process.pid}`;
  try {
    renameSync(path, aside);
    if (holderOf(aside) !== deadHolder) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
