/**
 * What every npm script runs first, on the machine's own Node and without any dependency: installs what is
 * missing, then starts the command on the Node 24 that came with the packages.
 */

import { readCommand } from './bootstrap/commands.mjs';
import { Hint } from './bootstrap/hint.mjs';
import { installMissing } from './bootstrap/install.mjs';
import { run } from './bootstrap/run.mjs';

const LEAST_NODE = 20;

try {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < LEAST_NODE) throw new Hint(`Node ${LEAST_NODE} or later is needed; this is Node ${major}.`);
  const command = readCommand(process.argv[2]);
  await installMissing();
  process.exitCode = await run(command, process.argv.slice(3));
} catch (error) {
  if (!(error instanceof Hint)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
