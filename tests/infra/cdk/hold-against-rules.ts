/**
 * Holds the template of every environment against CloudFormation's rules, as `cdk synth` does; fails with what is
 * against them. A process of its own, because CDK's WebAssembly takes a minute inside jest. Argument: a folder to
 * write to.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { environments, readEnvironmentConfig } from '../../../infra/config.ts';
import { createServiceStack } from '../../../infra/stack.ts';
import { fixtureAssets } from './fixture-assets.ts';

const [, , dir = ''] = process.argv;
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const assets = fixtureAssets(dir);
for (const name of Object.keys(environments)) {
  const app = new App({ context, outdir: join(dir, name), autoSynth: false });
  createServiceStack(app, readEnvironmentConfig(name), assets);
  app.synth();
  console.log(`${name} was synthesised`);
}
