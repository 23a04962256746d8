/** Emulates DynamoDB: dynalite with the service's table, created from the shared definition. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { TABLE_DEFINITION } from '../../infra/definition/table-definition.ts';
import { type ListeningServer, listen } from '../listen.ts';
import { findRequestError } from './find-request-error.ts';
import { localClientSettings } from './local-client-settings.ts';

export type DynamoDbOptions = {
  readonly tableName: string;
  /** The folder of the data; without it the data stays in memory. */
  readonly path: string | undefined;
  /** The clock that verifies the times of signatures; without it any time is accepted. */
  readonly awsClock?: (() => number) | undefined;
};

/** Starts it on a free port; resolves when the table exists. */
export async function startDynamoDbEmulator({
  tableName,
  path,
  awsClock,
}: DynamoDbOptions): Promise<ListeningServer> {
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  checkEachRequest(server, awsClock);
  const listening = await listen(server, 0);
  const client = new DynamoDBClient(localClientSettings(listening.url));
  try {
    await createTable(client, tableName);
  } catch (error) {
    await listening.close();
    throw error;
  } finally {
    client.destroy();
  }
  return listening;
}

/** Checks signature and rights before dynalite handles the request, as AWS does before DynamoDB. */
function checkEachRequest(server: Server, awsClock: DynamoDbOptions['awsClock']): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const admit = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    const body = await buffer(request);
    const refusal = await findRequestError({ service: 'dynamodb', headers, body, awsClock });
    if (refusal === undefined) {
      const again = Object.assign(Readable.from([body], { objectMode: false }), { method, url, headers });
      for (const listener of listeners) listener(again as unknown as IncomingMessage, response);
    } else {
      const { type, message } = refusal;
      const text = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message });
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    }
  };
  // A client may disconnect during a request, for example a function that is killed.
  server.on('request', (request, response) => void admit(request, response).catch(() => response.destroy()));
}

/** Creates the table unless the data folder contains it; resolves when it accepts writes. */
async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const input = buildTableInput(tableName);
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

function buildTableInput(tableName: string): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes } = TABLE_DEFINITION;
  const attributes = [partitionKey, sortKey, ...indexes.flatMap((one) => [one.partitionKey, one.sortKey])];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: buildKeySchema(partitionKey, sortKey),
    GlobalSecondaryIndexes: indexes.map((one) => ({
      IndexName: one.name,
      KeySchema: buildKeySchema(one.partitionKey, one.sortKey),
      Projection: { ProjectionType: 'ALL' },
    })),
  };
}

function buildKeySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}
