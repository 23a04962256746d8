/**
 * Runs the HTTP tests with each form of a store's app, because they must not depend on it. Each form takes a stack and
 * minutes, so only `npm run scale` runs this; `npm test` runs the demo in each form (tests/e2e/demo.suite.ts).
 */

import { execFile } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { APP_FORMS } from '../../../sandbox/platform/grants/app-grants.ts';
import { isFullSize } from '../../full-size.ts';

function testOverHttp(appForm: string): Promise<{ code: number; output: string }> {
  const { NODE_OPTIONS: _ofThisRun, SCALE: _full, ...environment } = process.env;
  const args = ['test', '--', 'tests/contract/over-http'];
  const env = { ...environment, APP_FORM: appForm };
  return new Promise((resolve) => {
    execFile('npm', args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

(isFullSize ? test : test.skip).each(APP_FORMS)(
  'all that is tested over HTTP, in the form %s',
  async (form) => {
    expect(await testOverHttp(form)).toMatchObject({ code: 0 });
  },
);
