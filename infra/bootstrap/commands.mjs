import { existsSync } from 'node:fs';
import { Hint } from './hint.mjs';
import { inProject } from './project.mjs';

const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '-c', 'tests/jest.config.mjs'];

/** Each command: what Node 24 is started with. */
const commands = {
  start: ['infra/local/start.ts'],
  test: JEST,
  demo: ['infra/local/demo/demo.ts'],
  operator: ['infra/operator/main.ts'],
  build: ['infra/build.ts'],
  generate: ['infra/generate.ts'],
  screenshots: ['tests/e2e/screenshots.ts'],
};

/** The arguments of Node for a command's name. A Hint if there is no such command, or its file is missing. */
export function readCommand(name) {
  const args = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (args === undefined) throw new Hint(`Name a command: ${Object.keys(commands).join(', ')}.`);
  const file = args.find((arg) => /^(infra|tests)\/.*\.ts$/.test(arg));
  if (file !== undefined && !existsSync(inProject(file))) {
    throw new Hint(`${file} is missing. Restore it, for example with: git checkout ${file}`);
  }
  return args;
}
