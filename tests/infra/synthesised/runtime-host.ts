/**
 * Lambda's side of an instance: the Runtime API on a loopback port, and the process that talks to it. One instance a
 * function, one invocation at a time. The process may write to its temporary folder alone, and reach this machine alone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { listenOnLoopback } from '../../../sandbox/listen.ts';

const MS_PER_TICK = 10;

export type HostedFunction = {
  /** Invokes the handler and returns its result. Rejects with its error, at its time-out, or if the process ended. */
  invoke(event: object): Promise<unknown>;
  /** The time from the start of the process to its first request for an invocation. */
  readonly initMs: number;
  readonly pid: number;
  /** Returns all its output. */
  output(): string;
  close(): Promise<void>;
};
export type HostOptions = {
  readonly handler: string;
  readonly taskRoot: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** All that the process sees, but for what Lambda adds. */
  readonly environment: Readonly<Record<string, string>>;
  readonly temporaryDir: string;
  /** Its clock's offset from the machine's. */
  readonly clockAheadMs?: number;
};

type Invocation = {
  readonly id: string;
  readonly event: object;
  readonly settled: PromiseWithResolvers<unknown>;
};
/** By hand, the path of AWS's own runtime interface client (`index.mjs` of aws-lambda-ric, which has native code). */
const { RUNTIME_CLIENT } = process.env;
const CLIENT = RUNTIME_CLIENT ?? join(import.meta.dirname, 'runtime-client.mjs');
const NETWORK_OFF = pathToFileURL(join(import.meta.dirname, '../../network-off.mjs')).href;

const SHIFTED_DATE = pathToFileURL(join(import.meta.dirname, '../../../sandbox/clock/shifted-date.mjs')).href;

/** Starts an instance. Resolves when it requests its first invocation, and rejects if its handler does not load. */
export async function hostFunction(options: HostOptions): Promise<HostedFunction> {
  const api = createRuntimeApi(options);
  const server = await listenOnLoopback(createServer(api.answer), 0);
  const startedAt = performance.now();
  let written = '';
  const child = startProcess(options, new URL(server.url).host);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      written += part;
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('error', api.fail);
  void ended.then(() => api.fail(new Error(`The process of ${options.arn} ended.\n${written}`)));
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await server.close();
  };
  try {
    await api.ready;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    invoke: (event) => api.invoke(event, () => child.kill('SIGKILL')),
    initMs: performance.now() - startedAt,
    pid: child.pid ?? 0,
    output: () => written,
    close,
  };
}

function startProcess(options: HostOptions, runtimeApi: string): ChildProcess {
  const { taskRoot, temporaryDir, memoryMb, handler, environment } = options;
  const limits = [
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${temporaryDir}/*`,
    // Lambda's own shares of the memory for V8's heap.
    `--max-old-space-size=${Math.floor(0.9 * memoryMb)}`,
    `--max-semi-space-size=${Math.floor(0.05 * memoryMb)}`,
    ...(RUNTIME_CLIENT === undefined ? [] : ['--allow-addons', '--disable-warning=SecurityWarning']),
  ];
  const imports = [NETWORK_OFF, ...(options.clockAheadMs ? [clockAhead(options.clockAheadMs)] : [])];
  return spawn(process.execPath, [...limits, ...imports.map((one) => `--import=${one}`), CLIENT], {
    cwd: taskRoot,
    env: {
      ...environment,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: taskRoot,
      AWS_LAMBDA_RUNTIME_API: runtimeApi,
      TMPDIR: temporaryDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A module that sets the clock of its process ahead. */
function clockAhead(ms: number): string {
  const from = JSON.stringify(SHIFTED_DATE);
  const code = `import { installShiftedDate, setClockOffset } from ${from}; setClockOffset(${ms}); installShiftedDate();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** The Runtime API (version 2018-06-01) of one instance. */
function createRuntimeApi({ arn, timeoutSeconds }: HostOptions) {
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  const waiting: Invocation[] = [];
  const running = new Map<string, Invocation>();
  let idle: ServerResponse | undefined;
  let failure: Error | undefined;
  const hand = () => {
    const invocation = idle && waiting.shift();
    if (idle === undefined || invocation === undefined) return;
    running.set(invocation.id, invocation);
    idle.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.id,
      'lambda-runtime-deadline-ms': `${Date.now() + timeoutSeconds * 1000}`,
      'lambda-runtime-invoked-function-arn': arn,
      'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000',
    });
    idle.end(JSON.stringify(invocation.event));
    idle = undefined;
  };
  return {
    ready: ready.promise,
    invoke(event: object, kill: () => void): Promise<unknown> {
      const settled = Promise.withResolvers<unknown>();
      if (failure !== undefined) return Promise.reject(failure);
      waiting.push({ id: crypto.randomUUID(), event, settled });
      hand();
      const timer = setTimeout(() => {
        settled.reject(new Error(`Task timed out after ${timeoutSeconds} seconds`));
        kill();
      }, timeoutSeconds * 1000);
      return settled.promise.finally(() => clearTimeout(timer));
    },
    fail(error: Error): void {
      failure = error;
      ready.reject(error);
      for (const { settled } of [...waiting.splice(0), ...running.values()]) settled.reject(error);
    },
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = String(request.url).replace('/2018-06-01/runtime/', '');
      if (path === 'invocation/next') {
        idle = response;
        ready.resolve();
        hand();
        return;
      }
      const body: unknown = JSON.parse(await text(request));
      response.writeHead(202).end();
      if (path === 'init/error') ready.reject(new Error(JSON.stringify(body)));
      const [, id = '', kind] = path.split('/');
      const invocation = running.get(id);
      running.delete(id);
      if (kind === 'response') invocation?.settled.resolve(body);
      else invocation?.settled.reject(new Error(JSON.stringify(body)));
    },
  };
}

/** User and system time of a process in milliseconds (proc(5), fields 14 and 15 of `stat`). */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** The most memory that a process has had, in MB. */
export function peakMbOf(pid: number): number {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(peak) / 1024);
}
