/** The demo against a stack: green when all is well, and loud at the first step that is not. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stack } from '../contract/shared-stack.ts';

const DEMO = join(import.meta.dirname, '../../infra/local/demo/demo.ts');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the demo against the stack as described, with what is changed in the description. */
async function runDemo(changes: Record<string, unknown> = {}): Promise<{ code: number; output: string }> {
  const state = JSON.parse(await readFile(stack.stateFile, 'utf8'));
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ ...state, ...changes }));
  return await runWith(file);
}

function runWith(file: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const environment = { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
    execFile(process.execPath, [DEMO, '--state', file], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

test('the whole journey is as expected, each step with method, path and status', async () => {
  const { code, output } = await runDemo();
  expect(output).toContain('All 18 steps went as expected.');
  expect(code).toBe(0);
  expect(output).toMatch(/POST {3}\/headless-auth\/start +200/);
  expect(output).toMatch(/DELETE \/headless-auth\/revoke +200/);
  expect(output).toContain('Field \\"note\\" is not available to customer accounts');
  expect(output).toMatch(/[A-Z][a-z]+ \d+, \d{4} \(America\/New_York\): [\d.]+ USD/);
  expect(output).toMatch(/the order of [A-Z][a-z]+ \d+, \d{4} \(America\/New_York\) is skipped/);
});

test('secrets are shown shortened, and nothing is coloured where nobody watches', async () => {
  const { output } = await runDemo();
  expect(output).not.toContain(stack.adminKey);
  expect(output).not.toMatch(/SVC_[A-Z]{2}_[\w.~+-]{8}/);
  expect(output).not.toMatch(/[?&](code|state)=\w/);
  expect(output).not.toContain('\u001b[');
});

test('the first step that is not as expected ends it, saying what was expected and what came', async () => {
  const { code, output } = await runDemo({ adminKey: 'SVC_AT_wrong' });
  expect(code).toBe(1);
  expect(output).toContain('✗ status: expected 200, got 401');
  expect(output).not.toContain('/headless-auth/start');
});

test('without a running stack it says what to do', async () => {
  const missing = await runWith(join(folder, 'missing.json'));
  expect(missing.code).toBe(1);
  expect(missing.output).toContain('run "npm start" in another terminal first.');
  const gone = await runDemo({ baseUrl: 'http://127.0.0.1:1' });
  expect(gone.code).toBe(1);
  expect(gone.output).toContain('The stack does not answer: run "npm start" again.');
  expect(missing.output + gone.output).not.toMatch(/^\s+at /m);
});
