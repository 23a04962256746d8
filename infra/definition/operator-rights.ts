/**
 * What the people who run the operator's command line may do on AWS, and what they may not do whatever else they may:
 * undo the trace of what they did. docs/examples/operator-policy.json is written from it.
 */
import { TABLE_KEY_ACTIONS, tableDefinition } from './table-definition.ts';

/** The names of an environment that the rights are about. */
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
/** A statement, and for people what it is for. */
export type OperatorRight = PolicyStatement & { readonly purpose: string };

const TABLE = ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'];
/** What a restored table does not bring with it. */
const PROTECT_TABLE = ['UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive'];
const SECRETS = [
  'CreateSecret',
  'DeleteSecret',
  'DescribeSecret',
  'GetSecretValue',
  'PutSecretValue',
  'UpdateSecretVersionStage',
];
const TRACE = ['CreateLogStream', 'FilterLogEvents', 'PutLogEvents'];
/** Each takes lines away, hides them, or lets somebody do so. */
const UNDO_TRACE = [
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

const actionsOf = (service: string, names: readonly string[]) => names.map((name) => `${service}:${name}`);

/** The rights, in the order in which they are shown. */
export function operatorRights(environment: OperatedEnvironment): OperatorRight[] {
  const { account, region, tableName, secretsPrefix, traceGroup } = environment;
  const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;
  const group = arn('logs', `log-group:${traceGroup}`);
  const table = arn('dynamodb', `table/${tableName}`);
  const withLines = [group, `${group}:*`];
  const allow = (Sid: string, purpose: string, what: Pick<PolicyStatement, 'Action' | 'Resource'>) =>
    ({ Sid, Effect: 'Allow', ...what, purpose }) as const;
  return [
    allow('Table', 'every command', { Action: actionsOf('dynamodb', TABLE), Resource: table }),
    allow('Index', 'the timeline by action', {
      Action: actionsOf('dynamodb', ['Query']),
      Resource: [table, `${table}-restored`].flatMap((one) =>
        tableDefinition.indexes.map(({ name }) => `${one}/index/${name}`),
      ),
    }),
    allow('Secrets', "stores' grants and keys, the ring of token keys", {
      Action: actionsOf('secretsmanager', SECRETS),
      Resource: arn('secretsmanager', `secret:${secretsPrefix}/*`),
    }),
    allow('Trace', 'every change is written there before it is made, and read after a restore', {
      Action: actionsOf('logs', TRACE),
      Resource: withLines,
    }),
    {
      ...{ Sid: 'TraceStays', Effect: 'Deny', Action: actionsOf('logs', UNDO_TRACE), Resource: withLines },
      purpose: 'no other right of an operator can delete or hide lines of the trace',
    },
    {
      ...allow('TableKey', 'production, whose table has a key of its own', {
        Action: TABLE_KEY_ACTIONS,
        Resource: arn('kms', 'key/*'),
      }),
      Condition: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } },
    },
    allow('RestoredTable', 'the day of a restore', {
      Action: actionsOf('dynamodb', [...TABLE, ...PROTECT_TABLE].sort()),
      Resource: `${table}-restored`,
    }),
  ];
}
