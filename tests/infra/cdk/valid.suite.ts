/** CloudFormation's own rules find nothing in production's templates, with or without the options of the configuration. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** As in synth-command.test.ts. */
const MAX_WAIT_MS = 180_000;
const SCRIPT = join(import.meta.dirname, 'hold-against-rules.ts');

async function hold(): Promise<{ code: number; output: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'valid-'));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const result = await new Promise<{ code: number; output: string }>((resolve) => {
    // The rules are WebAssembly, which is not run long enough to be worth compiling twice.
    const flags = ['--liftoff-only', '--max-semi-space-size=64'];
    execFile(process.execPath, [...flags, SCRIPT, dir], { env }, (error, stdout, stderr) => {
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
    expect([code, output.match(/\w+(?= was synthesised)/g)]).toEqual([0, ['prod', 'prod']]);
  },
  MAX_WAIT_MS,
);
