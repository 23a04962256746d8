/** The read that checks whether a token's session is active, with the AWS SDK, as other servers would make it. */
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createDynamoDbClient } from '../../../lib/config/aws-sdk-clients.ts';
import { sessionKey } from '../../../lib/storage/sessions/session-record.ts';
import { storeItemKey } from '../../../lib/storage/stores.ts';
import { session } from '../fixtures.ts';

const client = createDynamoDbClient();
const TableName = process.env.TABLE_NAME ?? '';
const Keys = [sessionKey(session as never), storeItemKey(session.shopId)].map((key) => marshall(key));

/** Reads session and store in one request. Throws an error if the session is not there or not active. */
export async function readSession(): Promise<void> {
  const command = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
  const { Responses } = await client.send(command);
  const items = (Responses?.[TableName] ?? []).map((item) => unmarshall(item));
  if (!items.some(({ status }) => status === 'active')) throw new Error('The session is not there.');
}
