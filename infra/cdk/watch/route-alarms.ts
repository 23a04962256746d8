/** Alarms of each route: it fails, others keep it from answering, or it is slow. */
import { Duration } from 'aws-cdk-lib';
import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { RoutedFunctionName } from '../../definition/function-definitions.ts';
import type { AlarmDefinition } from './create-alarms.ts';
import { type ServiceMetrics, share } from './service-metrics.ts';

/** A path of infra/definition/routes.ts, or `$default`, and the function behind it. */
export type AlarmedRoute = { readonly path: string; readonly function: RoutedFunctionName };

const ONE_MINUTE = Duration.minutes(1);
const FAILED_PERCENT = 2;
const MIN_FAILED = 3;
const API_FAILED_PERCENT = 5;
/** It pages, and a few requests at night shall not. */
const MIN_API_FAILED = 20;
const UNAVAILABLE_PERCENT = 20;
const MIN_UNAVAILABLE = 10;
/** The 99th percentile: most of a request's time is the platform's, which may take its time under load. */
const SLOW_MS: Readonly<Record<RoutedFunctionName, number>> = {
  'headless-auth': 4000,
  'customer-graphql': 8000,
  'admin-graphql': 12_000,
  // The platform waits five seconds, and takes nothing longer for an answer.
  'platform-webhooks': 2000,
};

/** Minute by minute, so that a bad version is noticed within the five minutes of its canary. */
export function failureAlarms(metrics: ServiceMetrics, routes: readonly AlarmedRoute[]): AlarmDefinition[] {
  return routes.map(({ path: route, function: undoes }) => ({
    kind: 'route-fails',
    severity: 'ticket',
    of: route,
    undoes,
    meaning: `${FAILED_PERCENT} % or more of the answers on ${route} are 5xx by a fault of ours.`,
    metric: share(
      metrics.requests({ route, outcome: 'failed' }).with({ period: ONE_MINUTE }),
      metrics.requests({ route }).with({ period: ONE_MINUTE }),
      MIN_FAILED,
    ),
    threshold: FAILED_PERCENT,
    periods: [2, 3],
  }));
}

/** No deploy is undone by it: what the platform, a store or its callers bring about, no old version mends. */
export function unavailableAlarms(
  metrics: ServiceMetrics,
  routes: readonly AlarmedRoute[],
): AlarmDefinition[] {
  return routes.map(({ path: route }) => ({
    kind: 'route-unavailable',
    severity: 'ticket',
    of: route,
    meaning: `${UNAVAILABLE_PERCENT} % or more of the answers on ${route} are 5xx that others cause: the platform, or a store.`,
    metric: share(
      metrics.requests({ route, outcome: 'unavailable' }),
      metrics.requests({ route }),
      MIN_UNAVAILABLE,
    ),
    threshold: UNAVAILABLE_PERCENT,
    periods: [2, 3],
  }));
}

/**
 * Counted by API Gateway: also what it answers itself, because it cannot call a function or a function does not come back.
 * No deploy is undone by it: it counts what others cause, too.
 */
export function gatewayAlarm(stage: HttpStage): AlarmDefinition {
  const counted = (metricName: string) => stage.metric(metricName, { statistic: 'Sum' });
  return {
    kind: 'api-fails',
    severity: 'page',
    meaning: `${API_FAILED_PERCENT} % or more of all answers are 5xx, as API Gateway counts them.`,
    metric: share(counted('5xx'), counted('Count'), MIN_API_FAILED),
    threshold: API_FAILED_PERCENT,
    periods: [2, 3],
  };
}

export function latencyAlarms(metrics: ServiceMetrics, routes: readonly AlarmedRoute[]): AlarmDefinition[] {
  return routes.map(({ path: route, function: name }) => ({
    kind: 'route-slow',
    severity: 'ticket',
    of: route,
    meaning: `One request in a hundred on ${route} takes ${SLOW_MS[name] / 1000} s or more.`,
    metric: metrics.requests({ route }, 'p99'),
    threshold: SLOW_MS[name],
    periods: [3, 3],
  }));
}
