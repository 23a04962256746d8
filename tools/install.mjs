/**
 * Runs before every npm script, in the project's folder, on whatever Node the machine has: installs the packages of
 * package-lock.json with `npm ci` if they are missing. It imports no package, because none is installed before it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The Node that everything else runs on; the install script of the package `node` puts it here. */
const NODE_BINARY = 'node_modules/.bin/node';
/** A link that leads nowhere: its target is the id of the process that installs. */
const LOCK_PATH = '.local/install.lock';
const LOG_PATH = '.local/install.log';

/** Compares with what npm writes down at the end of an install; packages for other systems are not in it. */
function isInstalled() {
  const written = 'node_modules/.package-lock.json';
  if (!fs.existsSync(NODE_BINARY) || !fs.existsSync(written)) return false;
  const packagesOf = (path) => JSON.parse(fs.readFileSync(path, 'utf8')).packages;
  const installed = packagesOf(written);
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, want]) => !path || want.optional || want.link || installed[path]?.version === want.version,
  );
}

/** Makes a call. Returns true if it worked, or false if it failed with `code`. */
function succeedsUnless(code, call) {
  try {
    call();
    return true;
  } catch (error) {
    if (error.code === code) return false;
    throw error;
  }
}

/** Returns the id of the process that holds the lock, or undefined if none does. */
function readLockHolder() {
  let pid;
  succeedsUnless('ENOENT', () => {
    pid = Number(fs.readlinkSync(LOCK_PATH));
  });
  return pid;
}

/** Removes the lock of a process that is gone. One process at a time may, so that no newer lock is removed. */
function removeLockOf(pid) {
  if (!succeedsUnless('EEXIST', () => fs.mkdirSync(`${LOCK_PATH}.guard`))) return;
  if (readLockHolder() === pid) fs.unlinkSync(LOCK_PATH);
  fs.rmdirSync(`${LOCK_PATH}.guard`);
}

/** Resolves when this process holds the lock: two installs at once destroy each other's work. */
async function acquireLock() {
  let named;
  while (!succeedsUnless('EEXIST', () => fs.symlinkSync(`${process.pid}`, LOCK_PATH))) {
    const pid = readLockHolder();
    if (pid !== undefined && !succeedsUnless('ESRCH', () => process.kill(pid, 0))) removeLockOf(pid);
    else if (pid !== undefined && pid !== named)
      console.log(`Process ${pid} is installing the packages; waiting for it …`);
    named = pid;
    await sleep(200);
  }
  process.once('exit', () => fs.unlinkSync(LOCK_PATH));
}

/** Resolves with what to do about a failure, or with undefined if npm installed everything. */
async function runNpmCi() {
  const { npm_execpath: running } = process.env;
  const [command, ...first] = running?.endsWith('.js') ? [process.execPath, running] : ['npm'];
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--prefer-offline'];
  const log = fs.openSync(LOG_PATH, 'w');
  const child = spawn(command, [...first, ...args], { stdio: ['ignore', log, log] });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  console.log('Installing the packages (about a minute) …');
  const [code, signal] = await once(child, 'close').catch((error) => [error.message]);
  if (typeof code === 'string') return `npm could not be started (${code}): install npm and try again.`;
  if (signal !== null) return 'The install was interrupted: run it again.';
  const end = fs.readFileSync(LOG_PATH, 'utf8').trim().split('\n').slice(-20).join('\n');
  if (code !== 0)
    return `${end}\n\nnpm ci failed: fix the cause and run the command again. All of it is in ${LOG_PATH}.`;
  if (fs.existsSync(NODE_BINARY)) return undefined;
  return 'npm has not run the install script of the package "node": allow install scripts (npm config set ignore-scripts false) and run the command again.';
}

/** Resolves with what to do about a problem, or with undefined if the packages are there. */
async function installPackages() {
  if (Number.parseInt(process.versions.node, 10) < 20)
    return `This is Node ${process.versions.node}, and the project needs Node 20 or later: install it from https://nodejs.org.`;
  if (isInstalled()) return undefined;
  fs.mkdirSync('.local', { recursive: true });
  await acquireLock();
  // The process that held the lock may have installed them.
  return isInstalled() ? undefined : await runNpmCi();
}

const installProblem = await installPackages();
if (installProblem !== undefined) console.error(installProblem);
process.exitCode = installProblem === undefined ? 0 : 1;
