/**
 * Holds the template of every environment, and of production with every option set, against CloudFormation's rules, as `cdk synth` does; fails with what is
 * against them. A process of its own, because CDK's WebAssembly takes a minute inside jest. Argument: a folder to
 * write to.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { createEdgeStack } from '../../../infra/cdk/edge/edge-stack.ts';
import { createServiceStack } from '../../../infra/cdk/stack.ts';
import { ENVIRONMENTS, readEnvironmentConfig } from '../../../infra/definition/config.ts';
import { everyOption, withValues } from './template/config-options.ts';
import { fixtureAssets } from './template/fixture-assets.ts';

const [, , dir = ''] = process.argv;
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const assets = fixtureAssets(dir);
const known = Object.keys(ENVIRONMENTS).map((name) => readEnvironmentConfig(name));
for (const environment of [...known, withValues('prod', everyOption().values)]) {
  const outdir = mkdtempSync(join(dir, 'out-'));
  const app = new App({ context, outdir, autoSynth: false, treeMetadata: false, stackTraces: false });
  createServiceStack(app, environment, assets);
  createEdgeStack(app, environment);
  app.synth();
  console.log(`${environment.name} was synthesised`);
}
