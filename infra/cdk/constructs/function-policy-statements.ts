/** What a function may do, from its definition: no action with a wildcard, no table or secret but its own. */
import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FunctionDefinition } from '../../definition/function-definitions.ts';
import { TABLE_KEY_ACTIONS, tableDefinition } from '../../definition/table-definition.ts';
import type { ServiceTable } from './table.ts';

export type FunctionPolicyInput = {
  readonly stack: Stack;
  readonly definition: FunctionDefinition;
  readonly table: ServiceTable;
  readonly secretsPrefix: string;
  readonly logGroupArn: string;
};

/** The statements of a function's role. */
export function functionPolicyStatements(input: FunctionPolicyInput): PolicyStatement[] {
  return [
    tableRights(input),
    ...indexRights(input),
    ...secretRights(input),
    ...keyRights(input),
    logRights(input),
  ];
}

function tableRights({ definition, table }: FunctionPolicyInput): PolicyStatement {
  return new PolicyStatement({
    sid: 'Table',
    actions: [...definition.tableActions],
    resources: [table.inUse.tableArn],
  });
}

function indexRights({ definition, table }: FunctionPolicyInput): PolicyStatement[] {
  if (!definition.queriesActions) return [];
  const resources = tableDefinition.indexes.map(({ name }) => `${table.inUse.tableArn}/index/${name}`);
  return [new PolicyStatement({ sid: 'TableIndex', actions: ['dynamodb:Query'], resources })];
}

/** Secrets Manager ends every ARN with a hyphen and six characters of its own. */
function secretRights({ stack, definition, secretsPrefix }: FunctionPolicyInput): PolicyStatement[] {
  return Object.entries(definition.secrets).map(([pattern, actions]) => {
    const resource = stack.formatArn({
      service: 'secretsmanager',
      resource: `secret:${secretsPrefix}/${pattern}-??????`,
    });
    return new PolicyStatement({ actions: [...actions], resources: [resource] });
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
