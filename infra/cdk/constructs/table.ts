/** The service's one table, from the definition that the local stack reads too. */
import { AttributeType, BillingMode, ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { tableDefinition } from '../../definition/table-definition.ts';
import { type DeployedEnvironment, usualDeploy } from './deploy-options.ts';
import { removalPolicy } from './removal-policy.ts';

export type ServiceTable = {
  /** The table the functions work on: the stack's own, or the one restored in its place. */
  readonly inUse: { readonly tableName: string; readonly tableArn: string };
  /** The stream of the table in use; undefined: a restored table whose stream the configuration does not name. */
  readonly streamArn: string | undefined;
  /** The key it is encrypted with, where that is the customer's. */
  readonly encryptionKey: IKey | undefined;
};

/**
 * On-demand, with TTL and point-in-time recovery. In production it is encrypted with a key of its own and
 * neither can be removed with the stack.
 */
export function createTable(
  scope: Construct,
  { config, deploy = usualDeploy }: DeployedEnvironment,
): ServiceTable {
  const encryptionKey = config.production ? createTableKey(scope, config) : undefined;
  const table = new Table(scope, 'Table', {
    tableName: config.tableName,
    partitionKey: stringKey(tableDefinition.partitionKey),
    sortKey: stringKey(tableDefinition.sortKey),
    timeToLiveAttribute: tableDefinition.ttlAttribute,
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // What was written is read from the table: the stream's readers learn the keys alone.
    stream: StreamViewType.KEYS_ONLY,
    deletionProtection: config.production && deploy.protection,
    removalPolicy: removalPolicy(config),
    ...(encryptionKey && { encryptionKey }),
    ...(config.warmThroughput && { warmThroughput: config.warmThroughput }),
  });
  for (const { name, partitionKey, sortKey } of tableDefinition.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: stringKey(partitionKey),
      sortKey: stringKey(sortKey),
      projectionType: ProjectionType.ALL,
    });
  }
  const { restoredTableName: restored, restoredStreamLabel: label } = config;
  if (restored === undefined) return { inUse: table, streamArn: table.tableStreamArn, encryptionKey };
  const inUse = Table.fromTableName(scope, 'RestoredTable', restored);
  return { inUse, streamArn: label && `${inUse.tableArn}/stream/${label}`, encryptionKey };
}

function createTableKey(scope: Construct, config: EnvironmentConfig): Key {
  return new Key(scope, 'TableKey', {
    description: 'Encrypts the table of the subscription service',
    enableKeyRotation: true,
    removalPolicy: removalPolicy(config),
  });
}

function stringKey(name: string) {
  return { name, type: AttributeType.STRING };
}
