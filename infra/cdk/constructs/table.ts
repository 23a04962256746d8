/** The service's only table, from the definition that the local stack shares. */
import { AttributeType, BillingMode, ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { TABLE_DEFINITION } from '../../definition/table-definition.ts';
import { DEFAULT_DEPLOY_OPTIONS, type DeployedEnvironment } from './deploy-options.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

export type ServiceTable = {
  /** The table that the functions use: the stack's own, or a restored table. */
  readonly inUse: { readonly tableName: string; readonly tableArn: string };
  /** The stream of the table in use; undefined for a restored table whose stream the configuration does not name. */
  readonly streamArn: string | undefined;
  /** The table's encryption key, if it is a customer managed key. */
  readonly encryptionKey: IKey | undefined;
};

/**
 * Creates the table: on-demand, with TTL and point-in-time recovery. In production it has a customer managed key, and
 * neither table nor key is deleted with the stack.
 */
export function createTable(
  scope: Construct,
  { config, deploy = DEFAULT_DEPLOY_OPTIONS }: DeployedEnvironment,
): ServiceTable {
  const encryptionKey = config.production ? createTableKey(scope, config) : undefined;
  const table = new Table(scope, 'Table', {
    tableName: config.tableName,
    partitionKey: stringKeyAttribute(TABLE_DEFINITION.partitionKey),
    sortKey: stringKeyAttribute(TABLE_DEFINITION.sortKey),
    timeToLiveAttribute: TABLE_DEFINITION.ttlAttribute,
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    // The stream's readers get the keys only and read the items from the table.
    stream: StreamViewType.KEYS_ONLY,
    deletionProtection: config.production && deploy.protection,
    removalPolicy: chooseRemovalPolicy(config),
    ...(encryptionKey && { encryptionKey }),
    ...(config.warmThroughput && { warmThroughput: config.warmThroughput }),
  });
  for (const { name, partitionKey, sortKey } of TABLE_DEFINITION.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: stringKeyAttribute(partitionKey),
      sortKey: stringKeyAttribute(sortKey),
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
    removalPolicy: chooseRemovalPolicy(config),
  });
}

function stringKeyAttribute(name: string) {
  return { name, type: AttributeType.STRING };
}
