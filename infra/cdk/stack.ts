/** The whole service in one environment. Each part is a construct; this file composes them. */
import { type App, CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import {
  type BundleName,
  type FunctionName,
  SCHEDULED_FUNCTION_NAMES,
} from '../definition/function-definitions.ts';
import { createDeliveryTrigger } from './constructs/delivery-trigger.ts';
import { DEFAULT_DEPLOY_OPTIONS, type DeployedEnvironment } from './constructs/deploy-options.ts';
import { createFunction, type ServiceFunction } from './constructs/function.ts';
import { createHttpApi, type ServiceApi } from './constructs/http-api.ts';
import { addRoutes } from './constructs/http-routes.ts';
import { createOperatorsTrace } from './constructs/operators-trace.ts';
import { createSchedule } from './constructs/schedule.ts';
import { createTable, type ServiceTable } from './constructs/table.ts';
import { createTokenKeySecret, createWebhookKeySecret } from './constructs/token-key-secret.ts';
import { createTombstoneKeySecret } from './constructs/tombstone-key-secret.ts';
import { watchEnvironment } from './watch/watch.ts';

/** Function → folder with its bundle, `index.mjs`. */
export type FunctionAssets = Readonly<Record<BundleName, string>>;

/** Creates the stack `subscriptions-<environment>` from bundles that exist already; see infra/cdk/app.ts. */
export function createServiceStack(
  app: App,
  environment: DeployedEnvironment,
  assets: FunctionAssets,
): Stack {
  const { name, config } = environment;
  const stack = new Stack(app, `subscriptions-${name}`, createStackProps(environment));
  Tags.of(stack).add('service', 'subscriptions');
  Tags.of(stack).add('environment', name);
  const table = createTable(stack, environment);
  createTokenKeySecret(stack, config);
  createWebhookKeySecret(stack, config);
  createTombstoneKeySecret(stack, config);
  createOperatorsTrace(stack, environment);
  const api = createHttpApi(stack, environment);
  const createStackFunction = (functionName: FunctionName): ServiceFunction =>
    createFunction(stack, {
      environment,
      name: functionName,
      assetDir: assets[functionName],
      table,
      baseUrl: api.baseUrl,
    });
  const functions = {
    'headless-auth': createStackFunction('headless-auth'),
    'customer-graphql': createStackFunction('customer-graphql'),
    'admin-graphql': createStackFunction('admin-graphql'),
    'platform-webhooks': createStackFunction('platform-webhooks'),
    'scheduled-work': createStackFunction('scheduled-work'),
    'store-events': createStackFunction('store-events'),
    'webhook-deliveries': createStackFunction('webhook-deliveries'),
    billing: createStackFunction('billing'),
  };
  addRoutes(stack, { api, functions, config });
  for (const name of SCHEDULED_FUNCTION_NAMES)
    createSchedule(stack, environment, { ...functions[name], name });
  createDeliveryTrigger(stack, table, functions['webhook-deliveries']);
  const watchResources = watchEnvironment(stack, {
    ...{ environment, api, functions: Object.values(functions), table, smokeTestDir: assets['smoke-test'] },
  });
  addOutputs(stack, { environment, api, table, ...watchResources });
  return stack;
}

function createStackProps({
  name,
  config,
  deploy = DEFAULT_DEPLOY_OPTIONS,
}: DeployedEnvironment): StackProps {
  const { account, region, production } = config;
  return {
    stackName: `subscriptions-${name}`,
    description: `Subscription management service, ${name}`,
    terminationProtection: production && deploy.protection,
    env: { ...(account && { account }), ...(region && { region }) },
  };
}

type StackOutputsInput = {
  readonly environment: DeployedEnvironment;
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  readonly pageTopicArn: string;
  readonly ticketTopicArn: string;
  readonly dashboardUrl: string;
};

/** Adds the outputs that operators and their command line read. */
function addOutputs(stack: Stack, outputs: StackOutputsInput): void {
  const { environment, api, table } = outputs;
  const createOutput = (id: string, value: string, description: string) =>
    new CfnOutput(stack, id, { value, description });
  createOutput('BaseUrl', api.baseUrl, 'Address of the service');
  createOutput('TableName', table.inUse.tableName, 'The table in use');
  createOutput('SecretsPrefix', environment.config.secretsPrefix, "Prefix of every secret's name");
  createOutput('PageTopicArn', outputs.pageTopicArn, 'Subscribe here to be woken');
  createOutput(
    'TicketTopicArn',
    outputs.ticketTopicArn,
    'Subscribe here to be told of what can wait for the day',
  );
  createOutput('DashboardUrl', outputs.dashboardUrl, 'What the service and its customers do');
  if (api.domainTarget !== undefined) {
    createOutput('DomainTarget', api.domainTarget, 'Where the DNS record of the domain must point');
  }
}
