/** The policy of a function's role, from the table of rights: no action with a wildcard, no other table or secret. */
import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type FunctionRights, groupFamiliesByAction } from '../../definition/rights.ts';
import { TABLE_DEFINITION, TABLE_KEY_ACTIONS } from '../../definition/table-definition.ts';
import type { ServiceTable } from './table.ts';

export type FunctionPolicyInput = {
  readonly stack: Stack;
  readonly rights: FunctionRights;
  readonly table: ServiceTable;
  readonly secretsPrefix: string;
  readonly logGroupArn: string;
};

/** Returns the statements of a function's role. */
export function createFunctionPolicyStatements(input: FunctionPolicyInput): PolicyStatement[] {
  return [
    ...createTableStatements(input),
    ...createScanStatements(input),
    ...createStreamStatements(input),
    ...createIndexStatements(input),
    ...createSecretStatements(input),
    ...createKeyStatements(input),
    createLogStatement(input),
  ];
}

/** Returns one statement for each set of families, because one statement has to allow all keys of a batch read. */
function createTableStatements({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  const actionsByFamilies = Map.groupBy(groupFamiliesByAction(rights.table), ([, families]) =>
    families.join(' '),
  );
  return [...actionsByFamilies.values()].map((actionEntries) => {
    const [[, families] = ['', []]] = actionEntries;
    return new PolicyStatement({
      actions: actionEntries.map(([action]) => `dynamodb:${action}`),
      resources: [table.inUse.tableArn],
      conditions: limitToItemFamilies(families),
    });
  });
}

/** The statement covers the whole table without a condition. The one function with this right has no route. */
function createScanStatements({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  if (!rights.scans) return [];
  const tableArns = [table.inUse.tableArn];
  return [new PolicyStatement({ sid: 'WholeTable', actions: ['dynamodb:Scan'], resources: tableArns })];
}

/** Lambda reads the stream with the function's role. */
function createStreamStatements({ rights, table: { streamArn } }: FunctionPolicyInput): PolicyStatement[] {
  if (!rights.readsStream || streamArn === undefined) return [];
  const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  return [
    new PolicyStatement({
      sid: 'TableStream',
      actions: streamActions.map((action) => `dynamodb:${action}`),
      resources: [streamArn],
    }),
  ];
}

function createIndexStatements({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  const indexFamilies = Object.keys(rights.index);
  if (indexFamilies.length === 0) return [];
  const resources = TABLE_DEFINITION.indexes.map(({ name }) => `${table.inUse.tableArn}/index/${name}`);
  const conditions = limitToItemFamilies(indexFamilies);
  return [new PolicyStatement({ sid: 'TableIndex', actions: ['dynamodb:Query'], resources, conditions })];
}

/** `Null` rejects a request without keys: `ForAllValues` alone is true for an empty set. */
function limitToItemFamilies(families: readonly string[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': families.map((family) => `${family}#*`) },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

/** Secrets Manager ends every ARN with a hyphen and six characters of its own. */
function createSecretStatements({ stack, rights, secretsPrefix }: FunctionPolicyInput): PolicyStatement[] {
  return Object.entries(rights.secrets).map(([secretPattern, actions]) => {
    const secretArn = stack.formatArn({
      service: 'secretsmanager',
      resource: `secret:${secretsPrefix}/${secretPattern}-??????`,
    });
    return new PolicyStatement({
      actions: actions.map((action) => `secretsmanager:${action}`),
      resources: [secretArn],
    });
  });
}

/**
 * DynamoDB uses the table's key with the caller's role, so the role needs the key's actions, limited to use through
 * DynamoDB.
 */
function createKeyStatements({ stack, table }: FunctionPolicyInput): PolicyStatement[] {
  if (table.encryptionKey === undefined) return [];
  const policyStatement = new PolicyStatement({
    sid: 'TableKey',
    actions: [...TABLE_KEY_ACTIONS],
    resources: [table.encryptionKey.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${stack.region}.amazonaws.com` } },
  });
  return [policyStatement];
}

function createLogStatement({ logGroupArn }: FunctionPolicyInput): PolicyStatement {
  return new PolicyStatement({
    sid: 'Log',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroupArn],
  });
}
