/** Processes of a benchmark: pinned to one CPU where the system can, spoken to over a channel. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export type BenchProcess = {
  /** The answer to a message; rejects with what the process says is wrong. */
  ask<T>(message: object): Promise<T>;
  /** Resolves with the next message that the process sends unrequested. */
  next<T>(): Promise<T>;
  stop(): void;
};

const hasTaskset = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
/** Whether all processes share one CPU. */
export const isPinned = hasTaskset;

/** Starts a file of this folder. Discards its standard output, where the handler logs. */
export function startProcess(file: string, args: readonly string[], env: NodeJS.ProcessEnv): BenchProcess {
  const command = [process.execPath, '--expose-gc', join(import.meta.dirname, file), ...args];
  const [program = '', ...rest] = hasTaskset ? ['taskset', '-c', '0', ...command] : command;
  const child = spawn(program, rest, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    ask(message) {
      child.send(message);
      return answerOf(child);
    },
    next: () => answerOf(child),
    stop: () => child.disconnect(),
  };
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a process of the benchmark ended (${code})`));
    child.once('exit', onExit);
    child.once('message', (answer: T & { error?: string }) => {
      child.off('exit', onExit);
      if (answer.error === undefined) resolve(answer);
      else reject(new Error(answer.error));
    });
  });
}
