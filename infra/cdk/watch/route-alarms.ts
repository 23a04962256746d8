/** Alarms of each route: it fails, a dependency makes it unavailable, or it is slow. */
import { Duration } from 'aws-cdk-lib';
import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { RoutedFunctionName } from '../../definition/function-definitions.ts';
import type { AlarmDefinition } from './create-alarms.ts';
import { createPercentageOf, type ServiceMetrics } from './service-metrics.ts';

/** A path of infra/definition/routes.ts, or `$default`, and the function behind it. */
export type AlarmedRoute = { readonly path: string; readonly function: RoutedFunctionName };

const ONE_MINUTE = Duration.minutes(1);
const FAILED_PERCENT = 2;
const MIN_FAILED_REQUESTS = 3;
const API_FAILED_PERCENT = 5;
/** The alarm pages, and a few requests at night must not trigger it. */
const MIN_FAILED_API_REQUESTS = 20;
const UNAVAILABLE_PERCENT = 20;
const MIN_UNAVAILABLE_RESPONSES = 10;
/** Limits for the 99th percentile: the platform takes most of a request's time and may be slow under load. */
const MAX_P99_MS_BY_FUNCTION: Readonly<Record<RoutedFunctionName, number>> = {
  'headless-auth': 4000,
  'customer-graphql': 8000,
  'admin-graphql': 12_000,
  // The platform waits five seconds for the response.
  'platform-webhooks': 2000,
};

/** Evaluated minute by minute, so that a bad version is noticed within the five minutes of its canary. */
export function defineFailureAlarms(
  metrics: ServiceMetrics,
  routes: readonly AlarmedRoute[],
): AlarmDefinition[] {
  return routes.map(({ path: route, function: functionName }) => ({
    kind: 'route-fails',
    severity: 'ticket',
    subject: route,
    rolledBackFunction: functionName,
    meaning: `${FAILED_PERCENT} % or more of the answers on ${route} are 5xx by a fault of ours.`,
    metric: createPercentageOf(
      metrics.requests({ route, outcome: 'failed' }).with({ period: ONE_MINUTE }),
      metrics.requests({ route }).with({ period: ONE_MINUTE }),
      MIN_FAILED_REQUESTS,
    ),
    threshold: FAILED_PERCENT,
    periods: [2, 3],
  }));
}

/** The alarm rolls back no deploy: an earlier version does not fix what the platform, a store or its callers cause. */
export function defineUnavailableAlarms(
  metrics: ServiceMetrics,
  routes: readonly AlarmedRoute[],
): AlarmDefinition[] {
  return routes.map(({ path: route }) => ({
    kind: 'route-unavailable',
    severity: 'ticket',
    subject: route,
    meaning: `${UNAVAILABLE_PERCENT} % or more of the answers on ${route} are 5xx that others cause: the platform, or a store.`,
    metric: createPercentageOf(
      metrics.requests({ route, outcome: 'unavailable' }),
      metrics.requests({ route }),
      MIN_UNAVAILABLE_RESPONSES,
    ),
    threshold: UNAVAILABLE_PERCENT,
    periods: [2, 3],
  }));
}

/**
 * Watches the share of 5xx among all responses of the API, as API Gateway counts them: those of the functions, and its own
 * when it cannot invoke a function or a function times out. The alarm rolls back no deploy, because it also counts errors
 * that others cause.
 */
export function defineApiFailureAlarm(stage: HttpStage): AlarmDefinition {
  const countMetric = (metricName: string) => stage.metric(metricName, { statistic: 'Sum' });
  return {
    kind: 'api-fails',
    severity: 'page',
    meaning: `${API_FAILED_PERCENT} % or more of all answers are 5xx, as API Gateway counts them.`,
    metric: createPercentageOf(countMetric('5xx'), countMetric('Count'), MIN_FAILED_API_REQUESTS),
    threshold: API_FAILED_PERCENT,
    periods: [2, 3],
  };
}

export function defineLatencyAlarms(
  metrics: ServiceMetrics,
  routes: readonly AlarmedRoute[],
): AlarmDefinition[] {
  return routes.map(({ path: route, function: functionName }) => ({
    kind: 'route-slow',
    severity: 'ticket',
    subject: route,
    meaning: `One request in a hundred on ${route} takes ${MAX_P99_MS_BY_FUNCTION[functionName] / 1000} s or more.`,
    metric: metrics.requests({ route }, 'p99'),
    threshold: MAX_P99_MS_BY_FUNCTION[functionName],
    periods: [3, 3],
  }));
}
