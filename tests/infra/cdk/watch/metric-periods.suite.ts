/**
 * Checks that each alarm can fire: its metric exists, and has a value at least as often as the alarm needs data points.
 * The tables contain the minutes between two values during a failure. NEVER_AGAIN: each value is a separate failure.
 */
import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENTS } from '../../../../infra/definition/config.ts';
import { INTERVAL_MINUTES } from '../../../../infra/definition/timetable.ts';
import * as groups from '../../../../lib/observability/metrics.ts';
import { templateOf } from '../template/synthesise.ts';
import { type Resource, resourcesOf, type Values } from '../template/template.ts';

const NEVER_AGAIN = Number.POSITIVE_INFINITY;
/** While requests come. That few of them ring nothing is each alarm's own choice. */
const EVERY_MINUTE = 1;
const own: Readonly<Record<string, number>> = {
  durationMs: EVERY_MINUTE,
  throttled: EVERY_MINUTE,
  failed: EVERY_MINUTE,
  slow: EVERY_MINUTE,
  alarms: NEVER_AGAIN,
  intentsOpenOverAnHour: INTERVAL_MINUTES['scheduled-work'],
  turnedAway: EVERY_MINUTE,
  turnedAwayHealth: EVERY_MINUTE,
};
const ofAws: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda': ['Errors', 'Throttles', 'ConcurrentExecutions', 'Invocations'],
  'AWS/DynamoDB': ['ReadThrottleEvents', 'WriteThrottleEvents', 'SystemErrors'],
  'AWS/ApiGateway': ['5xx', 'Count'],
};

type Read = {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly periodMinutes: number;
};

function frequencyOf({ namespace, name, dimensions }: Read): number {
  // An edge with a wrong secret has each request refused, and each refusal counts.
  if (name === 'alarms' && dimensions.alarm === 'not_from_edge') return EVERY_MINUTE;
  const known = ofAws[namespace] === undefined ? own[name] : undefined;
  if (known !== undefined) return known;
  if (!ofAws[namespace]?.includes(name)) throw new Error(`Nobody says how often ${name} comes.`);
  return dimensions.FunctionName?.includes('scheduledwork')
    ? INTERVAL_MINUTES['scheduled-work']
    : EVERY_MINUTE;
}

describe.each(Object.keys(ENVIRONMENTS))('in %s', (environment) => {
  const alarms = resourcesOf(templateOf(environment), 'AWS::CloudWatch::Alarm').map(
    (alarm) => [String(alarm.properties.AlarmName), alarm] as const,
  );

  test.each(alarms)('%s can ring, and goes on ringing while the trouble lasts', (_name, alarm) => {
    const { EvaluationPeriods: of, DatapointsToAlarm: beyond } = alarm.properties;
    const metrics = metricsOf(alarm);
    expect(metrics).not.toEqual([]);
    for (const metric of metrics) {
      const every = frequencyOf(metric);
      const worst = Math.max(1, Math.floor((metric.periodMinutes * Number(of)) / every));
      expect(Number(beyond)).toBeLessThanOrEqual(worst);
      if (every !== NEVER_AGAIN) expect(metric.periodMinutes).toBeGreaterThanOrEqual(every);
    }
  });

  test.each(alarms)('%s reads metrics by dimensions that are written', (_name, alarm) => {
    for (const { namespace, name, dimensions } of metricsOf(alarm)) {
      // Counted in API Gateway's log, so no log line of the service contains it.
      if (namespace in ofAws || name.startsWith('turnedAway')) continue;
      const written = Object.values(groups)
        .filter((group) => typeof group === 'object' && name in group.metrics)
        .flatMap((group) => (group as groups.MetricGroup).dimensions.map((names) => [...names].sort()));
      expect(written).toContainEqual(Object.keys(dimensions).sort());
    }
  });
});

/** Every metric that an alarm reads, by itself, in a sum or by a query of Metrics Insights. */
function metricsOf({ properties }: Resource): Read[] {
  if (properties.MetricName !== undefined) return [read(properties, Number(properties.Period))];
  const queries = properties.Metrics as Values[];
  return queries.flatMap(({ MetricStat: stat, Expression: text, Period }): Read[] => {
    if (stat !== undefined) {
      const { Metric, Period: seconds } = stat as { Metric: Values; Period: number };
      return [read(Metric, seconds)];
    }
    const insights = /^SELECT \w+\((\w+)\) FROM SCHEMA\("([^"]+)", (\w+)\)/.exec(String(text));
    if (insights === null) return [];
    const [, name = '', namespace = '', dimension = ''] = insights;
    return [{ namespace, name, dimensions: { [dimension]: 'each' }, periodMinutes: Number(Period) / 60 }];
  });
}

function read(metric: Values, periodSeconds: number): Read {
  const dimensions = (metric.Dimensions ?? []) as { Name: string; Value: string }[];
  return {
    namespace: String(metric.Namespace),
    name: String(metric.MetricName),
    dimensions: Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value])),
    periodMinutes: periodSeconds / 60,
  };
}
