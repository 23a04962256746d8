/** node_modules is compared with the lock file; a stamp in it remembers the answer. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';

const STAMP = 'node_modules/.lock-hash';
/** The Node that everything runs on comes as a package; its install script puts it here. */
const NODE = 'node_modules/.bin/node';

/** True if the packages of the lock file are installed, by this script or by npm. */
export function arePackagesThere(root) {
  if (!existsSync(join(root, NODE))) return false;
  if (read(root, STAMP) === lockHash(root)) return true;
  if (!isInstalledByNpm(root)) return false;
  markInstalled(root);
  return true;
}

/** Remembers that the packages of the lock file are there. BootstrapError if Node is not among them. */
export function markInstalled(root) {
  if (!existsSync(join(root, NODE))) {
    throw new BootstrapError(
      'npm has not run the install script of the package "node": allow install scripts (npm config set ignore-scripts false) and run the command again.',
    );
  }
  writeFileSync(join(root, STAMP), lockHash(root));
}

function lockHash(root) {
  const lock = read(root, 'package-lock.json');
  if (lock === undefined) {
    throw new BootstrapError('package-lock.json is missing: restore it with git and run the command again.');
  }
  return createHash('sha256').update(lock).digest('hex');
}

/** npm writes down what it installed; packages for other systems are not among it. */
function isInstalledByNpm(root) {
  const hidden = read(root, 'node_modules/.package-lock.json');
  if (hidden === undefined) return false;
  const wanted = JSON.parse(read(root, 'package-lock.json')).packages;
  const installed = JSON.parse(hidden).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' || optional || link || installed[path]?.version === version,
  );
}

function read(root, name) {
  try {
    return readFileSync(join(root, name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
