/**
 * The alarm of an edge that sends a secret which the functions do not know: they answer everybody 403, which no share of
 * failures tells. Refusals alone page nobody, as whoever knows the origin's name can bring them about; that nearly nothing
 * is answered beside them, only where there is no traffic.
 */
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { routedFunctions } from '../../definition/function-definitions.ts';
import type { AlarmDefinition } from './create-alarms.ts';
import type { ServiceMetrics } from './service-metrics.ts';

const REFUSED_PERCENT = 99;
const MIN_REFUSED = 20;

/** Percentage of the requests refused past the edge, in these and those that the functions answered; two periods of five minutes. */
export function edgeRefusedAlarm(metrics: ServiceMetrics): AlarmDefinition {
  const refused = metrics.alarms('not_from_edge');
  // The objectives judge each request that was answered or failed, and none that was refused: so many samples.
  const answered = Object.fromEntries(
    routedFunctions.map((name) => [
      name.replaceAll('-', '_'),
      metrics.evaluated(name, 'failed', 'SampleCount'),
    ]),
  );
  const all = ['refused', ...Object.keys(answered)].map((name) => `FILL(${name}, 0)`).join(' + ');
  return {
    kind: 'edge-refused',
    severity: 'page',
    meaning: `${REFUSED_PERCENT} % or more of all requests are refused: the edge sends another secret than the functions know.`,
    metric: new MathExpression({
      expression: `IF(FILL(refused, 0) >= ${MIN_REFUSED}, 100 * FILL(refused, 0) / (${all}), 0)`,
      usingMetrics: { refused, ...answered },
      period: refused.period,
      label: '%',
    }),
    threshold: REFUSED_PERCENT,
    periods: [2, 2],
  };
}
