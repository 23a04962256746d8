/** `cdk synth` as an operator types it; the command needs no network and no credentials. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { FUNCTION_NAMES } from '../../../infra/definition/function-definitions.ts';

const dir = mkdtempSync(join(tmpdir(), 'cdk-synth-'));
afterAll(() => rmSync(dir, { recursive: true }));

type Ended = { readonly code: number; readonly output: string };

/** Runs the command in a folder of output of its own. */
async function cdkSynth(name: string): Promise<Ended & { readonly outDir: string }> {
  const outDir = join(dir, name);
  const args = ['synth', '--quiet', '--output', outDir, '-c', `env=${name}`];
  return { ...(await run(['node_modules/aws-cdk/bin/cdk', ...args])), outDir };
}

/** A script of Node. Any way out to the network leads nowhere. */
function run(command: string[], variables: Record<string, string> = {}): Promise<Ended> {
  const nowhere = 'http://127.0.0.1:9';
  const { AWS_PROFILE: _profile, ...inherited } = process.env;
  const options = {
    env: {
      ...inherited,
      HTTPS_PROXY: nowhere,
      HTTP_PROXY: nowhere,
      AWS_EC2_METADATA_DISABLED: 'true',
      CI: '1',
      // valid.suite.ts holds the templates against CloudFormation's rules: two thirds of a run.
      CDK_VALIDATION: 'false',
      ...variables,
    },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` });
    });
  });
}

test.concurrent('synthesises dev offline, with the bundle of every function', async () => {
  const { code, output, outDir } = await cdkSynth('dev');
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  const template = JSON.parse(readFileSync(join(outDir, 'subscriptions-dev.template.json'), 'utf8'));
  const resources: { Type: string; Metadata: Record<string, string>; Properties: { Handler: string } }[] =
    Object.values(template.Resources);
  const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions).toHaveLength(FUNCTION_NAMES.length);
  for (const { Metadata, Properties } of functions) {
    expect(Properties.Handler).toBe('index.handler');
    expect(readdirSync(join(outDir, String(Metadata['aws:asset:path'])))).toContain('index.mjs');
  }
});

test.concurrent('refuses an environment that is not known, with the list and without a stack trace', async () => {
  // The command only passes its arguments on to this program, and takes twice as long.
  const { code, output } = await run(['infra/cdk/app.ts'], { CDK_CONTEXT_JSON: '{"env":"nowhere"}' });
  expect(code).toBe(1);
  expect(output).toContain('Environment "nowhere" was not found; the known ones are dev, staging, prod.');
  expect(output).not.toMatch(/^\s+at /m);
});
