/** Installs the packages, once, though several commands may be started at the same moment. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { Hint } from './hint.mjs';
import { withLock } from './lock.mjs';
import { inProject } from './project.mjs';

const STAMP = inProject('node_modules/.installed-from');
const LOG = inProject('.local/install.log');

/** Runs `npm ci` unless it has been run for this lock file. A Hint if it fails. */
export async function installMissing() {
  if (isInstalled()) return;
  mkdirSync(inProject('.local'), { recursive: true });
  await withLock(inProject('.local/install.lock'), async () => {
    if (isInstalled()) return;
    console.error('Installing packages; the first time takes about a minute …');
    const startedAt = Date.now();
    await npmCi();
    writeFileSync(STAMP, lockFileHash());
    console.error(`Packages installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  });
}

function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockFileHash();
}

function lockFileHash() {
  return createHash('sha256')
    .update(readFileSync(inProject('package-lock.json')))
    .digest('hex');
}

function npmCi() {
  const output = openSync(LOG, 'w');
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: inProject('.'),
    stdio: ['ignore', output, output],
  });
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(new Hint('npm cannot be started. Install it together with Node.')));
    child.on('exit', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Hint(`The packages could not be installed: npm ci failed, see .local/install.log.`));
    });
  });
}
