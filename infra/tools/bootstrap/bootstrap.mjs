/**
 * The beginning of every npm script: runs on whatever Node the machine has (20 or later), without packages.
 * It installs what is missing and hands over to the script on the Node that the service runs on.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootstrapError } from './bootstrap-error.mjs';
import { installPackages } from './install-packages.mjs';
import { runChild } from './run-child.mjs';
import { scripts } from './scripts.mjs';

const OLDEST_NODE = 20;
/** Node keeps what it compiled here, by its content. */
const COMPILED = '.local/compile-cache';

async function bootstrap(root, [name, ...args]) {
  const script = scripts[name];
  if (script === undefined) {
    throw new BootstrapError(`There is no script "${name}"; there are ${Object.keys(scripts).join(', ')}.`);
  }
  const entry = join(root, script.entry);
  await installPackages(root);
  if (!existsSync(entry)) {
    throw new BootstrapError(
      `${script.entry} is missing, so npm run ${name} cannot run: restore it with git.`,
    );
  }
  const node = join(root, 'node_modules', '.bin', 'node');
  return runChild(node, [...(script.nodeArgs ?? []), entry, ...(script.args ?? []), ...args], {
    cwd: root,
    env: script.keepsCompiled ? { NODE_COMPILE_CACHE: join(root, COMPILED), ...process.env } : process.env,
    hasChannel: script.hasChannel === true,
  });
}

try {
  const [major] = process.versions.node.split('.');
  if (Number(major) < OLDEST_NODE) {
    throw new BootstrapError(
      `This is Node ${process.versions.node}, and the project needs Node ${OLDEST_NODE} or later: install it from https://nodejs.org.`,
    );
  }
  const root = process.env.BOOTSTRAP_ROOT ?? join(dirname(fileURLToPath(import.meta.url)), '../../..');
  process.exitCode = await bootstrap(root, process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
