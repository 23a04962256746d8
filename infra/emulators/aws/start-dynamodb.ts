/** Stands in for DynamoDB: dynalite with the service's table, made from the shared definition. */
import type { RequestListener, Server } from 'node:http';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { tableDefinition } from '../../definition/table-definition.ts';
import { type ListeningServer, listen } from '../listen.ts';
import { refusalOf } from './function-rights.ts';
import { localAwsClient } from './local-aws-client.ts';

export type DynamoDbOptions = {
  readonly tableName: string;
  /** Where the data is kept; in memory without it. */
  readonly path: string | undefined;
};

/** Starts it on a free port; resolves when the table is there. */
export async function startDynamoDb({ tableName, path }: DynamoDbOptions): Promise<ListeningServer> {
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  survivePartings(server);
  refuseWithoutRight(server);
  const listening = await listen(server, 0);
  const client = new DynamoDBClient(localAwsClient(listening.url));
  try {
    await makeTable(client, tableName);
  } catch (error) {
    await listening.close();
    throw error;
  } finally {
    client.destroy();
  }
  return listening;
}

/** dynalite throws when a client goes away in the middle of a request, as a function that is killed does. */
function survivePartings(server: Server): void {
  server.on('request', (request) => {
    request.removeAllListeners('error');
    request.on('error', () => undefined);
  });
}

function refuseWithoutRight(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const refusal = refusalOf(request.headers);
    if (refusal === undefined) for (const listener of listeners) listener(request, response);
    else {
      const body = { __type: 'com.amazon.coral.service#AccessDeniedException', message: refusal };
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    }
  });
}

/** Makes the table unless the data folder has it; resolves when it takes writes. */
async function makeTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const input = createTableInput(tableName);
  await client.send(new CreateTableCommand(input)).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error;
  });
  for (;;) {
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const indexes = table?.GlobalSecondaryIndexes ?? [];
    const states = [table?.TableStatus, ...indexes.map(({ IndexStatus }) => IndexStatus)];
    if (states.every((state) => state === 'ACTIVE')) return;
    await new Promise(setImmediate);
  }
}

function createTableInput(tableName: string): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes } = tableDefinition;
  const attributes = [partitionKey, sortKey, ...indexes.flatMap((one) => [one.partitionKey, one.sortKey])];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keySchema(partitionKey, sortKey),
    GlobalSecondaryIndexes: indexes.map((one) => ({
      IndexName: one.name,
      KeySchema: keySchema(one.partitionKey, one.sortKey),
      Projection: { ProjectionType: 'ALL' },
    })),
  };
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
