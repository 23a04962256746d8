import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { inProject } from './project.mjs';

/** Runs Node 24 with the arguments, on this terminal. Signals are passed on; resolves with the exit code. */
export function run(args, more) {
  const child = spawn(inProject('node_modules/.bin/node'), [...args, ...more], {
    cwd: inProject('.'),
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child by itself; a signal sent to this process alone does not.
  const forward = (signal) => void (process.stdin.isTTY && signal === 'SIGINT') || child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
