/**
 * Checks that each alarm notifies a subscribed topic, measures an existing resource, and has an entry in the runbook.
 */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { defineEventAlarms, LOGGED_ALARMS } from '../../../../infra/cdk/watch/event-alarms.ts';
import { createServiceMetrics } from '../../../../infra/cdk/watch/service-metrics.ts';
import { ENVIRONMENTS, readEnvironmentConfig } from '../../../../infra/definition/config.ts';
import {
  FUNCTION_NAMES,
  ROUTED_FUNCTION_NAMES,
  SCHEDULED_FUNCTION_NAMES,
} from '../../../../infra/definition/function-definitions.ts';
import { ALARM_METRIC_COUNT, COMPOSITE_ALARMS } from '../../../../tools/capacity/store-month.ts';
import { edgeTemplateOf, templateOf } from '../template/synthesise.ts';
import { functionOf, type Resource, resourcesOf, theOne, type Values } from '../template/template.ts';

const alarmsOf = (environment: string) => resourcesOf(templateOf(environment), 'AWS::CloudWatch::Alarm');
const nameOf = ({ properties }: Resource) => String(properties.AlarmName);
const kindOf = ({ properties }: Resource) => /#([a-z-]+)$/.exec(String(properties.AlarmDescription))?.[1];
const runbook = readFileSync('docs/runbook.md', 'utf8');

/** The kinds of alarms that page an operator; all others create a ticket. */
const PAGES = [
  'api-fails',
  'availability-burns',
  'billing-charged-twice',
  'billing-run-late',
  'scheduled-work-missing',
  'sign-in-discovery',
  'token-keys',
];
/** Pages of environments with an edge. */
const PAGES_OF_EDGE = ['edge-refused'];
/** The alarms of environments with an edge or a smoke test. */
const ONLY_IN_PROD = ['edge-bypassed', 'edge-refused', 'smoke-test-undecided'];

/** Whether an alarm is a window of one of these burns. */
function isPart({ id }: Resource, burns: readonly Resource[]): boolean {
  return burns.some(({ properties }) => String(properties.AlarmRule).includes(`{${id}.Arn}`));
}

describe.each(Object.keys(ENVIRONMENTS))('the alarms of %s', (environment) => {
  const alarms = alarmsOf(environment);
  const burns = resourcesOf(templateOf(environment), 'AWS::CloudWatch::CompositeAlarm');

  test('each alarm has actions for the topic of its severity, when it rings and when it ends', () => {
    const reported = new Map<string, Set<string>>([
      ['page', new Set()],
      ['ticket', new Set()],
    ]);
    for (const alarm of [...alarms, ...burns]) {
      const { AlarmActions = [], OKActions = [] } = alarm.properties as Record<string, string[]>;
      expect(OKActions).toEqual(AlarmActions);
      if (isPart(alarm, burns)) expect(AlarmActions).toEqual([]);
      else reported.get(topicOf(AlarmActions))?.add(String(kindOf(alarm)));
    }
    const pages = [...PAGES, ...(environment === 'prod' ? PAGES_OF_EDGE : [])];
    expect(reported.get('page')).toEqual(new Set(pages));
    // No kind is both.
    for (const kind of pages) expect(reported.get('ticket')).not.toContain(kind);
  });

  function topicOf([action, ...others]: readonly string[]): string {
    expect(others).toEqual([]);
    const topic = resourcesOf(templateOf(environment), 'AWS::SNS::Topic').find(
      ({ id }) => action === `{${id}}`,
    );
    return String(topic?.properties.TopicName).replace(`subscriptions-${environment}-`, '');
  }

  test('every function that requests reach has its burns, each over a long and a short window', () => {
    const expected = ROUTED_FUNCTION_NAMES.flatMap((name) => [
      `availability-burns ${name} fast`,
      `availability-burns ${name} slow`,
      `own-time-burns ${name} slow`,
    ]);
    const prefix = `subscriptions-${environment} `;
    expect(burns.map(nameOf).sort()).toEqual(expected.map((name) => prefix + name).sort());
    for (const burn of burns) {
      const parts = alarms.filter((alarm) => isPart(alarm, [burn]));
      const [shorter = 0, longer = 0] = parts.map(periodOf).sort((one, other) => one - other);
      expect([parts.length, longer / shorter]).toEqual([2, 12]);
      expect(String(burn.properties.AlarmRule)).toMatch(/^\(ALARM\(.+\) AND ALARM\(.+\)\)$/);
    }
  });

  test('each alarm has an entry in the runbook, and each entry an alarm where its resource exists', () => {
    const entries = [...runbook.matchAll(/^### (.+)$/gm)]
      .map(([, entry]) => String(entry))
      .filter((entry) => environment === 'prod' || !ONLY_IN_PROD.includes(entry));
    const ofEdge = resourcesOf(edgeTemplateOf('prod'), 'AWS::CloudWatch::Alarm');
    expect([...new Set([...alarms, ...ofEdge].map(kindOf))].sort()).toEqual(entries.sort());
  });

  test('are about every route and every function', () => {
    const names = alarms.map(nameOf).join('\n');
    const template = templateOf(environment);
    for (const { properties } of resourcesOf(template, 'AWS::ApiGatewayV2::Route')) {
      const route = String(properties.RouteKey).split(' ').at(-1);
      expect(names).toContain(`route-fails ${route}`);
      expect(names).toContain(`route-slow ${route}`);
    }
    for (const name of FUNCTION_NAMES) {
      expect(names).toContain(`function-errors ${name}`);
      expect(names).toContain(`function-throttled ${name}`);
    }
  });

  test("count what API Gateway answers in the functions' place", () => {
    const template = templateOf(environment);
    const alarm = alarms.find((one) => kindOf(one) === 'api-fails');
    const queries = alarm?.properties.Metrics as Query[];
    const dimensions = [
      { Name: 'ApiId', Value: `{${theOne(template, 'AWS::ApiGatewayV2::Api').id}}` },
      { Name: 'Stage', Value: theOne(template, 'AWS::ApiGatewayV2::Stage').properties.StageName },
    ];
    const read = queries.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(read).toEqual(
      ['5xx', 'Count'].map((MetricName) => ({
        Namespace: 'AWS/ApiGateway',
        MetricName,
        Dimensions: dimensions,
      })),
    );
  });

  test('ring at any 429 of API Gateway: by its access log, and by the stage, as the log may leave some out', () => {
    const template = templateOf(environment);
    const throttled = alarms.filter((one) => kindOf(one) === 'api-throttles');
    const [byLog, byStage] = throttled;
    const { AccessLogSettings } = theOne(template, 'AWS::ApiGatewayV2::Stage').properties;
    const log = AccessLogSettings as { DestinationArn: string; Format: string };
    expect(JSON.parse(log.Format)).toMatchObject({ status: '$context.status', route: '$context.routeKey' });
    const filters = resourcesOf(template, 'AWS::Logs::MetricFilter').map(({ properties }) => {
      expect(log.DestinationArn).toBe(`${String(properties.LogGroupName).replace('}', '')}.Arn}`);
      const [made] = properties.MetricTransformations as { MetricName: string; MetricNamespace: string }[];
      expect(made?.MetricNamespace).toBe(`subscriptions/${environment}`);
      return [made?.MetricName, properties.FilterPattern];
    });
    // Throttled health checks have a separate metric: no customer waits for them, and anyone could trigger the alarm.
    expect(Object.fromEntries(filters)).toEqual({
      turnedAway: '{ ($.status = "429") && ($.route != "*/healthz") }',
      turnedAwayHealth: '{ ($.status = "429") && ($.route = "*/healthz") }',
    });
    expect(byLog?.properties).toMatchObject({ MetricName: 'turnedAway', Threshold: 1, Period: 60 });
    // The requests that API Gateway counted minus those that invoked a function.
    const queries = byStage?.properties.Metrics as (Query & { Expression?: string })[];
    const read = queries.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? []);
    const reached = ROUTED_FUNCTION_NAMES;
    expect(read).toEqual(['Count', 'turnedAwayHealth', ...reached.map(() => 'Invocations')]);
    const [expression] = queries.flatMap(({ Expression }) => Expression ?? []);
    expect(expression).toMatch(
      /^IF\(FILL\(count, 0\) - FILL\(health, 0\) - .* \/ \(FILL\(count, 0\) - FILL\(health, 0\)\), 0\)$/,
    );
  });

  test("read the service's own metrics where the functions write them", () => {
    const own = alarms.flatMap(namespacesOf).filter((namespace) => !namespace.startsWith('AWS/'));
    expect(new Set(own)).toEqual(new Set([`subscriptions/${environment}`]));
  });
});

test('each entry of the runbook says whether it pages, as its topic does', () => {
  const entries = [...runbook.matchAll(/^### (.+)\n\n_(Page|Ticket)\._ /gm)];
  const descriptions = Object.fromEntries(entries.map(([, kind, reported]) => [kind, reported]));
  for (const template of [templateOf('prod'), edgeTemplateOf('prod')]) {
    const topics = resourcesOf(template, 'AWS::SNS::Topic');
    const types = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];
    for (const alarm of types.flatMap((type) => resourcesOf(template, type))) {
      const [action] = (alarm.properties.AlarmActions ?? []) as string[];
      // The windows of a burn-rate alarm notify no topic.
      if (action === undefined) continue;
      const topic = topics.find(({ id }) => action === `{${id}}`);
      const reported = String(topic?.properties.TopicName).endsWith('-page') ? 'Page' : 'Ticket';
      const kind = String(kindOf(alarm));
      expect([kind, descriptions[kind]]).toEqual([kind, reported]);
    }
  }
});

test('the saved log queries ask for fields that the lines have', () => {
  const template = templateOf('prod');
  const written = globSync([
    'lib/{http,observability,credentials,sign-in,platform}/**/*.ts',
    '{graphql/endpoint,functions/platform-webhooks}/*.ts',
  ])
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  for (const { properties } of resourcesOf(template, 'AWS::Logs::QueryDefinition')) {
    expect(properties.LogGroupNames).toHaveLength(FUNCTION_NAMES.length);
    const fields = String(properties.QueryString)
      .replaceAll(
        /"[^"]*"|@\w+|as \w+|\w+\(|\b(filter|fields|stats|sort|limit|by|and|asc|desc|\d+[dh]?)\b/g,
        ' ',
      )
      .match(/[a-zA-Z]\w+/g);
    const made = [...String(properties.QueryString).matchAll(/as (\w+)/g)].map(([, name]) => name);
    for (const field of fields ?? [])
      if (!made.includes(field)) expect(written).toMatch(new RegExp(`\\b${field}\\b`));
  }
});

test('every alarm that the code logs is counted by one', () => {
  const sources = globSync('{lib,functions,graphql}/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const logged = sources.flatMap((text) =>
    [...text.matchAll(/(?:\balarm: |sessionAlarmFields\()'([^']+)'/g)].map(([, alarm]) => String(alarm)),
  );
  expect([...new Set(logged)].sort()).toEqual(Object.keys(LOGGED_ALARMS).sort());
});

describe('in production', () => {
  const template = templateOf('prod');

  test.each(ROUTED_FUNCTION_NAMES)(
    'a new version of %s has 10 %% for five minutes, and is undone by its alarms',
    (name) => {
      const group = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup').find(
        ({ properties }) => properties.DeploymentGroupName === name,
      );
      expect(group?.properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_FAILURE']),
        },
      });
      const configuration = group?.properties.AlarmConfiguration as { Alarms: { Name: string }[] };
      const alarms = configuration.Alarms.map(({ Name }) =>
        alarmsOf('prod').find(({ id }) => Name === `{${id}}`),
      );
      expect(alarms.map((alarm) => alarm && kindOf(alarm))).toContain('route-fails');
      expect(alarms.map((alarm) => alarm && nameOf(alarm))).toContain(
        `subscriptions-prod function-errors ${name}`,
      );
      // Anyone can trigger that alarm: docs/decisions/0135.
      expect(alarms.map((alarm) => alarm && kindOf(alarm))).not.toContain('route-unavailable');
      const alias = resourcesOf(template, 'AWS::Lambda::Alias').find(
        ({ properties }) => properties.FunctionName === `{${functionOf(template, name).id}}`,
      );
      expect(alias?.resource.UpdatePolicy).toMatchObject({
        CodeDeployLambdaAliasUpdate: {
          BeforeAllowTrafficHook: `{${functionOf(template, 'smoke-test').id}}`,
        },
      });
      // CodeDeploy takes no more.
      expect(alarms.length).toBeLessThanOrEqual(10);
    },
  );

  test('the alarms that undo a deploy ring within the five minutes of the canary', () => {
    for (const alarm of alarmsOf('prod')) {
      if (!['route-fails', 'function-errors'].includes(String(kindOf(alarm)))) continue;
      if (SCHEDULED_FUNCTION_NAMES.some((name) => nameOf(alarm).endsWith(` ${name}`))) continue;
      const { EvaluationPeriods } = alarm.properties;
      expect(periodOf(alarm) * Number(EvaluationPeriods)).toBeLessThanOrEqual(3 * 60);
    }
  });

  test('instances near their limit ring, for each function and for the account', () => {
    const near = alarmsOf('prod').filter((alarm) => kindOf(alarm) === 'concurrency-near-limit');
    expect(near).toHaveLength(FUNCTION_NAMES.length + 1);
    for (const name of FUNCTION_NAMES) {
      const { ReservedConcurrentExecutions: reserved } = functionOf(template, name).properties;
      const alarm = near.find((one) => nameOf(one).endsWith(name));
      expect(alarm?.properties.Threshold).toBeLessThanOrEqual(Number(reserved));
    }
  });
});

type Query = {
  readonly MetricStat?: { readonly Metric: Values; readonly Period: number; readonly Stat: string };
};

function namespacesOf({ properties }: Resource): string[] {
  const queries = (properties.Metrics ?? []) as Query[];
  const stated = queries.flatMap(({ MetricStat }) => MetricStat?.Metric.Namespace ?? []);
  return [properties.Namespace ?? [], ...stated].flat().map(String);
}

function periodOf({ properties }: Resource): number {
  const queries = (properties.Metrics ?? []) as Query[];
  return Number(properties.Period ?? queries.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period);
}

test('docs/costs.md counts about the metrics of all alarms; those of a query it counts by store', () => {
  const counted = alarmsOf('prod').map(({ properties }) => {
    const queries = (properties.Metrics ?? []) as Query[];
    return properties.MetricName ? 1 : queries.filter(({ MetricStat }) => MetricStat).length;
  });
  const sum = counted.reduce((all, one) => all + one, 0);
  expect(Math.abs(sum - ALARM_METRIC_COUNT)).toBeLessThan(0.1 * ALARM_METRIC_COUNT);
  expect(resourcesOf(templateOf('prod'), 'AWS::CloudWatch::CompositeAlarm')).toHaveLength(COMPOSITE_ALARMS);
});

describe('a burn', () => {
  const windows = (name: string) => {
    const found = alarmsOf('prod').filter((alarm) => nameOf(alarm).startsWith(`subscriptions-prod ${name},`));
    return found.sort((one, other) => periodOf(other) - periodOf(one));
  };
  type Counts = Readonly<Record<string, number>>;
  const none = { spent: 0, evaluated: 0, crashed: 0, turnedAway: 0 };
  /** Whether both windows ring, with these counts in the long and in the short one. */
  const rings = (name: string, long: Partial<Counts>, short: Partial<Counts>) =>
    windows(name).every(
      (alarm, at) => shareIn(alarm, { ...none, ...(at === 0 ? long : short) }) >= thresholdOf(alarm),
    );
  const fast = 'availability-burns customer-graphql fast';

  test.each<[string, Partial<Counts>, Partial<Counts>, boolean]>([
    ['nothing at all', {}, {}, false],
    [
      'three requests at night, all of which fail',
      { spent: 3, evaluated: 3 },
      { spent: 3, evaluated: 3 },
      false,
    ],
    ['every request of a quiet hour', { spent: 12, evaluated: 12 }, { spent: 3, evaluated: 3 }, true],
    ['1.5 % of many', { spent: 1500, evaluated: 100_000 }, { spent: 150, evaluated: 10_000 }, true],
    ['1.4 % of many', { spent: 1400, evaluated: 100_000 }, { spent: 150, evaluated: 10_000 }, false],
    ['trouble that is over', { spent: 5000, evaluated: 100_000 }, { spent: 0, evaluated: 10_000 }, false],
    ['a function that crashes before it writes a line', { crashed: 50 }, { crashed: 9 }, true],
    [
      'instances that are lacking',
      { turnedAway: 900, evaluated: 20_000 },
      { turnedAway: 90, evaluated: 900 },
      true,
    ],
  ])('%s', (_what, long, short, expected) => {
    expect(rings(fast, long, short)).toBe(expected);
  });

  test('rings the slow alarm alone at a sixth of a percent point', () => {
    const long = { spent: 700, evaluated: 100_000 };
    expect(rings(fast, long, long)).toBe(false);
    expect(rings(fast.replace('fast', 'slow'), long, long)).toBe(true);
  });
});

describe('edge-refused', () => {
  const [alarm, ...others] = alarmsOf('prod').filter((one) => kindOf(one) === 'edge-refused');
  const none = { refused: 0, headless_auth: 0, customer_graphql: 0, admin_graphql: 0, platform_webhooks: 0 };

  test.each<[string, Partial<typeof none>, boolean]>([
    ['nothing at all', {}, false],
    ['nothing but what is answered', { customer_graphql: 500 }, false],
    ['every request, but few', { refused: 19 }, false],
    ['every request', { refused: 20 }, true],
    ['every request, but for what an instance of old still took', { refused: 990, admin_graphql: 10 }, true],
    ['a stranger who knocks beside the traffic', { refused: 5000, customer_graphql: 60 }, false],
    ['a stranger beside the sign-ins', { refused: 90, headless_auth: 1 }, false],
    ['a stranger beside one merchant', { refused: 90, admin_graphql: 1 }, false],
  ])('%s', (_what, counts, expected) => {
    expect(others).toEqual([]);
    expect(alarm && shareIn(alarm, { ...none, ...counts }) >= thresholdOf(alarm)).toBe(expected);
  });

  test('reads what the functions refuse and answer', () => {
    const queries = (alarm?.properties.Metrics ?? []) as (Query & { readonly Id: string })[];
    const read = queries.flatMap(({ Id, MetricStat }) => {
      if (MetricStat === undefined) return [];
      const { MetricName, Dimensions } = MetricStat.Metric;
      const [dimension] = Dimensions as { Name: string; Value: string }[];
      return [[Id, MetricName, dimension?.Name, dimension?.Value, MetricStat.Stat]];
    });
    expect(read).toEqual([
      ['refused', 'alarms', 'alarm', 'not_from_edge', 'Sum'],
      ['headless_auth', 'failed', 'service', 'headless-auth', 'SampleCount'],
      ['customer_graphql', 'failed', 'service', 'customer-graphql', 'SampleCount'],
      ['admin_graphql', 'failed', 'service', 'admin-graphql', 'SampleCount'],
      ['platform_webhooks', 'failed', 'service', 'platform-webhooks', 'SampleCount'],
    ]);
  });
});

test('only an environment with an edge, or with a smoke test, has the alarms of it', () => {
  const metrics = createServiceMetrics('subscriptions/prod');
  const { config } = readEnvironmentConfig('prod');
  const kinds = (one: typeof config) =>
    defineEventAlarms(metrics, one)
      .map(({ kind }) => kind)
      .filter((kind) => ONLY_IN_PROD.includes(kind));
  const { edge: _, ...withoutEdge } = config;
  expect(kinds(config).sort()).toEqual(ONLY_IN_PROD);
  expect(kinds(withoutEdge)).toEqual(['smoke-test-undecided']);
  expect(kinds({ ...config, production: false }).sort()).toEqual(['edge-bypassed', 'edge-refused']);
  expect(kinds({ ...withoutEdge, production: false })).toEqual([]);
});

function thresholdOf({ properties }: Resource): number {
  return Number(properties.Threshold);
}

/** The alarm's expression, with CloudWatch's IF and FILL. */
function shareIn({ properties }: Resource, counts: Readonly<Record<string, number>>): number {
  const queries = properties.Metrics as readonly Readonly<Record<string, unknown>>[];
  const text = String(queries.find(({ Expression }) => Expression !== undefined)?.Expression);
  const [, condition, share] = /^IF\((.+), (100 \* .+), 0\)$/.exec(text) ?? [];
  const arithmetic = (part: string | undefined) =>
    String(part).replaceAll(/FILL\((\w+), 0\)/g, (_, name) => String(counts[name]));
  expect(arithmetic(`${condition}${share}`)).toMatch(/^[\d+*/()>= ]+$/);
  const evaluate = (part: string | undefined) => new Function(`return ${arithmetic(part)}`)();
  return evaluate(condition) ? evaluate(share) : 0;
}
