/**
 * The settings that DynamoDB does not restore with a table: time to live, point-in-time recovery, deletion protection.
 */
import {
  type DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE_DEFINITION } from '../infra/definition/table-definition.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Applies all three settings; a setting that is already on stays on.
 * @throws OperatorError with DynamoDB's message
 */
export async function protectTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const TableName = tableName;
  const timeToLive = { Enabled: true, AttributeName: TABLE_DEFINITION.ttlAttribute };
  const recoverySpecification = { PointInTimeRecoveryEnabled: true };
  await ignoreAlreadyProtected(
    client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: timeToLive })),
  );
  await ignoreAlreadyProtected(
    client.send(
      new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification: recoverySpecification,
      }),
    ),
  );
  await ignoreAlreadyProtected(
    client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })),
  );
}

async function ignoreAlreadyProtected(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
    if (/already (enabled|has)/i.test(message)) return;
    throw new OperatorError(`The restored table could not be protected. ${message}. Repeat the command.`);
  });
}
