/** Each right is taken out in turn, and the test that holds it fails. In `npm test` one, in `npm run scale` all. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { rights } from '../../infra/definition/rights.ts';
import { isFullSize } from '../full-size.ts';
import { heldByTests } from './held-rights.ts';

const ROOT = join(import.meta.dirname, '../..');
const JOURNEY = 'tests/infra/synthesised/journey.test.ts';
/** The one that `npm test` takes out: of the file that is done soonest. */
const ONE = 'customer-graphql GetItem TIMELINE';

const allRights = Object.entries(rights).flatMap(([name, { table, index, secrets }]) =>
  Object.entries({ ...table, ...index, ...secrets }).flatMap(([thing, verbs]) =>
    verbs.map((verb) => `${name} ${verb} ${thing}`),
  ),
);
const fileOf = (right: string) =>
  Object.entries(heldByTests).find(([, held]) => held.includes(right))?.[0] ?? JOURNEY;

type Report = {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

const temporaryDir = mkdtempSync(join(tmpdir(), 'rights-'));
const table: string[] = [];
afterAll(() => {
  rmSync(temporaryDir, { recursive: true });
  if (isFullSize) console.log(['| right taken out | test that fails |', '|---|---|', ...table].join('\n'));
});

/** The names of the tests of a file that fail without a right. */
async function failingWithout(right: string, file: string): Promise<string[]> {
  const outputFile = join(temporaryDir, `${right.replaceAll(/\W/g, '-')}.json`);
  const options = ['-c', 'tests/jest.config.mjs', file, '--json', '--outputFile', outputFile, '--silent'];
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const { SCALE: _small, ...environment } = process.env;
  const env = { ...environment, WITHOUT_RIGHT: right };
  const jest = spawn(process.execPath, [...node, 'node_modules/jest/bin/jest.js', ...options], {
    cwd: ROOT,
    env,
    stdio: 'ignore',
  });
  await new Promise((resolve) => jest.once('exit', resolve));
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  return testResults.flatMap(({ assertionResults, message }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    return failed.length === 0 && message !== '' ? ['the whole file'] : failed;
  });
}

test.each(isFullSize ? allRights : [ONE])('without %s a test fails', async (right) => {
  const file = fileOf(right);
  const [first = '', ...others] = await failingWithout(right, file);
  expect(first).not.toBe('');
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  table.push(`| ${right} | \`${file}\` "${first}"${more} |`);
});
