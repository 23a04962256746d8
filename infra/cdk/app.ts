/** The CDK app (`npx cdk synth -c env=dev`). Builds the bundles, then the stack of the named environment. */
import { dirname } from 'node:path';
import { Annotations, App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { BuildError } from '../../tools/build/build-error.ts';
import { buildFunctions, type FunctionsBuild } from '../../tools/build/build-functions.ts';
import { ConfigError, ENVIRONMENTS, readEnvironmentConfig } from '../definition/config.ts';
import { findUnfilledPaths } from '../definition/environment-rules.ts';
import { BUNDLE_NAMES } from '../definition/function-definitions.ts';
import { acknowledgeEdgeFindings, acknowledgeFindings } from './acknowledge-findings.ts';
import { parseDeployOptions, rejectUnknownContext } from './constructs/deploy-options.ts';
import { createEdgeStack } from './edge/edge-stack.ts';
import { findRegionProblems, rejectUnknownRegion } from './reject-unknown-region.ts';
import { createServiceStack, type FunctionAssets } from './stack.ts';

try {
  const app = new App({ autoSynth: false });
  rejectUnknownContext(Object.keys(app.node.getAllContext()));
  const environment = {
    ...readEnvironmentConfig(app.node.tryGetContext('env'), ENVIRONMENTS, findRegionProblems),
    deploy: parseDeployOptions((name) => app.node.tryGetContext(name)),
  };
  // The `cdk` command sets this variable.
  rejectUnknownRegion(environment, process.env.CDK_DEFAULT_REGION);
  const { functions } = await buildFunctions();
  const stack = createServiceStack(app, environment, toFunctionAssets(functions));
  const edgeStack = createEdgeStack(app, environment);
  const unfilledPaths = findUnfilledPaths(environment.config);
  if (unfilledPaths.length > 0)
    Annotations.of(stack).addWarningV2(
      'subscriptions:placeholders',
      `Not to be deployed yet, these are still to be filled in (docs/deploying.md, step 3): ${unfilledPaths.join(', ')}`,
    );
  // The edge sends requests to the service, so its stack is deployed second.
  edgeStack?.addStackDependency(stack);
  addNagChecks(app, { service: stack, edge: edgeStack, secretsPrefix: environment.config.secretsPrefix });
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Returns the folder of each function in the build. The local stack runs the same files. */
function toFunctionAssets(built: FunctionsBuild['functions']): FunctionAssets {
  return Object.fromEntries(BUNDLE_NAMES.map((name) => [name, dirname(built[name].path)])) as FunctionAssets;
}

type NagInput = {
  readonly service: Stack;
  readonly edge: Stack | undefined;
  readonly secretsPrefix: string;
};

/** Checks the stacks against cdk-nag's packs. Synthesis fails for a finding that is not in acknowledge-findings.ts. */
function addNagChecks(app: App, { service, edge, secretsPrefix }: NagInput): void {
  acknowledgeFindings(service, secretsPrefix);
  if (edge !== undefined) acknowledgeEdgeFindings(edge);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
