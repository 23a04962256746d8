/**
 * The alarm for an edge whose secret the functions do not know: they answer every request with 403, which no failure
 * rate shows. Refused requests alone must not page, because any caller who knows the origin's name can cause them. So
 * the alarm needs nearly no accepted requests at the same time; a caller can only cause that while there is no traffic.
 */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { ROUTED_FUNCTION_NAMES } from '../../definition/function-definitions.ts';
import type { AlarmDefinition } from './create-alarms.ts';
import type { ServiceMetrics } from './service-metrics.ts';

const REFUSED_PERCENT = 99;
const MIN_REFUSED_REQUESTS = 20;

/** Refused requests as a percentage of refused and accepted requests, over two periods of five minutes. */
export function defineEdgeRefusedAlarm(metrics: ServiceMetrics): AlarmDefinition {
  const refusedRequests = metrics.alarms('not_from_edge');
  // The objectives record one sample for each request that was accepted, and none for a refused request.
  const acceptedByFunction = Object.fromEntries(
    ROUTED_FUNCTION_NAMES.map((name) => [
      name.replaceAll('-', '_'),
      metrics.evaluated(name, 'failed', 'SampleCount'),
    ]),
  );
  const requestCountExpression = ['refused', ...Object.keys(acceptedByFunction)]
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return {
    kind: 'edge-refused',
    severity: 'page',
    meaning: `${REFUSED_PERCENT} % or more of all requests are refused: the edge sends another secret than the functions know.`,
    metric: new MathExpression({
      expression: `IF(FILL(refused, 0) >= ${MIN_REFUSED_REQUESTS}, 100 * FILL(refused, 0) / (${requestCountExpression}), 0)`,
      usingMetrics: { refused: refusedRequests, ...acceptedByFunction },
      period: refusedRequests.period,
      label: '%',
    }),
    threshold: REFUSED_PERCENT,
    periods: [2, 2],
  };
}
