/**
 * The AWS rights of people who run the operator's command line, and the actions that are denied whatever other rights
 * they have: those that remove the trace of their actions. examples/operator-policy.json is generated from it.
 */
import { TABLE_DEFINITION, TABLE_KEY_ACTIONS } from './table-definition.ts';

/** The names of an environment that the rights refer to. */
export type OperatedEnvironment = {
  readonly account: string;
  readonly region: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
  readonly traceGroup: string;
};

/** A statement of IAM's policy language. */
type PolicyStatement = {
  readonly Sid: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: object;
};
/** A statement with its purpose, for readers. */
export type OperatorRight = PolicyStatement & { readonly purpose: string };

const TABLE_ACTIONS = ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'];
/** The settings that a restore does not copy to the new table. */
const PROTECT_TABLE_ACTIONS = ['UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive'];
const SECRET_ACTIONS = [
  'CreateSecret',
  'DeleteSecret',
  'DescribeSecret',
  'GetSecretValue',
  'PutSecretValue',
  'UpdateSecretVersionStage',
];
const TRACE_ACTIONS = ['CreateLogStream', 'FilterLogEvents', 'PutLogEvents'];
/** Each action deletes log lines, hides them, or allows another principal to do so. */
const DENIED_TRACE_ACTIONS = [
  'AssociateKmsKey',
  'DeleteDataProtectionPolicy',
  'DeleteLogGroup',
  'DeleteLogStream',
  'DeleteRetentionPolicy',
  'DisassociateKmsKey',
  'PutDataProtectionPolicy',
  'PutLogGroupDeletionProtection',
  'PutRetentionPolicy',
];

const prefixActions = (service: string, names: readonly string[]) =>
  names.map((name) => `${service}:${name}`);

/** Returns the rights, in the order of the document. */
export function listOperatorRights(environment: OperatedEnvironment): OperatorRight[] {
  const { account, region, tableName, secretsPrefix, traceGroup } = environment;
  const formatArn = (service: string, resource: string) =>
    `arn:aws:${service}:${region}:${account}:${resource}`;
  const logGroupArn = formatArn('logs', `log-group:${traceGroup}`);
  const tableArn = formatArn('dynamodb', `table/${tableName}`);
  const logGroupAndStreamArns = [logGroupArn, `${logGroupArn}:*`];
  const allowStatement = (
    Sid: string,
    purpose: string,
    permission: Pick<PolicyStatement, 'Action' | 'Resource'>,
  ) => ({ Sid, Effect: 'Allow', ...permission, purpose }) as const;
  return [
    allowStatement('Table', 'every command', {
      Action: prefixActions('dynamodb', TABLE_ACTIONS),
      Resource: tableArn,
    }),
    allowStatement('Index', 'the timeline by action', {
      Action: prefixActions('dynamodb', ['Query']),
      Resource: [tableArn, `${tableArn}-restored`].flatMap((one) =>
        TABLE_DEFINITION.indexes.map(({ name }) => `${one}/index/${name}`),
      ),
    }),
    allowStatement('Secrets', "stores' grants and keys, the ring of token keys", {
      Action: prefixActions('secretsmanager', SECRET_ACTIONS),
      Resource: formatArn('secretsmanager', `secret:${secretsPrefix}/*`),
    }),
    allowStatement('Trace', 'every change is written there before it is made, and read after a restore', {
      Action: prefixActions('logs', TRACE_ACTIONS),
      Resource: logGroupAndStreamArns,
    }),
    {
      ...{
        Sid: 'TraceStays',
        Effect: 'Deny',
        Action: prefixActions('logs', DENIED_TRACE_ACTIONS),
        Resource: logGroupAndStreamArns,
      },
      purpose: 'no other right of an operator can delete or hide lines of the trace',
    },
    {
      ...allowStatement('TableKey', 'production, whose table has a key of its own', {
        Action: TABLE_KEY_ACTIONS,
        Resource: formatArn('kms', 'key/*'),
      }),
      Condition: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } },
    },
    allowStatement('RestoredTable', 'the day of a restore', {
      Action: prefixActions('dynamodb', [...TABLE_ACTIONS, ...PROTECT_TABLE_ACTIONS].sort()),
      Resource: `${tableArn}-restored`,
    }),
  ];
}
