/** One dashboard that shows what the alarms watch, and what customers do. */
import { Aws, Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { EXCHANGE_PATH } from '../../definition/routes.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { AlarmedRoute } from './route-alarms.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export type DashboardInput = {
  readonly environmentName: string;
  readonly metrics: ServiceMetrics;
  readonly routes: readonly AlarmedRoute[];
  readonly functions: readonly ServiceFunction[];
  readonly tableName: string;
  readonly alarms: readonly AlarmBase[];
  /** The functions that requests reach; the objectives apply to these. */
  readonly requestFunctions: readonly ServiceFunction[];
};

const REQUEST_OUTCOMES = ['ok', 'refused', 'throttled', 'unavailable', 'failed'] as const;
/** The contract changes that customers make with the service's own operations. */
const CUSTOMER_ACTIONS = ['skip', 'unskip', 'pause', 'resume', 'cancel'];

/** Creates the dashboard and returns the address of its page. */
export function createDashboard(scope: Construct, input: DashboardInput): string {
  const { environmentName, metrics, routes, functions, tableName, alarms, requestFunctions } = input;
  const dashboardName = `subscriptions-${environmentName}`;
  new Dashboard(scope, 'Dashboard', {
    dashboardName,
    defaultInterval: Duration.days(1),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 6 })],
      [
        createGraph(
          'Failed by us, share (objective: 0.001)',
          requestFunctions.map(({ name }) =>
            metrics.evaluated(name, 'failed', 'Average').with({ label: name }),
          ),
        ),
        createGraph(
          'Slow by us, share (objective: 0.01)',
          requestFunctions.map(({ name }) =>
            metrics.evaluated(name, 'slow', 'Average').with({ label: name }),
          ),
        ),
        createGraph(
          'Our own time, 99th percentile (ms)',
          requestFunctions.map(({ name }) => metrics.evaluated(name, 'ownMs', 'p99').with({ label: name })),
        ),
      ],
      [
        createGraph(
          'Requests',
          routes.map(({ path }) => metrics.requests({ route: path }).with({ label: path })),
        ),
        createGraph(
          'Answers with 5xx: ours, and by others',
          routes.flatMap(({ path }) =>
            (['failed', 'unavailable'] as const).map((outcome) =>
              metrics.requests({ route: path, outcome }).with({ label: `${path} ${outcome}` }),
            ),
          ),
        ),
        createGraph(
          'Duration, 99th percentile (ms)',
          routes.map(({ path }) => metrics.requests({ route: path }, 'p99').with({ label: path })),
        ),
      ],
      [
        createGraph(
          'Sign-ins',
          REQUEST_OUTCOMES.map((outcome) =>
            metrics.requests({ route: EXCHANGE_PATH, outcome }).with({ label: outcome }),
          ),
        ),
        createGraph(
          'What customers do',
          CUSTOMER_ACTIONS.map((action) => metrics.customerChanges(action).with({ label: action })),
        ),
        createGraph('Throttled share by store', [metrics.throttledShares()]),
      ],
      [
        createGraph('Billing: runs', [
          metrics.billing('billingRunsStarted').with({ label: 'started' }),
          metrics.billing('billingRunsDone').with({ label: 'done' }),
          metrics.alarms('billing_run_on_hold').with({ label: 'put on hold' }),
        ]),
        createGraph('Billing: orders of the runs that are done', [
          metrics.billing('ordersCharged').with({ label: 'charged' }),
          metrics.billing('ordersDeclined').with({ label: 'declined' }),
          metrics.billing('ordersReported').with({ label: 'reported' }),
        ]),
      ],
      [
        createGraph(
          'Instances at work',
          functions.map(({ name, lambda }) =>
            lambda.metric('ConcurrentExecutions', { statistic: 'Maximum', label: name }),
          ),
        ),
        createGraph(
          'Function errors',
          functions.map(({ name, lambda }) => lambda.metricErrors({ statistic: 'Sum', label: name })),
        ),
        createGraph(
          'Table: units used',
          ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map(
            (metricName) =>
              new Metric({
                namespace: 'AWS/DynamoDB',
                metricName,
                dimensionsMap: { TableName: tableName },
                statistic: 'Sum',
              }),
          ),
        ),
      ],
    ],
  });
  return `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${dashboardName}`;
}

function createGraph(title: string, left: readonly IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: [...left], width: 8, height: 6 });
}
