/** `.ci/run` by its last line and its exit code, with an npm that the test writes. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true });
});

type RunResult = { code: number; last: string; before?: string };
type Npm = {
  results?: object;
  testCode?: number;
  checkCode?: number;
  kotlin?: { results?: object; code?: number };
  swift?: { results?: object; code?: number };
};

const clientPassed = { numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

function runCi({
  results,
  testCode = 0,
  checkCode = 0,
  kotlin = { results: clientPassed },
  swift = { results: clientPassed },
}: Npm): Promise<RunResult> {
  const root = mkdtempSync(join(tmpdir(), 'ci-'));
  made.push(root);
  mkdirSync(join(root, '.ci'));
  cpSync(join(import.meta.dirname, '../../../.ci/run'), join(root, '.ci/run'));
  writeFileSync(
    join(root, 'npm'),
    `#!/bin/sh
for argument; do case "$argument" in --outputFile=*) file="\${argument#--outputFile=}";; esac; done
case "$*" in
  test*) ${writes(results)}; exit ${testCode};;
  "run kotlin "*) ${writes(kotlin.results)}; exit ${kotlin.code ?? 0};;
  "run swift "*) ${writes(swift.results)}; exit ${swift.code ?? 0};;
  *) exit ${checkCode};;
esac
`,
  );
  chmodSync(join(root, 'npm'), 0o755);
  const path = [root, dirname(process.execPath), process.env.PATH].join(':');
  return new Promise((resolve) => {
    execFile('bash', [join(root, '.ci/run')], { env: { PATH: path } }, (error, stdout) => {
      const [before, last = ''] = `\n${stdout.trim()}`.split('\n').slice(-2);
      resolve({ code: error ? Number(error.code) : 0, last, ...(before && { before }) });
    });
  });
}

const writes = (results?: object) =>
  results === undefined ? ':' : `echo '${JSON.stringify(results)}' > "$file"`;

const passedResults = { numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

test.concurrent.each<[string, Npm, RunResult]>([
  [
    'a test failed',
    { results: { ...passedResults, numFailedTests: 1 }, testCode: 1 },
    { code: 1, last: 'tests: 18 passed, 1 failed' },
  ],
  [
    'a file did not load',
    { results: { ...passedResults, numRuntimeErrorTestSuites: 2 }, testCode: 1 },
    { code: 1, last: 'tests: 18 passed, 2 failed' },
  ],
  [
    'no test ran',
    { results: { ...passedResults, numPassedTests: 0 } },
    { code: 1, before: 'No test ran.', last: 'tests: 6 passed, 0 failed' },
  ],
  [
    'npm test did not come to run anything',
    { testCode: 1 },
    { code: 1, before: 'No test ran.', last: 'tests: 6 passed, 0 failed' },
  ],
  [
    'the check failed',
    { results: passedResults, checkCode: 1 },
    { code: 1, before: 'npm run check failed.', last: 'tests: 18 passed, 0 failed' },
  ],
  [
    'the Kotlin client failed',
    { results: passedResults, kotlin: { results: { ...clientPassed, numFailedTests: 2 }, code: 1 } },
    { code: 1, last: 'tests: 18 passed, 2 failed' },
  ],
  [
    'the Kotlin client does not compile',
    { results: passedResults, kotlin: { code: 1 } },
    { code: 1, before: 'The Kotlin client did not run.', last: 'tests: 15 passed, 0 failed' },
  ],
  [
    'there is no JDK',
    { results: passedResults, kotlin: { results: { numPassedTests: 0, numPendingTests: 3 } } },
    { code: 0, before: 'tests: 3 skipped', last: 'tests: 15 passed, 0 failed' },
  ],
  [
    'the Swift client failed',
    { results: passedResults, swift: { results: { ...clientPassed, numFailedTests: 2 }, code: 1 } },
    { code: 1, last: 'tests: 18 passed, 2 failed' },
  ],
  [
    'there is no Swift compiler, and the Kotlin client does not compile',
    { results: passedResults, kotlin: { code: 1 }, swift: { results: { numPassedTests: 0 } } },
    { code: 1, before: 'The Swift client did not run.', last: 'tests: 12 passed, 0 failed' },
  ],
  ['all is well', { results: passedResults }, { code: 0, last: 'tests: 18 passed, 0 failed' }],
])('%s', async (_case, npm, reported) => {
  expect(await runCi(npm)).toEqual(reported);
});
