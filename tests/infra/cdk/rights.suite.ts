/** What each function may do, spelled out: a right more or less shows up here. */
import { describe, expect, test } from '@jest/globals';
import { environments, readEnvironmentConfig } from '../../../infra/definition/config.ts';
import { functionNames } from '../../../infra/definition/function-definitions.ts';
import { synthesise, templateOf } from './synthesise.ts';
import { functionOf, resourcesOf, rightsOf, statementsOf, theOne } from './template.ts';

const secretActions = (...names: string[]) => names.map((name) => `secretsmanager:${name}`);
const READ = secretActions('GetSecretValue');
const RENEW = secretActions('DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage');
const READ_AND_RECORD = ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];
/** The one index, of the timeline by action. */
const INDEX = [{ actions: ['dynamodb:Query'], name: 'index/actions' }];
const expectedRights = {
  'headless-auth': {
    table: READ_AND_RECORD,
    indexes: [],
    secrets: [['token-keys', READ]],
  },
  'customer-graphql': {
    table: READ_AND_RECORD,
    indexes: INDEX,
    secrets: [
      ['token-keys', READ],
      ['stores/*/platform', RENEW],
    ],
  },
  'admin-graphql': {
    table: READ_AND_RECORD,
    indexes: INDEX,
    secrets: [
      ['stores/*/platform', RENEW],
      ['stores/*/admin-keys', READ],
    ],
  },
  'scheduled-work': {
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    indexes: [],
    secrets: [['stores/*/platform', RENEW]],
  },
};

describe.each(Object.keys(environments))('in %s', (environment) => {
  const template = templateOf(environment);

  test.each([...functionNames])('%s may do what it needs and nothing else', (name) => {
    const { table, indexes, secrets } = expectedRights[name];
    const tableArn = `{${theOne(template, 'AWS::DynamoDB::Table').id}.Arn}`;
    const allowed = rightsOf(template, name).filter(({ actions }) => !/^(kms|xray):/.test(`${actions[0]}`));
    const logGroup = functionOf(template, name).properties.LoggingConfig as { LogGroup: string };
    expect(allowed.map(({ actions, resources }) => ({ actions, resources }))).toEqual([
      {
        actions: table.map((action) => `dynamodb:${action}`),
        resources: [tableArn],
      },
      ...indexes.map(({ actions, name: index }) => ({ actions, resources: [`${tableArn}/${index}`] })),
      ...secrets.map(([secret, actions]) => ({
        actions,
        resources: [
          `arn:{AWS::Partition}:secretsmanager:{AWS::Region}:{AWS::AccountId}:secret:subscriptions/${environment}/${secret}-??????`,
        ],
      })),
      {
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.LogGroup.replace('}', '.Arn}')],
      },
    ]);
  });

  test('no policy holds an action with a wildcard, and no role a policy of another making', () => {
    const statements = resourcesOf(template, 'AWS::IAM::Policy').flatMap(statementsOf);
    expect(statements.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
    // X-Ray knows no resources.
    const everywhere = statements.filter(({ resources }) => resources.includes('*'));
    expect(new Set(everywhere.flatMap(({ actions }) => actions))).toEqual(
      new Set(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']),
    );
    for (const { properties } of resourcesOf(template, 'AWS::IAM::Role')) {
      // CodeDeploy's own role for Lambda, which AWS keeps; it is no function's.
      const ofCanary = JSON.stringify(properties.AssumeRolePolicyDocument).includes('codedeploy');
      expect(ofCanary || !('ManagedPolicyArns' in properties)).toBe(true);
      expect(properties).not.toHaveProperty('Policies');
    }
  });
});

test('the function that tries new versions may do that and nothing else', () => {
  const template = templateOf('prod');
  const arn = (service: string, resource: string) =>
    `arn:{AWS::Partition}:${service}:{AWS::Region}:{AWS::AccountId}:${resource}`;
  const tried = ['admin-graphql', 'customer-graphql', 'headless-auth'];
  const logGroup = functionOf(template, 'smoke-test').properties.LoggingConfig as { LogGroup: string };
  const rights = rightsOf(template, 'smoke-test').filter(({ actions }) => !actions[0]?.startsWith('xray:'));
  expect(rights.map(({ actions, resources }) => [actions, resources])).toEqual([
    [['lambda:InvokeFunction'], tried.map((name) => arn('lambda', `function:subscriptions-prod-${name}:*`))],
    [
      ['codedeploy:PutLifecycleEventHookExecutionStatus'],
      tried.map((name) => arn('codedeploy', `deploymentgroup:subscriptions-prod/${name}`)),
    ],
    [['secretsmanager:GetSecretValue'], [arn('secretsmanager', 'secret:subscriptions/prod/smoke-??????')]],
    [['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.LogGroup.replace('}', '.Arn}')]],
  ]);
  for (const name of ['dev', 'staging']) expect(() => functionOf(templateOf(name), 'smoke-test')).toThrow();
});

test("production's functions may use the table's key, through the table only", () => {
  const template = templateOf('prod');
  for (const name of functionNames) {
    const [statement, ...others] = rightsOf(template, name).filter(({ actions }) =>
      actions[0]?.startsWith('kms:'),
    );
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      resources: [`{${theOne(template, 'AWS::KMS::Key').id}.Arn}`],
      conditions: { StringEquals: { 'kms:ViaService': 'dynamodb.{AWS::Region}.amazonaws.com' } },
    });
  }
});

test('after a restore the rights are those on the restored table', () => {
  const { config } = readEnvironmentConfig('dev');
  const template = synthesise({
    name: 'dev',
    config: { ...config, restoredTableName: 'subscriptions-dev-2' },
  });
  const [table] = rightsOf(template, 'headless-auth');
  expect(table?.resources).toEqual([
    'arn:{AWS::Partition}:dynamodb:{AWS::Region}:{AWS::AccountId}:table/subscriptions-dev-2',
  ]);
});
