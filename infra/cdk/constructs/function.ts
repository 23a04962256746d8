/** One function of the service: its bundle, log group, role and environment, from its definition. */
import { Duration, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { NamedEnvironment } from '../../definition/config.ts';
import {
  FUNCTION_DEFINITIONS,
  type FunctionName,
  isScheduledFunction,
} from '../../definition/function-definitions.ts';
import { createFunctionEnvironment } from '../../definition/function-environment.ts';
import { rightsOfFunction } from '../../definition/rights.ts';
import { createFunctionPolicyStatements } from './function-policy-statements.ts';
import { createLogGroup } from './log-group.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';
import type { ServiceTable } from './table.ts';

export type ServiceFunction = {
  readonly name: FunctionName;
  readonly lambda: LambdaFunction;
  /** Points to the live version. */
  readonly alias: Alias;
  /** The alias, which the routes and the schedule invoke. */
  readonly target: IFunction;
  readonly logGroup: LogGroup;
};

export type FunctionInput = {
  readonly environment: NamedEnvironment;
  readonly name: FunctionName;
  /** The folder with its bundle, `index.mjs`. */
  readonly assetDir: string;
  readonly table: ServiceTable;
  readonly baseUrl: string;
};

/**
 * Creates a function on Node 24 and arm64, with a version for each deploy and an alias on the live version. Its role
 * allows what its definition lists, and writing its own log.
 */
export function createFunction(scope: Construct, input: FunctionInput): ServiceFunction {
  const { environment, name, table } = input;
  const { config } = environment;
  const functionDefinition = FUNCTION_DEFINITIONS[name];
  const functionScope = new Construct(scope, name);
  const functionName = `subscriptions-${environment.name}-${name}`;
  const logGroup = createLogGroup(functionScope, {
    name: `/aws/lambda/${functionName}`,
    retentionKey: 'functions',
    config,
  });
  const reservedConcurrency = config.reservedConcurrency[name];
  const lambda = new LambdaFunction(functionScope, 'Function', {
    functionName,
    description: functionDefinition.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: Code.fromAsset(input.assetDir),
    memorySize: functionDefinition.memoryMb,
    timeout: Duration.seconds(functionDefinition.timeoutSeconds),
    environment: createFunctionEnvironment({
      config,
      definition: functionDefinition,
      tableName: table.inUse.tableName,
      baseUrl: input.baseUrl,
    }),
    role: createRole(functionScope, input, logGroup),
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    // Only scheduled functions log Lambda's lines about successful invocations. For functions with routes these lines would
    // cost half as much as the service's own line of the request, which has the same facts.
    systemLogLevelV2: isScheduledFunction(name) ? SystemLogLevel.INFO : SystemLogLevel.WARN,
    // Lambda drops lines below its own level, whatever level the function logs at.
    applicationLogLevelV2: ApplicationLogLevel[config.logLevel],
    // In production earlier versions are retained, so that an operator can roll back.
    currentVersionOptions: { removalPolicy: chooseRemovalPolicy(config) },
    ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
  });
  // CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
  const version = lambda.currentVersion as IVersion;
  const liveAlias = new Alias(functionScope, 'Live', { aliasName: 'live', version });
  return { name, lambda, alias: liveAlias, target: liveAlias as IFunction, logGroup };
}

/** Creates the role explicitly: the role that CDK creates by default may write to every log group of the account. */
function createRole(scope: Construct, { environment, name, table }: FunctionInput, logGroup: LogGroup): Role {
  const functionRole = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const policyStatements = createFunctionPolicyStatements({
    stack: Stack.of(scope),
    rights: rightsOfFunction(environment.config, name),
    table,
    secretsPrefix: environment.config.secretsPrefix,
    logGroupArn: logGroup.logGroupArn,
  });
  for (const statement of policyStatements) functionRole.addToPolicy(statement);
  return functionRole;
}
