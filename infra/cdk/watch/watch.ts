/**
 * Everything that watches a running environment: alarms, their topics, the dashboard; in production also the gradual
 * rollout of new versions (a canary of CodeDeploy).
 */

import type { Stack } from 'aws-cdk-lib';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { isScheduledFunction } from '../../definition/function-definitions.ts';
import { DEFAULT_FUNCTION, listEnvironmentRoutes } from '../../definition/routes.ts';
import type { DeployedEnvironment } from '../constructs/deploy-options.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { ServiceApi } from '../constructs/http-api.ts';
import { createSmokeTest } from '../constructs/smoke-test.ts';
import type { ServiceTable } from '../constructs/table.ts';
import { createAlarmTopics } from './alarm-topics.ts';
import { createBurnAlarms } from './burn-alarms.ts';
import { createCanary } from './canary.ts';
import { createAlarms } from './create-alarms.ts';
import { createDashboard } from './dashboard.ts';
import { defineEventAlarms } from './event-alarms.ts';
import {
  defineConcurrencyAlarms,
  defineErrorAlarms,
  defineScheduleAlarms,
  defineThrottledInvocationAlarms,
} from './function-alarms.ts';
import { createLogQueries } from './log-queries.ts';
import {
  type AlarmedRoute,
  defineApiFailureAlarm,
  defineFailureAlarms,
  defineLatencyAlarms,
  defineUnavailableAlarms,
} from './route-alarms.ts';
import { createServiceMetrics } from './service-metrics.ts';
import { defineTableAlarms } from './table-alarms.ts';
import { defineThrottleAlarms } from './throttle-alarms.ts';

export type WatchInput = {
  readonly environment: DeployedEnvironment;
  readonly api: Pick<ServiceApi, 'stage' | 'accessLog'>;
  readonly functions: readonly ServiceFunction[];
  readonly table: ServiceTable;
  /** The folder with the bundle of the function that tries new versions. */
  readonly smokeTestDir: string;
};
export type WatchOutputs = {
  readonly pageTopicArn: string;
  readonly ticketTopicArn: string;
  readonly dashboardUrl: string;
};

/**
 * Creates the alarms and the dashboard of an environment. In production, failures and crashes after a deploy roll it
 * back.
 */
export function watchEnvironment(
  stack: Stack,
  { environment, api, functions, table, smokeTestDir }: WatchInput,
): WatchOutputs {
  const { name: environmentName, config } = environment;
  const metrics = createServiceMetrics(config.secretsPrefix);
  const watchedRoutes = listAlarmedRoutes(config);
  const topics = createAlarmTopics(stack, environment);
  const tableName = table.inUse.tableName;
  const requestFunctions = functions.filter(({ name }) => !isScheduledFunction(name));
  const alarmDefinitions = [
    ...defineFailureAlarms(metrics, watchedRoutes),
    ...defineUnavailableAlarms(metrics, watchedRoutes),
    defineApiFailureAlarm(api.stage),
    ...defineThrottleAlarms({ api, functions: requestFunctions, namespace: config.secretsPrefix }),
    ...defineLatencyAlarms(metrics, watchedRoutes),
    ...defineErrorAlarms(functions),
    ...defineThrottledInvocationAlarms(functions),
    ...defineConcurrencyAlarms(functions, config),
    ...defineScheduleAlarms(functions),
    ...defineTableAlarms(tableName),
    ...defineEventAlarms(metrics, config),
  ];
  const alarms = createAlarms(stack, { environmentName, topics, definitions: alarmDefinitions });
  const burnAlarms = createBurnAlarms(stack, {
    environmentName,
    topics,
    metrics,
    functions: requestFunctions,
  });
  if (config.production) {
    const smokeTest = createSmokeTest(stack, {
      environment,
      functions: requestFunctions,
      assetDir: smokeTestDir,
    });
    createCanary(stack, { environment, functions: requestFunctions, alarms, smokeTest });
  }
  createLogQueries(stack, environmentName, functions);
  const dashboardUrl = createDashboard(stack, {
    environmentName,
    metrics,
    routes: watchedRoutes,
    functions,
    tableName,
    alarms: [...burnAlarms, ...alarms.map(({ alarm }) => alarm)],
    requestFunctions,
  });
  const { page, ticket } = topics;
  return { pageTopicArn: page.topicArn, ticketTopicArn: ticket.topicArn, dashboardUrl };
}

/** Returns each path once, because its requests are counted together, whatever their method. */
function listAlarmedRoutes(config: EnvironmentConfig): AlarmedRoute[] {
  const routes: AlarmedRoute[] = [
    ...listEnvironmentRoutes(config),
    { path: '$default', function: DEFAULT_FUNCTION },
  ];
  return [...new Map(routes.map((route) => [route.path, route])).values()];
}
