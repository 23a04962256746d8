/** The stack of one environment, synthesised in this process over small stand-ins for the bundles. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { DeployedEnvironment } from '../../../infra/cdk/constructs/deploy-options.ts';
import { createEdgeStack } from '../../../infra/cdk/edge/edge-stack.ts';
import { createServiceStack } from '../../../infra/cdk/stack.ts';
import { readEnvironmentConfig } from '../../../infra/definition/config.ts';
import { fixtureAssets } from './fixture-assets.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const made = new Map<string, Template>();
const dirs: string[] = [];
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true });
});

/** The template of a known environment, made once a test file. */
export function templateOf(name: string): Template {
  const template = made.get(name) ?? synthesise(readEnvironmentConfig(name));
  made.set(name, template);
  return template;
}

/** The template of an environment with values of the test's own. A cycle in it is an error. */
export function synthesise(environment: DeployedEnvironment): Template {
  return Template.fromStack(makeStack(environment).stack);
}

/** The template of a known environment's edge. */
export function edgeTemplateOf(name: string): Template {
  const { edge } = makeStack(readEnvironmentConfig(name));
  if (edge === undefined) throw new Error(`${name} has no edge.`);
  return Template.fromStack(edge);
}

/** The stacks of an environment, before they are synthesised. */
export function makeStack(environment: DeployedEnvironment): { app: App; stack: Stack; edge?: Stack } {
  const dir = mkdtempSync(join(tmpdir(), 'synthesise-'));
  dirs.push(dir);
  const app = new App({
    ...{ context, outdir: join(dir, 'cdk.out'), autoSynth: false },
    // valid.suite.ts does that, outside jest.
    builtinCloudFormationValidation: false,
    treeMetadata: false,
  });
  const stack = createServiceStack(app, environment, fixtureAssets(dir));
  const edge = createEdgeStack(app, environment);
  return { app, stack, ...(edge && { edge }) };
}
