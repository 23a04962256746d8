/**
 * The function that tries new versions before requests reach them. Its rights name functions and not versions, because a
 * right that is as new as the version may not have reached all of IAM when it is needed.
 */
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';
import { EDGE_REGION, formatEdgeSecretName } from '../../definition/edge-config.ts';
import { SMOKE_TEST_NAME, smokeTestDefinition } from '../../definition/smoke-test-definition.ts';
import type { ServiceFunction } from './function.ts';
import { createLogGroup } from './log-group.ts';

export type SmokeTestInput = {
  readonly environment: NamedEnvironment;
  readonly assetDir: string;
  /** The functions whose new versions it tries. */
  readonly functions: readonly ServiceFunction[];
};

/** Creates the function. Its own update is complete before any alias moves. */
export function createSmokeTest(scope: Construct, input: SmokeTestInput): IFunction {
  const { environment, functions, assetDir } = input;
  const smokeTestScope = new Construct(scope, SMOKE_TEST_NAME);
  const functionName = `subscriptions-${environment.name}-${SMOKE_TEST_NAME}`;
  const config = environment.config;
  const logGroup = createLogGroup(smokeTestScope, {
    name: `/aws/lambda/${functionName}`,
    retentionKey: 'functions',
    config,
  });
  const lambda = new LambdaFunction(smokeTestScope, 'Function', {
    functionName,
    description: smokeTestDefinition.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(assetDir),
    memorySize: smokeTestDefinition.memoryMb,
    timeout: Duration.seconds(smokeTestDefinition.timeoutSeconds),
    environment: {
      SECRETS_PREFIX: config.secretsPrefix,
      SHOP_DOMAIN_SUFFIX: String(config.shopDomainSuffixes[0]),
      ...(config.edge && {
        EDGE_SECRET_REGION: EDGE_REGION,
        EDGE_SECRET_FIELD: config.edge.secret.sends,
      }),
      ...Object.fromEntries(
        functions.map((one) => [formatVersionVariable(one), one.lambda.currentVersion.functionArn]),
      ),
    },
    role: createRole(smokeTestScope, input, logGroup),
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    applicationLogLevelV2: ApplicationLogLevel.INFO,
  });
  for (const { alias } of functions) alias.node.addDependency(smokeTestScope);
  return lambda as IFunction;
}

/** Returns the name of the variable with the function's new version, for example `HEADLESS_AUTH_VERSION`. */
function formatVersionVariable({ name }: ServiceFunction): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_VERSION`;
}

function createRole(scope: Construct, { environment, functions }: SmokeTestInput, logGroup: LogGroup): Role {
  const { name, config } = environment;
  const stack = Stack.of(scope);
  const smokeTestRole = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const formatArn = (service: string, resource: string, resourceName: string) =>
    stack.formatArn({ service, resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  const allowAction = (sid: string, action: string, resources: string[]) =>
    smokeTestRole.addToPolicy(new PolicyStatement({ sid, actions: [action], resources }));
  allowAction(
    'Versions',
    'lambda:InvokeFunction',
    functions.map((one) => formatArn('lambda', 'function', `subscriptions-${name}-${one.name}:*`)),
  );
  allowAction(
    'Hook',
    'codedeploy:PutLifecycleEventHookExecutionStatus',
    functions.map((one) => formatArn('codedeploy', 'deploymentgroup', `subscriptions-${name}/${one.name}`)),
  );
  const secretName = `${config.secretsPrefix}/${smokeTestDefinition.secret}-??????`;
  allowAction('Store', 'secretsmanager:GetSecretValue', [formatArn('secretsmanager', 'secret', secretName)]);
  if (config.edge !== undefined) {
    const edgeSecretArn = stack.formatArn({
      ...{ service: 'secretsmanager', region: EDGE_REGION, arnFormat: ArnFormat.COLON_RESOURCE_NAME },
      ...{ resource: 'secret', resourceName: `${formatEdgeSecretName(config)}-??????` },
    });
    allowAction('Edge', 'secretsmanager:GetSecretValue', [edgeSecretArn]);
  }
  smokeTestRole.addToPolicy(
    new PolicyStatement({
      sid: 'Log',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    }),
  );
  return smokeTestRole;
}
