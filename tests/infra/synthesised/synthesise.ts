/** Runs `cdk synth` for one environment with the real bundles, and returns the result to deploy. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Synthesised } from './start-template.ts';

/** The cloud assembly; its folder is the caller's to remove. */
export async function synthesiseEnvironment(name: string): Promise<Synthesised> {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const dir = mkdtempSync(join(tmpdir(), 'synthesised-'));
  // Each resource contains the path of its asset, as on the command line.
  const values = { ...context, env: name, 'aws:cdk:enable-asset-metadata': true };
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    CDK_OUTDIR: dir,
    CDK_CONTEXT_JSON: JSON.stringify(values),
    // tests/infra/cdk/valid.suite.ts holds the templates against CloudFormation's rules.
    CDK_VALIDATION: 'false',
  };
  // The app itself, and not inside jest, where CDK takes longer to load.
  await promisify(execFile)(process.execPath, ['infra/cdk/app.ts'], { env });
  const template = JSON.parse(readFileSync(join(dir, `subscriptions-${name}.template.json`), 'utf8'));
  return { dir, resources: template.Resources };
}
