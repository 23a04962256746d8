/** Synthesises the stack of one environment in this process, with small replacements of the bundles. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { DeployedEnvironment } from '../../../../infra/cdk/constructs/deploy-options.ts';
import { createEdgeStack } from '../../../../infra/cdk/edge/edge-stack.ts';
import { createServiceStack } from '../../../../infra/cdk/stack.ts';
import { readEnvironmentConfig } from '../../../../infra/definition/config.ts';
import { fixtureAssets } from './fixture-assets.ts';

type Templates = { readonly service: Template; readonly edge?: Template };

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
const made = new Map<string, Templates>();
const dir = mkdtempSync(join(tmpdir(), 'synthesise-'));
const assets = fixtureAssets(dir);
afterAll(() => rmSync(dir, { recursive: true }));

/** The template of a known environment, made once a test file. */
export function templateOf(name: string): Template {
  return templatesOf(name).service;
}

/** The template of a known environment's edge. */
export function edgeTemplateOf(name: string): Template {
  const { edge } = templatesOf(name);
  if (edge === undefined) throw new Error(`${name} has no edge.`);
  return edge;
}

/** Returns both templates of one synthesis. */
function templatesOf(name: string): Templates {
  const known = made.get(name);
  if (known !== undefined) return known;
  const { stack, edge } = makeStack(readEnvironmentConfig(name));
  const templates = {
    service: Template.fromStack(stack),
    ...(edge && { edge: Template.fromStack(edge) }),
  };
  made.set(name, templates);
  return templates;
}

/** The template of an environment with values of the test's own. A cycle in it is an error. */
export function synthesise(environment: DeployedEnvironment): Template {
  return Template.fromStack(makeStack(environment).stack);
}

/** The stacks of an environment, before they are synthesised. */
export function makeStack(environment: DeployedEnvironment): { app: App; stack: Stack; edge?: Stack } {
  const app = new App({
    ...{ context, outdir: mkdtempSync(join(dir, 'out-')), autoSynth: false },
    // valid.suite.ts does that, outside jest.
    builtinCloudFormationValidation: false,
    treeMetadata: false,
    stackTraces: false,
  });
  const stack = createServiceStack(app, environment, assets);
  const edge = createEdgeStack(app, environment);
  return { app, stack, ...(edge && { edge }) };
}
