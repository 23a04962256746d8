/** `cdk synth` of one environment in this process, with the real bundles; gives what would be deployed. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { buildFunctions } from '../../../infra/build.ts';
import { readEnvironmentConfig } from '../../../infra/config.ts';
import { createServiceStack, type FunctionAssets } from '../../../infra/stack.ts';
import type { Synthesised } from './start-template.ts';

/** The cloud assembly; its folder is the caller's to remove. */
export async function synthesiseEnvironment(name: string): Promise<Synthesised> {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const { functions } = await buildFunctions();
  const assets = Object.entries(functions).map(([of, { path }]) => [of, dirname(path)]);
  const dir = mkdtempSync(join(tmpdir(), 'synthesised-'));
  // As the command line does: each resource tells where its asset is.
  const told = { ...context, 'aws:cdk:enable-asset-metadata': true };
  const app = new App({
    ...{ context: told, outdir: dir, autoSynth: false },
    // tests/infra/cdk/valid.suite.ts holds the templates of all environments against CloudFormation's rules.
    builtinCloudFormationValidation: false,
  });
  const stack = createServiceStack(
    app,
    readEnvironmentConfig(name),
    Object.fromEntries(assets) as FunctionAssets,
  );
  app.synth();
  const template = JSON.parse(readFileSync(join(dir, stack.templateFile), 'utf8'));
  return { dir, resources: template.Resources };
}
