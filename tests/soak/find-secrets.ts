/** Searches the results of a soak for every secret: log, table, bodies of rejections. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import type { SoakWorld } from './soak-world.ts';

export async function findSecrets({ stack, secrets, refusals }: SoakWorld) {
  const places = { log: stack.rawLog(), table: await readTable(stack), refusals: [...refusals].join('\n') };
  secrets.add(...stack.stores.flatMap(({ adminKey, webhooksKey }) => [adminKey, webhooksKey]));
  return {
    secretsFound: Object.entries(places).flatMap(([place, text]) =>
      secrets.findIn(text).map((found) => `${place}: ${found}`),
    ),
    searchedSecrets: secrets.size(),
    bytesSearched: Object.values(places).reduce((sum, text) => sum + text.length, 0),
  };
}

/** Returns all items of the table. */
async function readTable({ dynamoDbUrl, tableName }: SoakWorld['stack']): Promise<string> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const items: string[] = [];
  let from: ScanCommand['input']['ExclusiveStartKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey: from }));
    items.push(JSON.stringify(page.Items));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  client.destroy();
  return items.join('\n');
}
