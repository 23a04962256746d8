/** Calls DynamoDB and Secrets Manager through the AWS SDK, for workers and operators. */
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { AwsCall, AwsOutput } from '../aws-client/aws-call.ts';

const TABLE_COMMANDS = {
  BatchGetItem: BatchGetItemCommand,
  DeleteItem: DeleteItemCommand,
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  UpdateItem: UpdateItemCommand,
};
const SECRET_COMMANDS = {
  CreateSecret: CreateSecretCommand,
  DeleteSecret: DeleteSecretCommand,
  DescribeSecret: DescribeSecretCommand,
  GetSecretValue: GetSecretValueCommand,
  PutSecretValue: PutSecretValueCommand,
  UpdateSecretVersionStage: UpdateSecretVersionStageCommand,
};

/** Creates the function that calls DynamoDB. */
export function createDynamoDbCall(client: DynamoDBClient): AwsCall {
  return createAwsCall(client, TABLE_COMMANDS);
}

/** Creates the function that calls Secrets Manager. */
export function createSecretsManagerCall(client: SecretsManagerClient): AwsCall {
  return createAwsCall(client, SECRET_COMMANDS);
}

type SdkClient = { send(command: never): Promise<unknown> };
type SdkCommandsByOperation = Readonly<Record<string, new (input: never) => unknown>>;

function createAwsCall(client: SdkClient, commands: SdkCommandsByOperation): AwsCall {
  return async (operation, input) => {
    const CommandClass = commands[operation];
    if (CommandClass === undefined) throw new Error(`${operation} is not called here`);
    return (await client.send(new CommandClass(input as never) as never)) as AwsOutput;
  };
}
