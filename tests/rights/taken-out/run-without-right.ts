/** Runs a test file in a process of its own, under the table of rights without one of them (without-right.ts). */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Report = {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/** The first test of the file that fails without the right, or what the file says at its end. Throws if nothing fails. */
export async function failingWithout(right: string, file: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'without-right-'));
  const outputFile = join(dir, 'report.json');
  const options = ['-c', 'tests/jest.config.mjs', file, '--json', '--outputFile', outputFile, '--silent'];
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const { SCALE: _small, ...environment } = process.env;
  const jest = spawn(process.execPath, [...node, 'node_modules/jest/bin/jest.js', ...options], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...environment, WITHOUT_RIGHT: right },
    stdio: 'ignore',
  });
  await new Promise((resolve) => jest.once('exit', resolve));
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  rmSync(dir, { recursive: true });
  for (const { assertionResults, message } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed !== undefined) return failed.fullName;
    // A rejected call fails the file, even if the code ignores the error (guarded-table.ts).
    if (message.includes(right)) return 'at its end: a call was refused';
  }
  throw new Error(`Nothing of ${file} fails without ${right}.`);
}
