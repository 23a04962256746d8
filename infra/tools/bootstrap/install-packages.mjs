/**
 * Installs the packages of the lock file with `npm ci`, if they are not there. Several scripts may be started at
 * once on a fresh clone: one installs, the others wait for it (install-lock.mjs).
 */
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { takeInstallLock } from './install-lock.mjs';
import { arePackagesThere, markInstalled } from './installed-packages.mjs';

/** Resolves when the packages are there. BootstrapError if npm fails, with what it said last. */
export async function installPackages(root) {
  if (arePackagesThere(root)) return;
  const local = join(root, '.local');
  mkdirSync(local, { recursive: true });
  const release = await takeInstallLock(join(local, 'install.lock'), (holder) =>
    console.log(`Process ${holder} is installing the packages; waiting for it …`),
  );
  try {
    // The process that held the lock may have done it.
    if (arePackagesThere(root)) return;
    await npmCi(root, join(local, 'install.log'));
    markInstalled(root);
    console.log('Packages installed.');
  } finally {
    release();
  }
}

function npmCi(root, logPath) {
  const log = openSync(logPath, 'w');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--prefer-offline'];
  const [command, ...first] = npm();
  const child = spawn(command, [...first, ...args], { cwd: root, stdio: ['ignore', log, log] });
  const stop = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  console.log('Installing the packages (about a minute) …');
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new BootstrapError(`npm could not be started (${error.message}): install npm and try again.`)),
    );
    child.once('close', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(name, stop);
      if (code === 0) resolve();
      else if (signal !== null) reject(new BootstrapError('The install was interrupted: run it again.', 130));
      else reject(new BootstrapError(failure(logPath)));
    });
  });
}

/** The npm that runs this script, or the one on the path. */
function npm() {
  const running = process.env.npm_execpath;
  return running?.endsWith('.js') ? [process.execPath, running] : ['npm'];
}

function failure(logPath) {
  const lines = readFileSync(logPath, 'utf8').trim().split('\n').slice(-20);
  return `${lines.join('\n')}\n\nnpm ci failed: look above (all of it is in ${logPath}), mend it and run the command again.`;
}
