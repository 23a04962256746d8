/** A lock between processes: a file that names its holder. A dead holder's lock is void. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/** Runs `work` while no other process holds the lock; says so if it has to wait. */
export async function withLock(path, work) {
  for (let waits = 0; !take(path); waits++) {
    if (waits === 0) console.error('Another command is installing the packages; waiting for it …');
    await sleep(POLL_MS);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function take(path) {
  try {
    writeFileSync(path, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeIfVoid(path);
    return false;
  }
}

function removeIfVoid(path) {
  const holder = readHolder(path);
  // A holder that has not written its name yet is alive.
  if (holder === undefined || isAlive(holder)) return;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // Another waiter may have been faster, and what was moved may be its new lock: it is put back.
  if (readHolder(aside) === holder) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function readHolder(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
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
