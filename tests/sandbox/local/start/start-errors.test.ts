/** `npm start` with something wrong: one sentence that says what to do, exit code 1, no stack trace. The words of an option need no process. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { StartError } from '../../../../sandbox/local/start/start-error.ts';
import { parseStartOptions } from '../../../../sandbox/local/start/start-options.ts';

const start = join(import.meta.dirname, '../../../../sandbox/local/start.ts');
const dir = mkdtempSync(join(tmpdir(), 'start-errors-'));
const taken = createServer();
let takenPort = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  takenPort = `${(taken.address() as AddressInfo).port}`;
});
afterAll(() => {
  taken.close();
  rmSync(dir, { recursive: true });
});

function runStart(args: string[], variables: Record<string, string> = {}) {
  const { NODE_OPTIONS: _jestOnly, ...environment } = process.env;
  const child = spawn(process.execPath, [start, '--state', join(dir, 'state.json'), ...args], {
    env: { ...environment, PORT: '0', PLATFORM_PORT: '0', PHONE_PORT: '0', ...variables },
  });
  const output = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    output.out += text;
  });
  child.stderr.on('data', (text) => {
    output.error += text;
  });
  return new Promise<{ code: number | null; error: string; out: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

test.each([
  ['PORT', 'http'],
  ['PLATFORM_PORT', '65536'],
  ['PHONE_PORT', '-1'],
])('%s=%s', (name, value) => {
  const sentence = `${name} is "${value}": set it to a number from 0 to 65535, where 0 picks a free port.`;
  expect(() => parseStartOptions([], { [name]: value })).toThrow(new StartError(sentence));
});

test.each([
  [['--data'], /^Option '--data <value>' argument missing; npm start -- --help lists the flags\.$/],
  [['leftover'], /^Unexpected argument 'leftover'.*; npm start -- --help lists the flags\.$/],
  [
    ['--allow-origin', 'capacitor://localhost', '--allow-origin', 'http://192.168.1.5:8100'],
    /^--allow-origin http:\/\/192\.168\.1\.5:8100: it must be an origin as browsers send it, .*without a path\.$/,
  ],
  [
    ['--page', 'http://localhost:5173'],
    /^--page http:\/\/localhost:5173: it must be the address of a page .*$/,
  ],
])('%j', (args, sentence) => {
  expect(() => parseStartOptions(args, {})).toThrow(
    expect.objectContaining({ constructor: StartError, message: expect.stringMatching(sentence) }),
  );
});

test.concurrent.each([
  [['--nonsense'], /^Unknown option '--nonsense'; npm start -- --help lists the flags\.\n$/],
  [
    ['--log-file', '/nowhere/log'],
    /^The log file \/nowhere\/log cannot be written \(ENOENT\): name another with --log-file\.\n$/,
  ],
  [
    ['--data', '/dev/null/x'],
    /^The data folder \/dev\/null\/x cannot be made \(ENOTDIR\): name another one with --data\.\n$/,
  ],
])('%j', async (args, sentence) => {
  const { code, error } = await runStart(args);
  expect(code).toBe(1);
  expect(error).toMatch(sentence);
});

test.each(['PORT', 'PLATFORM_PORT', 'PHONE_PORT'])('%s is taken', async (name) => {
  const { code, error } = await runStart([], { [name]: takenPort });
  expect(code).toBe(1);
  expect(error).toBe(`Port ${takenPort} is taken: set ${name} to another port, or to 0 for any free one.\n`);
});

test.concurrent('refuses a data folder that another stack uses', async () => {
  const data = join(dir, 'used');
  mkdirSync(data);
  // The process that runs this test.
  writeFileSync(join(data, 'in-use'), `${process.pid}`);
  const { code, error } = await runStart(['--data', data]);
  expect(code).toBe(1);
  expect(error).toBe(
    `The data folder ${data} is in use by process ${process.pid}: stop that stack, or name another folder.\n`,
  );
});

test.concurrent('refuses a data folder with a broken file', async () => {
  const data = join(dir, 'broken');
  mkdirSync(data);
  writeFileSync(join(data, 'clock.json'), 'not JSON');
  const { code, error } = await runStart(['--data', data]);
  expect(code).toBe(1);
  expect(error).toBe(`${join(data, 'clock.json')} cannot be read: remove the data folder and start again.\n`);
});

test.concurrent('--help lists the flags and starts nothing', async () => {
  const { code, out } = await runStart(['--help']);
  expect(code).toBe(0);
  for (const flag of ['--data', '--json-logs', '--log-file', '--state', 'PLATFORM_PORT'])
    expect(out).toContain(flag);
});
