/** The policy of a function's role, from the table of rights: no action with a wildcard, no other table or secret. */
import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { familiesByAction, type Rights } from '../../definition/rights.ts';
import { TABLE_KEY_ACTIONS, tableDefinition } from '../../definition/table-definition.ts';
import type { ServiceTable } from './table.ts';

export type FunctionPolicyInput = {
  readonly stack: Stack;
  readonly rights: Rights;
  readonly table: ServiceTable;
  readonly secretsPrefix: string;
  readonly logGroupArn: string;
};

/** Returns the statements of a function's role. */
export function functionPolicyStatements(input: FunctionPolicyInput): PolicyStatement[] {
  return [
    ...tableRights(input),
    ...scanRights(input),
    ...streamRights(input),
    ...indexRights(input),
    ...secretRights(input),
    ...keyRights(input),
    logRights(input),
  ];
}

/** Returns one statement for each set of families, because one statement has to allow all keys of a batch read. */
function tableRights({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  const actions = Map.groupBy(familiesByAction(rights.table), ([, families]) => families.join(' '));
  return [...actions.values()].map((alike) => {
    const [[, families] = ['', []]] = alike;
    return new PolicyStatement({
      actions: alike.map(([action]) => `dynamodb:${action}`),
      resources: [table.inUse.tableArn],
      conditions: withinFamilies(families),
    });
  });
}

/** The statement covers the whole table without a condition. The one function with this right has no route. */
function scanRights({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  if (!rights.scans) return [];
  const resources = [table.inUse.tableArn];
  return [new PolicyStatement({ sid: 'WholeTable', actions: ['dynamodb:Scan'], resources })];
}

/** Lambda reads the stream with the function's role. */
function streamRights({ rights, table: { streamArn } }: FunctionPolicyInput): PolicyStatement[] {
  if (!rights.readsStream || streamArn === undefined) return [];
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  return [
    new PolicyStatement({
      sid: 'TableStream',
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [streamArn],
    }),
  ];
}

function indexRights({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  const families = Object.keys(rights.index);
  if (families.length === 0) return [];
  const resources = tableDefinition.indexes.map(({ name }) => `${table.inUse.tableArn}/index/${name}`);
  const conditions = withinFamilies(families);
  return [new PolicyStatement({ sid: 'TableIndex', actions: ['dynamodb:Query'], resources, conditions })];
}

/** `Null` rejects a request without keys: `ForAllValues` alone is true for an empty set. */
function withinFamilies(families: readonly string[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': families.map((family) => `${family}#*`) },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

/** Secrets Manager ends every ARN with a hyphen and six characters of its own. */
function secretRights({ stack, rights, secretsPrefix }: FunctionPolicyInput): PolicyStatement[] {
  return Object.entries(rights.secrets).map(([pattern, actions]) => {
    const resource = stack.formatArn({
      service: 'secretsmanager',
      resource: `secret:${secretsPrefix}/${pattern}-??????`,
    });
    return new PolicyStatement({
      actions: actions.map((action) => `secretsmanager:${action}`),
      resources: [resource],
    });
  });
}

/**
 * DynamoDB uses the table's key with the caller's role, so the role needs the key's actions, limited to use through
 * DynamoDB.
 */
function keyRights({ stack, table }: FunctionPolicyInput): PolicyStatement[] {
  if (table.encryptionKey === undefined) return [];
  const statement = new PolicyStatement({
    sid: 'TableKey',
    actions: [...TABLE_KEY_ACTIONS],
    resources: [table.encryptionKey.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${stack.region}.amazonaws.com` } },
  });
  return [statement];
}

function logRights({ logGroupArn }: FunctionPolicyInput): PolicyStatement {
  return new PolicyStatement({
    sid: 'Log',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroupArn],
  });
}
