/** Runs the script itself, on the project's Node, as if it had been started directly. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { BootstrapError } from './bootstrap-error.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Resolves with the exit code. Signals are passed on; a terminal's Ctrl-C reaches the child twice then, which
 * takes two within a moment for one. With `hasChannel` the child sees a channel close
 * if this process is killed.
 */
export function runChild(command, args, { hasChannel, ...options }) {
  const stdio = ['inherit', 'inherit', 'inherit', ...(hasChannel ? ['ipc'] : [])];
  const child = spawn(command, args, { ...options, stdio });
  const forward = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new BootstrapError(
          `${command} cannot be started (${error.message}): remove node_modules and run the command again.`,
        ),
      ),
    );
    child.once('close', (code, signal) => {
      for (const name of SIGNALS) process.removeListener(name, forward);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}
