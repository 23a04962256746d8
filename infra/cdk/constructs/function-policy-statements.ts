/** What a function may do, from the table of rights: no action with a wildcard, no table or secret but its own. */
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

/** The statements of a function's role. */
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

/** One statement for each set of families, since one has to allow all that a batch reads. */
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

/** Of the whole table, so it has no condition: the one function with this right has no route. */
function scanRights({ rights, table }: FunctionPolicyInput): PolicyStatement[] {
  if (!rights.scans) return [];
  const resources = [table.inUse.tableArn];
  return [new PolicyStatement({ sid: 'WholeTable', actions: ['dynamodb:Scan'], resources })];
}

/** Lambda reads the stream in the name of the function. */
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

/** Without the second part a request that names no key would pass: of none all are allowed. */
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

/** DynamoDB uses the table's key in the name of whoever calls it, so the caller needs the right: there only. */
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
