/** Each function's rights, read from the template: they match the table of rights and the documented guarantees. */
import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENTS, readEnvironmentConfig } from '../../../../infra/definition/config.ts';
import {
  FUNCTION_NAMES,
  type FunctionName,
  ROUTED_FUNCTION_NAMES,
} from '../../../../infra/definition/function-definitions.ts';
import { RIGHTS_BY_FUNCTION } from '../../../../infra/definition/rights.ts';
import { synthesise, templateOf } from '../template/synthesise.ts';
import { functionOf, resourcesOf, rightsOf, statementsOf, theOne } from '../template/template.ts';

type Statements = ReturnType<typeof rightsOf>;
const KEYS = 'dynamodb:LeadingKeys';

/**
 * Returns the key families of a statement on the table.
 * @throws Error for a statement that is not limited to families.
 */
function familiesOf({ conditions }: Statements[number]): string[] {
  const like = (conditions as Record<string, Record<string, string[]>>)['ForAllValues:StringLike']?.[KEYS];
  expect(conditions).toEqual({ 'ForAllValues:StringLike': { [KEYS]: like }, Null: { [KEYS]: 'false' } });
  return (like ?? []).map((pattern) => pattern.replace(/#\*$/, ''));
}

/** Returns a role's rights as text: `GetItem STORE`, `GetSecretValue token-keys`. */
function actualRights(statements: Statements, environment: string): string[] {
  return statements.flatMap((statement) => {
    const { actions, resources } = statement;
    const actionNames = actions.map((action) => action.split(':')[1]);
    const secrets = resources.flatMap(
      (resource) =>
        /secret:(.*)-\?{6}$/.exec(resource)?.[1]?.replace(`subscriptions/${environment}/`, '') ?? [],
    );
    expect(resources).toHaveLength(Math.max(secrets.length, 1));
    const resourceNames = secrets.length === 0 ? familiesOf(statement) : secrets;
    return actionNames.flatMap((action) => resourceNames.map((resource) => `${action} ${resource}`));
  });
}

/** Partition keys of all kinds, and the actions that could request all of them in one request. */
function mayAskFor(statements: Statements, ...keys: string[]): string[] {
  return statements
    .filter((statement) => keys.every((key) => familiesOf(statement).includes(key)))
    .flatMap(({ actions }) => actions.map((action) => action.split(':')[1] ?? ''))
    .sort();
}

/** Without the statements that read the whole table, or its stream: they name no keys, and write nothing. */
const unscanned = (statements: Statements) =>
  statements.filter(
    ({ actions }) => !actions.includes('dynamodb:Scan') && !actions.includes('dynamodb:GetRecords'),
  );

const onTable = (statements: Statements) =>
  statements.filter(
    ({ actions, resources }) => actions[0]?.startsWith('dynamodb:') && !/\/index\//.test(`${resources}`),
  );
const WRITES = ['DeleteItem', 'PutItem', 'UpdateItem'];
const writesOf = (actionNames: readonly string[]) => actionNames.filter((action) => WRITES.includes(action));

describe.each(Object.keys(ENVIRONMENTS))('in %s', (environment) => {
  const template = templateOf(environment);
  const of = (name: FunctionName) => rightsOf(template, name);

  test.each([...FUNCTION_NAMES])('%s may do what the table of rights says and nothing else', (name) => {
    const all = of(name);
    const scan = all.find(({ actions }) => actions.includes('dynamodb:Scan'));
    const stream = all.find(({ actions }) => actions.includes('dynamodb:GetRecords'));
    const ofCalls = all.filter(
      (one) => one !== scan && one !== stream && /^(dynamodb|secretsmanager):/.test(one.actions[0] ?? ''),
    );
    const { table, index, secrets, scans, readsStream } = RIGHTS_BY_FUNCTION[name];
    const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    expect(stream?.actions).toEqual(
      readsStream ? streamActions.map((action) => `dynamodb:${action}`) : undefined,
    );
    expect(scan?.actions).toEqual(scans ? ['dynamodb:Scan'] : undefined);
    const actual = Object.entries({ ...table, ...index, ...secrets }).flatMap(([resource, actionNames]) =>
      actionNames.map((action) => `${action} ${resource}`),
    );
    expect(actualRights(ofCalls, environment).sort()).toEqual(actual.sort());
    const others = all.filter((one) => one !== scan && one !== stream && !ofCalls.includes(one));
    expect(
      others.map(({ actions }) => actions[0]?.split(':')[0]).filter((service) => service !== 'kms'),
    ).toEqual(['logs']);
    const logGroup = functionOf(template, name).properties.LoggingConfig as { LogGroup: string };
    expect(others.find(({ actions }) => actions[0]?.startsWith('logs:'))?.resources).toEqual([
      logGroup.LogGroup.replace('}', '.Arn}'),
    ]);
  });

  test('each statement on the table is of this table, or of its one index', () => {
    const tableArn = `{${theOne(template, 'AWS::DynamoDB::Table').id}.Arn}`;
    for (const name of FUNCTION_NAMES) {
      const resources = of(name).filter(({ actions }) => actions[0]?.startsWith('dynamodb:'));
      const all = new Set(resources.flatMap((one) => one.resources));
      const isReader = name === 'webhook-deliveries';
      expect([name, all.delete(tableArn.replace('.Arn', '.StreamArn'))]).toEqual([name, isReader]);
      all.delete(`${tableArn}/index/actions`);
      expect([...all].filter((resource) => resource !== tableArn)).toEqual([]);
    }
  });

  test('no function that a route leads to writes a store, or lists the table', () => {
    for (const name of ROUTED_FUNCTION_NAMES) {
      expect([name, writesOf(mayAskFor(onTable(of(name)), 'STORE'))]).toEqual([name, []]);
      expect(of(name).flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
    }
  });

  test('customers reach no key of a merchant, and sign-in no grant', () => {
    const [auth, customer] = [of('headless-auth'), of('customer-graphql')];
    for (const family of ['KEYS', 'LINK']) expect(mayAskFor(onTable(customer), family)).toEqual([]);
    for (const family of ['GRANT', 'KEYS', 'LINK']) expect(mayAskFor(onTable(auth), family)).toEqual([]);
    expect(
      actualRights(
        auth.filter(({ actions }) => /^secrets/.test(actions[0] ?? '')),
        environment,
      ),
    ).toEqual(['GetSecretValue token-keys', 'GetSecretValue tombstone-key']);
    expect(JSON.stringify(customer)).not.toContain('admin-keys');
  });

  test('merchants only read the sign-ins of customers, and end them', () => {
    expect(mayAskFor(onTable(of('admin-graphql')), 'SESSIONS')).toEqual(['GetItem', 'Query', 'UpdateItem']);
    expect(JSON.stringify(of('admin-graphql'))).not.toContain('token-keys');
  });

  test('a batch is allowed by one statement with all its families, or not at all', () => {
    expect(mayAskFor(onTable(of('customer-graphql')), 'SESSIONS', 'STORE', 'GRANT')).toEqual([
      'BatchGetItem',
    ]);
    expect(mayAskFor(onTable(of('customer-graphql')), 'SESSIONS', 'STORE', 'KEYS')).toEqual([]);
  });

  test('no policy holds an action with a wildcard, and no role a policy of another making', () => {
    const statements = resourcesOf(template, 'AWS::IAM::Policy').flatMap(statementsOf);
    expect(statements.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
    expect(statements.filter(({ resources }) => resources.includes('*'))).toEqual([]);
    for (const { properties } of resourcesOf(template, 'AWS::IAM::Role')) {
      // CodeDeploy's role for Lambda, which AWS maintains; no function has it.
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
  const tried = ['admin-graphql', 'customer-graphql', 'headless-auth', 'platform-webhooks'];
  const logGroup = functionOf(template, 'smoke-test').properties.LoggingConfig as { LogGroup: string };
  const rights = rightsOf(template, 'smoke-test');
  expect(rights.map(({ actions, resources }) => [actions, resources])).toEqual([
    [['lambda:InvokeFunction'], tried.map((name) => arn('lambda', `function:subscriptions-prod-${name}:*`))],
    [
      ['codedeploy:PutLifecycleEventHookExecutionStatus'],
      tried.map((name) => arn('codedeploy', `deploymentgroup:subscriptions-prod/${name}`)),
    ],
    [['secretsmanager:GetSecretValue'], [arn('secretsmanager', 'secret:subscriptions/prod/smoke-??????')]],
    [
      ['secretsmanager:GetSecretValue'],
      [expect.stringMatching(/:us-east-1:.+:secret:subscriptions\/prod\/edge-\?{6}$/)],
    ],
    [['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.LogGroup.replace('}', '.Arn}')]],
  ]);
  for (const name of ['dev', 'staging']) expect(() => functionOf(templateOf(name), 'smoke-test')).toThrow();
});

test("production's functions may use the table's key, through the table only", () => {
  const template = templateOf('prod');
  for (const name of FUNCTION_NAMES) {
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

test('where stores may be from before their items were parted, requests may write them there', () => {
  const { config } = readEnvironmentConfig('prod');
  const template = synthesise({ name: 'prod', config: { ...config, storesFromBefore: true } });
  const writing = FUNCTION_NAMES.filter(
    (name) => writesOf(mayAskFor(onTable(unscanned(rightsOf(template, name))), 'STORE')).length > 0,
  );
  expect(writing).toEqual(['customer-graphql', 'admin-graphql', 'scheduled-work', 'store-events']);
});
