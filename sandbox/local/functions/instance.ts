/** One instance of a function: a process with the bundle, run by instance-runtime.mjs. pool.ts owns it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import { InvocationError, type RuntimeError } from './invocation-error.ts';
import { readMessages, writeMessage } from './runner-channel.ts';

export type FunctionInstance = {
  /** Resolves when the bundle is loaded; rejects with an InvocationError if that fails. */
  readonly ready: Promise<void>;
  /** Resolves when the process has exited. */
  readonly ended: Promise<void>;
  /** Resolves with true when the instance requests an invocation, and with false when it exits after a response. */
  requestsNextInvocation(): Promise<boolean>;
  /**
   * Runs one invocation, after the instance requested it. Rejects with an InvocationError when the handler throws or
   * the process exits.
   */
  invoke(invocation: FunctionInvocation): Promise<InstanceResponse>;
  /**
   * Lets pending work run, returns the requests that it sent after its response, and stops the process; kills it after
   * the given time.
   */
  drain(withinMs: number): Promise<readonly LateRequest[]>;
  kill(): void;
};
export type FunctionInvocation = {
  readonly event: object;
  readonly requestId: string;
  readonly offsetMs: number;
  readonly traceId: string;
  readonly context: { readonly timeoutMs: number; readonly fields: Readonly<Record<string, string>> };
};
type LateRequest = { readonly requestId: string; readonly request: string };
export type InstanceResponse = {
  readonly result?: unknown;
  readonly error?: RuntimeError;
  readonly unfinishedRequests: readonly string[];
  readonly lateRequests: readonly LateRequest[];
};
export type RuntimeMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly error: RuntimeError }
  | { readonly type: 'next' }
  | { readonly type: 'drained'; readonly lateRequests: readonly LateRequest[] }
  | ({ readonly type: 'answer'; readonly requestId: string } & InstanceResponse);

export type InstanceOptions = {
  readonly bundlePath: string;
  /** The function's complete environment; it contains nothing of the runner's own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly offsetMs: number;
  readonly onLine: (line: string) => void;
};

/** The running processes. They must exit with this process, even during an invocation. */
const livingProcesses = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of livingProcesses) child.kill('SIGKILL');
});

const RUNTIME_FILE = join(import.meta.dirname, 'instance-runtime.mjs');

/** Starts the process of an instance, which loads the function's bundle. */
export function startInstance(options: InstanceOptions): FunctionInstance {
  const runtimeProcess = spawnRuntime(RUNTIME_FILE, options);
  const { send, nextMessage, ended } = openChannel(runtimeProcess);
  const readyPromise = nextMessage().then(expectReady);
  // The rejection reaches the caller of `invoke`; avoid an unhandled rejection when no invocation is pending.
  readyPromise.catch(() => undefined);
  let nextRequestPromise = Promise.resolve(true);
  return {
    ready: readyPromise,
    ended,
    requestsNextInvocation: () => nextRequestPromise,
    async invoke(invocation) {
      await readyPromise;
      const responsePromise = nextMessage();
      send({ type: 'invoke', ...invocation });
      nextRequestPromise = responsePromise.then(nextMessage).then((message) => message?.type === 'next');
      return expectResponse(await responsePromise, runtimeProcess);
    },
    async drain(withinMs) {
      await nextRequestPromise;
      const drainedPromise = nextMessage();
      send({ type: 'drain' });
      const timer = setTimeout(() => runtimeProcess.kill('SIGKILL'), withinMs);
      const message = await drainedPromise;
      await ended;
      clearTimeout(timer);
      return message?.type === 'drained' ? message.lateRequests : [];
    },
    kill: () => {
      runtimeProcess.kill('SIGKILL');
    },
  };
}

/** Opens the channel to the process. `nextMessage` resolves with undefined if the process exits instead. */
function openChannel(child: ChildProcess) {
  const runtimeChannel = child.stdio[3] as Duplex;
  // A write to a process that has just exited fails; `close` below reports it.
  runtimeChannel.on('error', () => undefined);
  const arrivedMessages: (RuntimeMessage | undefined)[] = [];
  const messageWaiters: ((message: RuntimeMessage | undefined) => void)[] = [];
  let hasProcessEnded = false;
  const addMessage = (message: RuntimeMessage | undefined) => {
    const waiter = messageWaiters.shift();
    if (waiter === undefined) arrivedMessages.push(message);
    else waiter(message);
  };
  readMessages(runtimeChannel, (message) => addMessage(message as RuntimeMessage));
  const processEnd = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasProcessEnded = true;
      for (const waiter of messageWaiters.splice(0)) waiter(undefined);
      resolve();
    });
  });
  return {
    ended: processEnd,
    send: (message: object) => writeMessage(runtimeChannel, message),
    nextMessage: () =>
      new Promise<RuntimeMessage | undefined>((resolve) => {
        if (arrivedMessages.length > 0 || hasProcessEnded) resolve(arrivedMessages.shift());
        else messageWaiters.push(resolve);
      }),
  };
}

/** Starts the process of an instance; its fourth stream is the channel. */
export function spawnRuntime(
  runtimeFile: string,
  { bundlePath, environment, offsetMs, onLine }: InstanceOptions,
): ChildProcess {
  const args = [...inheritedArguments(), runtimeFile, bundlePath, `${offsetMs}`];
  const childProcess = spawn(process.execPath, args, {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  livingProcesses.add(childProcess);
  childProcess.once('exit', () => livingProcesses.delete(childProcess));
  for (const stream of [childProcess.stdout, childProcess.stderr]) forwardLines(stream as Readable, onLine);
  return childProcess;
}

/**
 * Returns the runner's own preloads, with which tests turn the network off, and its source maps, which developers want
 * in stack traces and which double the processor time of an instance's start.
 */
function inheritedArguments(): string[] {
  return process.execArgv.filter((argument) => /^--(import=|enable-source-maps$)/.test(argument));
}

function expectReady(message: RuntimeMessage | undefined): void {
  if (message?.type === 'ready') return;
  if (message?.type === 'failed') throw new InvocationError(message.error);
  throw new InvocationError({
    errorType: 'Runtime.ExitError',
    errorMessage: 'The process ended while it was loading the bundle.',
  });
}

function expectResponse(message: RuntimeMessage | undefined, child: ChildProcess): InstanceResponse {
  if (message?.type === 'answer') return message;
  throw new InvocationError({
    errorType: 'Runtime.ExitError',
    errorMessage: `The process ended before it answered (${child.signalCode ?? `exit code ${child.exitCode}`}).`,
  });
}

/** Calls `onLine` with every line that is not empty. */
function forwardLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (line !== '') onLine(line);
  });
}
