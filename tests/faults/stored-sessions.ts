/** Reads the table directly, without the service and without faults. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import type { SessionRecord } from '../../lib/storage/sessions/session-record.ts';
import { createSessionRepository } from '../../lib/storage/sessions/sessions.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import type { RunningStackDescription } from '../../sandbox/local/start/stack-file.ts';

/** Returns the sessions of a customer of the first store, revoked ones too. */
export async function listSessions(
  { dynamoDbUrl, tableName, shopId }: RunningStackDescription,
  customerId: number,
): Promise<SessionRecord[]> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  try {
    const sessions = createSessionRepository({ table: createSdkTableClient({ client, tableName }) });
    return await sessions.listOf(shopId as ShopId, customerId as CustomerId);
  } finally {
    client.destroy();
  }
}
