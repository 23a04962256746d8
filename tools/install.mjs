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
/** A symbolic link whose target is only a text: the id of the process that installs. */
const LOCK_PATH = '.local/install.lock';
const LOG_PATH = '.local/install.log';

/** Compares package-lock.json with npm's record of the last complete install, which omits packages for other systems. */
function isInstalled() {
  const installedLockPath = 'node_modules/.package-lock.json';
  if (!fs.existsSync(NODE_BINARY) || !fs.existsSync(installedLockPath)) return false;
  const packagesOf = (path) => JSON.parse(fs.readFileSync(path, 'utf8')).packages;
  const installed = packagesOf(installedLockPath);
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, want]) => !path || want.optional || want.link || installed[path]?.version === want.version,
  );
}

/** Returns true when the call succeeds, or false when it fails with `code`. Throws any other error. */
function returnsFalseOnErrorCode(code, call) {
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
  returnsFalseOnErrorCode('ENOENT', () => {
    pid = Number(fs.readlinkSync(LOCK_PATH));
  });
  return pid;
}

/** Removes the lock of a process that no longer runs. A guard folder ensures that one process at a time checks and removes it. */
function removeLockOfDeadProcess(pid) {
  if (!returnsFalseOnErrorCode('EEXIST', () => fs.mkdirSync(`${LOCK_PATH}.guard`))) return;
  if (readLockHolder() === pid) fs.unlinkSync(LOCK_PATH);
  fs.rmdirSync(`${LOCK_PATH}.guard`);
}

/** Resolves when this process holds the lock. Concurrent installs would overwrite each other's files. */
async function acquireLock() {
  let announcedPid;
  while (!returnsFalseOnErrorCode('EEXIST', () => fs.symlinkSync(`${process.pid}`, LOCK_PATH))) {
    const pid = readLockHolder();
    if (pid !== undefined && !returnsFalseOnErrorCode('ESRCH', () => process.kill(pid, 0)))
      removeLockOfDeadProcess(pid);
    else if (pid !== undefined && pid !== announcedPid)
      console.log(`Process ${pid} is installing the packages; waiting for it …`);
    announcedPid = pid;
    await sleep(200);
  }
  process.once('exit', () => fs.unlinkSync(LOCK_PATH));
}

/** Resolves with advice about a failure, or with undefined when npm has installed everything. */
async function runNpmCi() {
  const { npm_execpath: npmScript } = process.env;
  const [command, ...firstArguments] = npmScript?.endsWith('.js') ? [process.execPath, npmScript] : ['npm'];
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--prefer-offline'];
  const log = fs.openSync(LOG_PATH, 'w');
  const child = spawn(command, [...firstArguments, ...args], { stdio: ['ignore', log, log] });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  console.log('Installing the packages (about a minute) …');
  const [code, signal] = await once(child, 'close').catch((error) => [error.message]);
  if (typeof code === 'string') return `npm could not be started (${code}): install npm and try again.`;
  if (signal !== null) return 'The install was interrupted: run it again.';
  const lastLines = fs.readFileSync(LOG_PATH, 'utf8').trim().split('\n').slice(-20).join('\n');
  if (code !== 0)
    return `${lastLines}\n\nnpm ci failed: fix the cause and run the command again. All of it is in ${LOG_PATH}.`;
  if (fs.existsSync(NODE_BINARY)) return undefined;
  return 'npm has not run the install script of the package "node": allow install scripts (npm config set ignore-scripts false) and run the command again.';
}

/** Resolves with advice about a problem, or with undefined when the packages are installed. */
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
