/**
 * Starts the webhook delivery worker from the table's stream within seconds of a new timeline entry; the schedule is the
 * fallback.
 */
import { CfnEventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './function.ts';
import type { ServiceTable } from './table.ts';

/**
 * A new entry of a timeline: its sort key begins with the time, in milliseconds, whose first digit is 1 until May 2033. From
 * then on the schedule alone would start the worker.
 */
const NEW_ENTRY_FILTER = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: {
    Keys: { pk: { S: FilterRule.beginsWith('TIMELINE#') }, sk: { S: FilterRule.beginsWith('1') } },
  },
});

/**
 * Invokes the live version with what was written within two seconds. A batch is never repeated, and a record older than a
 * minute is dropped: by then the schedule has done its work, and no batch may hold up a shard. A table whose stream is not
 * known has no trigger.
 */
export function createDeliveryTrigger(
  scope: Construct,
  { streamArn }: ServiceTable,
  { target }: Pick<ServiceFunction, 'target'>,
): void {
  if (streamArn === undefined) return;
  new CfnEventSourceMapping(scope, 'Bell', {
    functionName: target.functionArn,
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.LATEST,
    filterCriteria: { filters: [NEW_ENTRY_FILTER] },
    batchSize: 1000,
    maximumBatchingWindowInSeconds: 2,
    maximumRetryAttempts: 0,
    maximumRecordAgeInSeconds: 60,
  });
}
