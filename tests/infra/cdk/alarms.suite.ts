/** Alarms ring where somebody hears them, about things that exist, and each has its entry in the runbook. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loggedAlarms } from '../../../infra/cdk/watch/event-alarms.ts';
import { environments } from '../../../infra/definition/config.ts';
import { functionNames } from '../../../infra/definition/function-definitions.ts';
import { ALARM_METRICS } from '../../../infra/tools/costs/store-month.ts';
import { edgeTemplateOf, templateOf } from './synthesise.ts';
import { functionOf, type Resource, resourcesOf, theOne, type Values } from './template.ts';

const alarmsOf = (environment: string) => resourcesOf(templateOf(environment), 'AWS::CloudWatch::Alarm');
const nameOf = ({ properties }: Resource) => String(properties.AlarmName);
const kindOf = ({ properties }: Resource) => /#([a-z-]+)$/.exec(String(properties.AlarmDescription))?.[1];
const runbook = readFileSync('docs/runbook.md', 'utf8');

describe.each(Object.keys(environments))('the alarms of %s', (environment) => {
  const alarms = alarmsOf(environment);

  test('all tell the one topic, when they ring and when they end', () => {
    const topic = `{${theOne(templateOf(environment), 'AWS::SNS::Topic').id}}`;
    for (const { properties } of alarms) {
      expect(properties).toMatchObject({ AlarmActions: [topic], OKActions: [topic] });
    }
  });

  test('each has an entry in the runbook, and each entry an alarm', () => {
    const entries = [...runbook.matchAll(/^### (.+)$/gm)].map(([, entry]) => entry);
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
    for (const name of functionNames) {
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
    const filter = theOne(template, 'AWS::Logs::MetricFilter').properties;
    const { AccessLogSettings } = theOne(template, 'AWS::ApiGatewayV2::Stage').properties;
    const log = AccessLogSettings as { DestinationArn: string; Format: string };
    expect(log.DestinationArn).toBe(`${String(filter.LogGroupName).replace('}', '')}.Arn}`);
    expect(JSON.parse(log.Format)).toMatchObject({ status: '$context.status' });
    expect(filter.FilterPattern).toBe('{ $.status = "429" }');
    const [made] = filter.MetricTransformations as { MetricName: string; MetricNamespace: string }[];
    expect(byLog?.properties).toMatchObject({
      MetricName: made?.MetricName,
      Namespace: made?.MetricNamespace,
      Threshold: 1,
      Period: 60,
    });
    // What API Gateway counted, and no function was called for.
    const queries = byStage?.properties.Metrics as Query[];
    const read = queries.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? []);
    const reached = functionNames.filter((name) => name !== 'scheduled-work');
    expect(read).toEqual(['Count', ...reached.map(() => 'Invocations')]);
  });

  test("read the service's own metrics where the functions write them", () => {
    const own = alarms.flatMap(namespacesOf).filter((namespace) => !namespace.startsWith('AWS/'));
    expect(new Set(own)).toEqual(new Set([`subscriptions/${environment}`]));
  });
});

test('the saved log queries ask for fields that the lines have', () => {
  const template = templateOf('prod');
  const written = globSync('lib/{http,observability,credentials,sign-in,platform}/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  for (const { properties } of resourcesOf(template, 'AWS::Logs::QueryDefinition')) {
    expect(properties.LogGroupNames).toHaveLength(functionNames.length);
    const fields = String(properties.QueryString)
      .replaceAll(/"[^"]*"|@\w+|as \w+|\w+\(|\b(filter|fields|stats|sort|limit|by|and|desc|\d+[dh]?)\b/g, ' ')
      .match(/[a-zA-Z]\w+/g);
    const made = [...String(properties.QueryString).matchAll(/as (\w+)/g)].map(([, name]) => name);
    for (const field of fields ?? [])
      if (!made.includes(field)) expect(written).toMatch(new RegExp(`\\b${field}\\b`));
  }
});

test('every alarm that the code logs is counted by one', () => {
  const sources = globSync('{lib,functions,graphql}/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const logged = sources.flatMap((text) =>
    [...text.matchAll(/(?:\balarm: |alarmOf\()'([^']+)'/g)].map(([, alarm]) => String(alarm)),
  );
  expect([...new Set(logged)].sort()).toEqual(Object.keys(loggedAlarms).sort());
});

describe('in production', () => {
  const template = templateOf('prod');

  test.each(functionNames.filter((name) => name !== 'scheduled-work'))(
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
      // Anybody can bring that about: docs/decisions/0135.
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
      if (nameOf(alarm).endsWith(' scheduled-work')) continue;
      const { EvaluationPeriods } = alarm.properties;
      expect(periodOf(alarm) * Number(EvaluationPeriods)).toBeLessThanOrEqual(3 * 60);
    }
  });

  test('instances near their limit ring, for each function and for the account', () => {
    const near = alarmsOf('prod').filter((alarm) => kindOf(alarm) === 'concurrency-near-limit');
    expect(near).toHaveLength(functionNames.length + 1);
    for (const name of functionNames) {
      const { ReservedConcurrentExecutions: reserved } = functionOf(template, name).properties;
      const alarm = near.find((one) => nameOf(one).endsWith(name));
      expect(alarm?.properties.Threshold).toBeLessThanOrEqual(Number(reserved));
    }
  });
});

type Query = { readonly MetricStat?: { readonly Metric: Values; readonly Period: number } };

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
  expect(Math.abs(sum - ALARM_METRICS)).toBeLessThan(0.1 * ALARM_METRICS);
});
