import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENTS, readEnvironmentConfig } from '../../../../infra/definition/config.ts';
import { FUNCTION_NAMES, isScheduledFunction } from '../../../../infra/definition/function-definitions.ts';
import { ROUTES } from '../../../../infra/definition/routes.ts';
import { TABLE_DEFINITION } from '../../../../infra/definition/table-definition.ts';
import { readEnvironment } from '../../../../lib/config/environment.ts';
import { STORE_SHARDS } from '../../../../lib/storage/scheduled-tasks.ts';
import { synthesise, templateOf } from '../template/synthesise.ts';
import {
  deletionPoliciesOf,
  functionOf,
  resourcesOf,
  theOne,
  type Values,
  variablesOf,
} from '../template/template.ts';

const names = Object.keys(ENVIRONMENTS);
const dev = readEnvironmentConfig('dev').config;

describe.each(names)('the stack of %s', (environment) => {
  const template = templateOf(environment);
  const production = environment === 'prod';
  // After its first deploy it stays; with a first deploy that fails it goes, so that it can be repeated.
  const retention = production ? 'RetainExceptOnCreate' : 'Delete';
  const replacementRetention = production ? 'Retain' : 'Delete';

  // Written out: `$default` would serve sign-in without its route, but without its throttle and alarms.
  test('has the routes that clients use, each by itself, and the default', () => {
    const expected = [
      ['POST /headless-auth/start', 'headless-auth'],
      ['POST /headless-auth/exchange', 'headless-auth'],
      ['POST /headless-auth/refresh', 'headless-auth'],
      ['DELETE /headless-auth/revoke', 'headless-auth'],
      ['POST /headless-auth/storefront-token', 'headless-auth'],
      ['POST /api/storefront/unstable/graphql.json', 'customer-graphql'],
      ['ANY /api/storefront/unstable/graphql.json', 'customer-graphql'],
      ['POST /api/admin/unstable/graphql.json', 'admin-graphql'],
      ['ANY /api/admin/unstable/graphql.json', 'admin-graphql'],
      ['POST /platform/webhooks', 'platform-webhooks'],
      ['ANY /platform/webhooks', 'platform-webhooks'],
      ...['GET', 'HEAD'].map((method) => [`${method} /healthz`, 'headless-auth']),
      ...['GET', 'HEAD', 'POST', 'ANY'].map((method) => [
        `${method} /admin-keys/claim/{linkId}`,
        'admin-graphql',
      ]),
      ...(production
        ? []
        : ['GET', 'HEAD', 'ANY'].map((method) => [
            `${method} /api/admin/unstable/graphiql`,
            'admin-graphql',
          ])),
      ['$default', 'headless-auth'],
    ];
    expect(routesOf(template).sort()).toEqual(expected.sort());
  });

  test('calls functions with payload format 2.0, and API Gateway may call them', () => {
    for (const { properties } of resourcesOf(template, 'AWS::ApiGatewayV2::Integration')) {
      expect(properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission');
    expect(permissions).toHaveLength(routesOf(template).length);
  });

  test('has no CORS setting: the functions answer it', () => {
    const { properties } = theOne(template, 'AWS::ApiGatewayV2::Api');
    expect(properties).not.toHaveProperty('CorsConfiguration');
    // Keys for IPv6 alone are not issued (docs/decisions/0005).
    expect(properties).not.toHaveProperty('IpAddressType');
  });

  test('throttles every route', () => {
    const stage = theOne(template, 'AWS::ApiGatewayV2::Stage').properties;
    const keys = routesOf(template).map(([key]) => key);
    expect(['$default', ...Object.keys(stage.RouteSettings as object)].sort()).toEqual(keys.sort());
    const settings = [stage.DefaultRouteSettings, ...Object.values(stage.RouteSettings as object)];
    for (const one of settings) {
      expect(one).toMatchObject({ ThrottlingRateLimit: expect.any(Number) });
      // They cost by the route, and nothing reads them.
      expect(one).not.toHaveProperty('DetailedMetricsEnabled', true);
    }
  });

  test('throttles the doors of customers apart from each other', () => {
    const { throttling } = readEnvironmentConfig(environment).config;
    const settings = theOne(template, 'AWS::ApiGatewayV2::Stage').properties.RouteSettings as Values;
    const expected = {
      'POST /headless-auth/start': throttling['sign-in'],
      'POST /headless-auth/exchange': throttling['sign-in'],
      'POST /headless-auth/refresh': throttling.refresh,
      'DELETE /headless-auth/revoke': throttling.revoke,
      'POST /headless-auth/storefront-token': throttling['storefront-token'],
      'POST /api/storefront/unstable/graphql.json': throttling['customer-graphql'],
    };
    for (const [key, { ratePerSecond, burst }] of Object.entries(expected))
      expect([key, settings[key]]).toEqual([
        key,
        { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst },
      ]);
  });

  test('logs access as JSON, without headers, query string or path', () => {
    const stage = theOne(template, 'AWS::ApiGatewayV2::Stage').properties;
    const { Format } = stage.AccessLogSettings as { Format: string };
    expect(JSON.parse(Format)).toMatchObject({ requestId: '$context.requestId', route: '$context.routeKey' });
    expect(Format).not.toMatch(/header|authori|query|path|\$context\.path|integrationErrorMessage/i);
  });

  test('has the table of the shared definition, with recovery', () => {
    const { properties, resource } = theOne(template, 'AWS::DynamoDB::Table');
    const key = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ];
    expect(properties).toMatchObject({
      TableName: `subscriptions-${environment}`,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: key('pk', 'sk'),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'actions',
          KeySchema: key('actionPk', 'actionSk'),
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: production,
    });
    expect(properties.GlobalSecondaryIndexes).toHaveLength(TABLE_DEFINITION.indexes.length);
    expect(resource).toMatchObject({ DeletionPolicy: retention, UpdateReplacePolicy: replacementRetention });
  });

  test('warms the table by what is configured, and in production by what growth asks for', () => {
    const { properties } = theOne(template, 'AWS::DynamoDB::Table');
    expect(properties.WarmThroughput).toEqual(
      production ? { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 8000 } : undefined,
    );
  });

  test.each([
    ['token-keys', 'seed'],
    ['webhook-keys', 'seed'],
    ['tombstone-key', 'key'],
  ])('makes the secret %s once, as a %s', (name, field) => {
    const secrets = resourcesOf(template, 'AWS::SecretsManager::Secret');
    expect(secrets).toHaveLength(3);
    const { properties = {}, resource } =
      secrets.find(({ properties: { Name } }) => Name === `subscriptions/${environment}/${name}`) ?? {};
    // A change here replaces it at the next deploy: every customer is signed out, or who was erased is forgotten.
    expect(properties.GenerateSecretString).toEqual({
      SecretStringTemplate: '{}',
      GenerateStringKey: field,
      PasswordLength: 64,
      ExcludePunctuation: true,
    });
    expect(resource).toMatchObject({ DeletionPolicy: retention, UpdateReplacePolicy: replacementRetention });
  });

  test.each([...FUNCTION_NAMES])('runs %s on Node 24 and arm64, with a log of its own', (name) => {
    const { properties } = functionOf(template, name);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: expect.any(Number),
      Timeout: expect.any(Number),
      // Lambda's lines about successful invocations are only written for workers, which have no line of a request.
      LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: isScheduledFunction(name) ? 'INFO' : 'WARN' },
    });
    // X-Ray costs more than all logs of a request that it records, and shows less.
    expect(properties).not.toHaveProperty('TracingConfig');
    const { LogGroup } = properties.LoggingConfig as { LogGroup: string };
    const group = resourcesOf(template, 'AWS::Logs::LogGroup').find(({ id }) => `{${id}}` === LogGroup);
    expect(group?.properties.LogGroupName).toBe(`/aws/lambda/subscriptions-${environment}-${name}`);
  });

  test('answers within the limit of API Gateway', () => {
    for (const name of new Set(ROUTES.map((route) => route.function))) {
      expect(functionOf(template, name).properties.Timeout).toBeLessThan(30);
    }
  });

  test('keeps every log for a stated time, by its kind', () => {
    const { functions, access, operators } = readEnvironmentConfig(environment).config.logRetentionDays;
    // Written out: a restore is replayed from the functions' log, and callers' addresses go soon.
    if (production) expect([functions, access, operators]).toEqual([90, 30, 400]);
    for (const { properties, resource } of resourcesOf(template, 'AWS::Logs::LogGroup')) {
      const name = String(properties.LogGroupName);
      const other = name === `/subscriptions/${environment}/operators` ? operators : access;
      expect(properties.RetentionInDays).toBe(name.startsWith('/aws/lambda/') ? functions : other);
      expect(resource.DeletionPolicy).toBe(retention);
    }
  });

  test("protects the operators' trace from deletion in production", () => {
    const isProtected = ({ properties }: { properties: Record<string, unknown> }) =>
      properties.DeletionProtectionEnabled === true;
    const names = resourcesOf(template, 'AWS::Logs::LogGroup').filter(isProtected);
    expect(names.map(({ properties }) => properties.LogGroupName)).toEqual(
      production ? ['/subscriptions/prod/operators'] : [],
    );
  });

  test.each([...FUNCTION_NAMES])('gives %s an environment that it can start with', (name) => {
    const variables = variablesOf(template, name);
    const read = readEnvironment({ ...variables, PUBLIC_BASE_URL: 'https://example.com' });
    expect(variables.TABLE_NAME).toBe(`{${theOne(template, 'AWS::DynamoDB::Table').id}}`);
    expect(read).toMatchObject({
      secretsPrefix: `subscriptions/${environment}`,
      platformOrigin: 'https://{shop}',
      platformApiVersion: '2026-07',
      gidNamespace: 'platform',
      platformGidNamespace: 'shopify',
      allowedOrigins: [],
      shopDomainSuffixes: ['.myshopify.com'],
      graphiql: name === 'admin-graphql' && !production,
    });
    // Production has an edge, and its name.
    const address = production
      ? 'https://api.example.com'
      : `{${theOne(template, 'AWS::ApiGatewayV2::Api').id}.ApiEndpoint}`;
    expect(variables.PUBLIC_BASE_URL).toBe(name === 'admin-graphql' ? address : undefined);
  });

  test.each([...FUNCTION_NAMES])('has a version of %s at each deploy, and calls the live one', (name) => {
    const { id } = functionOf(template, name);
    const of = (type: string) =>
      resourcesOf(template, type).filter(({ properties }) => properties.FunctionName === `{${id}}`);
    const [version, ...versions] = of('AWS::Lambda::Version');
    const [alias, ...aliases] = of('AWS::Lambda::Alias');
    expect([...versions, ...aliases]).toEqual([]);
    expect(version?.resource.DeletionPolicy).toBe(retention);
    expect(alias?.properties).toMatchObject({ Name: 'live', FunctionVersion: `{${version?.id}.Version}` });
    const moves = production && !isScheduledFunction(name) ? expect.any(Object) : undefined;
    expect(alias?.resource.UpdatePolicy).toEqual(moves);
  });

  /** In production the scheduled work has a schedule for each part of the stores. */
  const nameOfFirst = (name: string, isSplit: boolean) =>
    `subscriptions-${environment}-${name}${isSplit && name === 'scheduled-work' ? '-0' : ''}`;

  test('runs the scheduled work for each part of the stores in production, and for all together elsewhere', () => {
    const own = `subscriptions-${environment}-scheduled-work`;
    const inputs = resourcesOf(template, 'AWS::Scheduler::Schedule')
      .filter(({ properties }) => String(properties.Name).startsWith(own))
      .map(({ properties: { Name, Target } }) => [Name, (Target as { Input?: string }).Input]);
    const parts = STORE_SHARDS.map((part) => [`${own}-${part}`, JSON.stringify({ part })]);
    expect(inputs).toEqual(production ? parts : [[own, undefined]]);
  });

  test.each([
    ['scheduled-work', 'rate(15 minutes)'],
    ['store-events', 'rate(1 minute)'],
    ['webhook-deliveries', 'rate(1 minute)'],
    ['billing', 'rate(1 minute)'],
  ])('runs %s at a %s', (name, rate) => {
    const found = resourcesOf(template, 'AWS::Scheduler::Schedule').filter(
      ({ properties }) => nameOfFirst(name, production) === properties.Name,
    );
    expect(found.map(({ properties }) => properties)).toMatchObject([
      { ScheduleExpression: rate, State: 'ENABLED' },
    ]);
    const { Arn } = (found[0]?.properties.Target ?? {}) as { Arn?: string };
    const alias = resourcesOf(template, 'AWS::Lambda::Alias').find(({ id }) => `{${id}}` === Arn);
    expect(alias?.properties.FunctionName).toBe(`{${functionOf(template, name).id}}`);
  });

  test.each([
    ['scheduled-work', 900],
    ['store-events', 60],
    ['webhook-deliveries', 60],
    ['billing', 60],
  ])('does not repeat a failed run of %s, and drops a start that is %d seconds late', (name, seconds) => {
    const schedule = resourcesOf(template, 'AWS::Scheduler::Schedule').find(
      ({ properties }) => nameOfFirst(name, production) === properties.Name,
    );
    // The scheduler repeats only the call that Lambda did not take.
    expect(schedule?.properties.Target).toMatchObject({
      RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: seconds },
    });
    const invoked = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig').filter(
      ({ properties }) => properties.FunctionName === `{${functionOf(template, name).id}}`,
    );
    expect(invoked.map(({ properties }) => properties)).toMatchObject([
      { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: seconds },
    ]);
    // It is in force for the qualifier that is called, and for no other.
    const alias = resourcesOf(template, 'AWS::Lambda::Alias').find(
      ({ properties }) => properties.FunctionName === invoked[0]?.properties.FunctionName,
    );
    expect(alias?.properties.Name).toBe(invoked[0]?.properties.Qualifier);
    expect(invoked[0]?.resource.DependsOn).toContain(alias?.id);
  });

  test('tags what costs money by its environment, so that a budget can be made of it (docs/costs.md)', () => {
    const kinds = ['Lambda::Function', 'DynamoDB::Table', 'ApiGatewayV2::Api', 'Logs::LogGroup'];
    const more = ['SecretsManager::Secret', 'CloudWatch::Alarm', ...(production ? ['KMS::Key'] : [])];
    for (const kind of [...kinds, ...more]) {
      const tagged = resourcesOf(template, `AWS::${kind}`).map(({ properties }) => tagsOf(properties));
      const expected = { service: 'subscriptions', environment };
      expect([kind, tagged[0]]).toEqual([kind, expect.objectContaining(expected)]);
      expect(tagged).toEqual(tagged.map(() => expect.objectContaining(expected)));
    }
  });

  test('has outputs for the base URL, the table, the prefix of the secrets, and dashboards and topics', () => {
    const outputs = template.findOutputs('*');
    expect(Object.keys(outputs).sort()).toEqual([
      'BaseUrl',
      'DashboardUrl',
      ...(production ? ['DomainTarget'] : []),
      'PageTopicArn',
      'SecretsPrefix',
      'TableName',
      'TicketTopicArn',
    ]);
    expect(outputs.SecretsPrefix?.Value).toBe(`subscriptions/${environment}`);
  });
});

test('outside production nothing is left behind, in production data and keys are', () => {
  expect(deletionPoliciesOf(templateOf('dev'))).toEqual(new Set([undefined, 'Delete']));
  expect(theOne(templateOf('prod'), 'AWS::KMS::Key').resource.DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('has the table encrypted with its own key in production', () => {
  const template = templateOf('prod');
  const { SSESpecification } = theOne(template, 'AWS::DynamoDB::Table').properties;
  expect(SSESpecification).toEqual({
    KMSMasterKeyId: `{${theOne(template, 'AWS::KMS::Key').id}.Arn}`,
    SSEEnabled: true,
    SSEType: 'KMS',
  });
});

test('with a domain, links lead to it and the DNS target is an output', () => {
  const domain = {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/x',
  };
  const template = synthesise({ name: 'dev', config: { ...dev, domain } });
  expect(variablesOf(template, 'admin-graphql').PUBLIC_BASE_URL).toBe('https://api.example.com');
  expect(theOne(template, 'AWS::ApiGatewayV2::ApiMapping').properties.Stage).toBe('$default');
  const outputs = template.findOutputs('*');
  expect(outputs.BaseUrl?.Value).toBe('https://api.example.com');
  expect(outputs).toHaveProperty('DomainTarget');
});

test('after a restore the functions use the restored table, and the own one stays', () => {
  const template = synthesise({ name: 'dev', config: { ...dev, restoredTableName: 'subscriptions-dev-2' } });
  expect(variablesOf(template, 'headless-auth').TABLE_NAME).toBe('subscriptions-dev-2');
  expect(theOne(template, 'AWS::DynamoDB::Table').properties.TableName).toBe('subscriptions-dev');
  expect(template.findOutputs('TableName').TableName?.Value).toBe('subscriptions-dev-2');
});

test.each(names)(
  'starts the worker that delivers in %s by new entries of timelines, and never holds up a shard',
  (name) => {
    const template = templateOf(name);
    const table = theOne(template, 'AWS::DynamoDB::Table');
    expect(table.properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    const { properties } = theOne(template, 'AWS::Lambda::EventSourceMapping');
    const { FilterCriteria, ...mapping } = properties;
    expect(mapping).toMatchObject({
      ...{ EventSourceArn: `{${table.id}.StreamArn}`, StartingPosition: 'LATEST' },
      ...{ BatchSize: 1000, MaximumBatchingWindowInSeconds: 2 },
      ...{ MaximumRetryAttempts: 0, MaximumRecordAgeInSeconds: 60 },
    });
    expect(properties.FunctionName).toBe(`{${aliasOf(template, 'webhook-deliveries')}}`);
    const [filter, ...others] = (FilterCriteria as { Filters: { Pattern: string }[] }).Filters;
    expect(others).toEqual([]);
    expect(JSON.parse(filter?.Pattern ?? '')).toEqual({
      eventName: ['INSERT'],
      dynamodb: { Keys: { pk: { S: [{ prefix: 'TIMELINE#' }] }, sk: { S: [{ prefix: '1' }] } } },
    });
  },
);

describe('after a restore', () => {
  const restoredTableName = 'subscriptions-dev-2';
  const stackOf = (config: object) =>
    synthesise({ name: 'dev', config: { ...dev, restoredTableName, ...config } });
  const RESTORED = 'arn:{AWS::Partition}:dynamodb:{AWS::Region}:{AWS::AccountId}:table/subscriptions-dev-2';

  test('the stream of the restored table starts the worker that delivers', () => {
    const template = stackOf({ restoredStreamLabel: '2026-07-01T09:30:00.000' });
    expect(theOne(template, 'AWS::Lambda::EventSourceMapping').properties.EventSourceArn).toBe(
      `${RESTORED}/stream/2026-07-01T09:30:00.000`,
    );
  });

  test('the schedule alone starts it while the stream is not named', () => {
    expect(resourcesOf(stackOf({}), 'AWS::Lambda::EventSourceMapping')).toEqual([]);
  });
});

test('an account and a region are those of the environment', () => {
  const config = { ...dev, account: '123456789012', region: 'eu-central-1' };
  const template = synthesise({ name: 'dev', config });
  expect(JSON.stringify(template.toJSON())).toContain(':eu-central-1:123456789012:');
});

/** The logical id of a function's alias. */
function aliasOf(template: ReturnType<typeof templateOf>, name: string): string | undefined {
  const { id } = functionOf(template, name);
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  return aliases.find(({ properties }) => properties.FunctionName === `{${id}}`)?.id;
}

/** Route key and the function it leads to. */
function routesOf(template: ReturnType<typeof templateOf>): [string, string][] {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration');
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  return resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const integration = integrations.find(({ id }) => properties.Target === `integrations/{${id}}`);
    const alias = aliases.find(({ id }) => integration?.properties.IntegrationUri === `{${id}}`);
    const target = functions.find(({ id }) => alias?.properties.FunctionName === `{${id}}`);
    const name = FUNCTION_NAMES.find((one) => String(target?.properties.FunctionName).endsWith(one));
    return [String(properties.RouteKey), String(name)];
  });
}

/** The tags of a resource; API Gateway has them as an object, others as a list. */
function tagsOf({ Tags }: Values): unknown {
  if (!Array.isArray(Tags)) return Tags;
  return Object.fromEntries(Tags.map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]));
}
