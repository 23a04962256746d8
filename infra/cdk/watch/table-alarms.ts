/** Alarms of the table in use: requests that DynamoDB refuses or fails. */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { groupFamiliesByAction, RIGHTS_BY_FUNCTION } from '../../definition/rights.ts';
import { TABLE_DEFINITION } from '../../definition/table-definition.ts';
import type { AlarmDefinition } from './create-alarms.ts';

const ONE_MINUTE = Duration.minutes(1);

export function defineTableAlarms(tableName: string): AlarmDefinition[] {
  return [
    defineTableThrottlesAlarm(tableName),
    ...TABLE_DEFINITION.indexes.map(({ name }) => defineTableThrottlesAlarm(tableName, name)),
    defineTableErrorsAlarm(tableName),
  ];
}

function defineTableThrottlesAlarm(tableName: string, index?: string): AlarmDefinition {
  const indexDimensions = {
    TableName: tableName,
    ...(index !== undefined && { GlobalSecondaryIndexName: index }),
  };
  return {
    kind: 'table-throttled',
    severity: 'ticket',
    subject: index === undefined ? 'table' : `index ${index}`,
    meaning: 'DynamoDB refuses requests: one partition gets more than it can take, or the account its limit.',
    metric: createSumOfMetrics({
      reads: createTableMetric('ReadThrottleEvents', indexDimensions),
      writes: createTableMetric('WriteThrottleEvents', indexDimensions),
    }),
    threshold: 1,
    periods: [2, 5],
  };
}

function defineTableErrorsAlarm(tableName: string): AlarmDefinition {
  const tableActions = new Set(
    Object.values(RIGHTS_BY_FUNCTION).flatMap(({ table }) => [...groupFamiliesByAction(table).keys()]),
  );
  const operationMetrics = [...tableActions].sort().map((operation) => {
    const name = operation.charAt(0).toLowerCase() + operation.slice(1);
    return [name, createTableMetric('SystemErrors', { TableName: tableName, Operation: operation })] as const;
  });
  return {
    kind: 'table-errors',
    severity: 'ticket',
    meaning: 'DynamoDB fails requests on its own side.',
    metric: createSumOfMetrics(Object.fromEntries(operationMetrics)),
    threshold: 1,
    periods: [2, 5],
  };
}

function createTableMetric(metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap,
    statistic: 'Sum',
    period: ONE_MINUTE,
  });
}

function createSumOfMetrics(usingMetrics: Record<string, Metric>): MathExpression {
  const sumTerms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({
    expression: sumTerms.join(' + '),
    usingMetrics,
    period: ONE_MINUTE,
    label: 'requests',
  });
}
