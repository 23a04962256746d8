/**
 * A local stack for tests, as `npm start` starts it, on random ports. A test file that talks to the service
 * over HTTP starts one and stops it at its end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunningStackDescription } from '../sandbox/local/start/stack-file.ts';
import { createStackControl, type StackControl } from './stack-control.ts';

export type TestStackOptions = {
  /** Stores all data for a restart; in memory without it. */
  readonly dataDir?: string;
  /** Builds the functions with crash points. */
  readonly faultPoints?: boolean;
  /** Each function with routes serves all its requests at once, in one process. */
  readonly concurrent?: boolean;
  /** Whether the gateway emulates the edge. */
  readonly edge?: boolean;
  /** The platform sends webhooks, and the workers act on them minute by minute. */
  readonly webhooks?: boolean;
  /**
   * The contracts of the first store's customer who has most; 250 by default. Each night the workers read all contracts of
   * a store, so a test that passes one with `webhooks` needs few.
   */
  readonly contracts?: number;
  /** The lifetime of the platform's access tokens. */
  readonly platformTokenSeconds?: number;
  /** The form of the service's access to the stores. */
  readonly appForm?: string | undefined;
  /** The allowed origins of pages, in addition to the phone's. */
  readonly allowOrigins?: readonly string[];
  /** Web pages that sign the first store's customers in, in addition to the phone page. */
  readonly pages?: readonly string[];
};
type LogLine = Readonly<Record<string, unknown>>;
export type TestStack = RunningStackDescription & {
  readonly pid: number;
  readonly control: StackControl;
  /** The state file of the running stack. */
  readonly stateFile: string;
  /** Every log line so far, of functions and runner. */
  logs(): LogLine[];
  /** The log as it is in its file, to search it for secrets. */
  rawLog(): string;
  /** Returns the terminal's output: banner, mailbox, readable log. */
  terminal(): string;
  /** Stops the stack with `signal`, once. Rejects if a function has sent a request after its response. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly exitCode: number | null }>;
};

const root = join(import.meta.dirname, '..');
const SENT_AFTER_ANSWER = 'sent after the answer';

/** Starts a stack; resolves when everything answers. Rejects with what it said if it cannot start. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const dir = mkdtempSync(join(tmpdir(), 'stack-'));
  const files = { state: join(dir, 'stack.json'), log: join(dir, 'log.jsonl') };
  const child = spawnStack(options, files);
  let displayed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      displayed += text;
    });
  }
  const closed = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const state = await Promise.race([
    whenReady(child),
    closed.then((code) => {
      throw new Error(`The stack did not start (exit code ${code}).\n${displayed}`);
    }),
  ]);
  const rawLog = () => readFileSync(files.log, 'utf8');
  const logs = () =>
    rawLog()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LogLine);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const exitCode = await closed;
    const late = logs().filter(({ message }) => message === SENT_AFTER_ANSWER);
    rmSync(dir, { recursive: true, force: true });
    if (late.length > 0) throw new Error(`Requests after the answer: ${JSON.stringify(late, null, 2)}`);
    return { exitCode };
  };
  let ended: ReturnType<typeof end> | undefined;
  return {
    ...state,
    pid: child.pid ?? 0,
    control: createStackControl(state.platformUrl),
    stateFile: files.state,
    logs,
    rawLog,
    terminal: () => displayed,
    stop(signal = 'SIGTERM') {
      ended ??= end(signal);
      return ended;
    },
  };
}

function spawnStack(options: TestStackOptions, files: { state: string; log: string }): ChildProcess {
  const networkOff = `--import=${pathToFileURL(join(root, 'tests/network-off.mjs')).href}`;
  const flags = [
    ...['--state', files.state, '--log-file', files.log],
    ...(options.dataDir === undefined ? [] : ['--data', options.dataDir]),
    ...(options.appForm === undefined ? [] : ['--app-form', options.appForm]),
    ...(options.pages ?? []).flatMap((page) => ['--page', page]),
    ...(options.edge === true ? ['--edge'] : []),
    ...(options.allowOrigins ?? []).flatMap((origin) => ['--allow-origin', origin]),
    ...(options.webhooks === true ? [] : ['--no-webhooks']),
    ...(options.faultPoints === true ? ['--fault-points'] : []),
    ...(options.concurrent === true ? ['--concurrent'] : []),
    ...(options.contracts === undefined ? [] : ['--contracts', `${options.contracts}`]),
    ...(options.platformTokenSeconds === undefined
      ? []
      : ['--platform-token-seconds', `${options.platformTokenSeconds}`]),
  ];
  const { NODE_OPTIONS: _jestOnly, ...environment } = process.env;
  return spawn(process.execPath, [networkOff, join(root, 'sandbox/local/start.ts'), ...flags], {
    cwd: root,
    env: { ...environment, PORT: '0', PLATFORM_PORT: '0', PHONE_PORT: '0' },
    // The stack reports over the channel when it is ready, and stops when the channel closes because this process
    // ended.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function whenReady(child: ChildProcess): Promise<RunningStackDescription> {
  return new Promise((resolve) => {
    child.on('message', (message: { type?: string; state?: RunningStackDescription }) => {
      if (message.type === 'ready' && message.state !== undefined) resolve(message.state);
    });
  });
}
