/** CloudFormation's own rules find nothing in any template, with or without the options of the configuration. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ENVIRONMENTS } from '../../../infra/definition/config.ts';

/** As in synth-command.test.ts. */
const MAX_WAIT_MS = 180_000;
const SCRIPT = join(import.meta.dirname, 'hold-against-rules.ts');

async function hold(): Promise<{ code: number; output: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'valid-'));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const result = await new Promise<{ code: number; output: string }>((resolve) => {
    // The rules are WebAssembly, which is not run long enough to be worth compiling twice.
    execFile(process.execPath, ['--liftoff-only', SCRIPT, dir], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
  rmSync(dir, { recursive: true });
  return result;
}

test(
  'the templates keep to the rules of CloudFormation',
  async () => {
    const { code, output } = await hold();
    const expected = [...Object.keys(ENVIRONMENTS), 'prod'];
    expect([code, output.match(/\w+(?= was synthesised)/g)]).toEqual([0, expected]);
  },
  MAX_WAIT_MS,
);
