/**
 * Holds production's templates, with and without every option, against CloudFormation's rules, as `cdk synth` does; fails
 * with what is against them. `npm run synth` does so for dev, and staging differs from it only in names and days. A process
 * of its own, because CDK's WebAssembly takes a minute inside jest. Argument: a folder to write to.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { createEdgeStack } from '../../../infra/cdk/edge/edge-stack.ts';
import { createServiceStack } from '../../../infra/cdk/stack.ts';
import { readEnvironmentConfig } from '../../../infra/definition/config.ts';
import { everyOption, withValues } from './template/config-options.ts';
import { fixtureAssets } from './template/fixture-assets.ts';

const [, , dir = ''] = process.argv;
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const assets = fixtureAssets(dir);
for (const environment of [readEnvironmentConfig('prod'), withValues('prod', everyOption().values)]) {
  const outdir = mkdtempSync(join(dir, 'out-'));
  const app = new App({ context, outdir, autoSynth: false, treeMetadata: false, stackTraces: false });
  createServiceStack(app, environment, assets);
  createEdgeStack(app, environment);
  app.synth();
  console.log(`${environment.name} was synthesised`);
}
