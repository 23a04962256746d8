/** Emulates DynamoDB: dynalite with the service's table, created from the shared definition. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { TABLE_DEFINITION } from '../../infra/definition/table-definition.ts';
import { type ListeningServer, listenOnLoopback } from '../listen.ts';
import { findRequestError } from './find-request-error.ts';
import { emulatorClientSettings } from './local-client-settings.ts';

export type DynamoDbOptions = {
  readonly tableName: string;
  /** The folder of the data; without it the data stays in memory. */
  readonly path: string | undefined;
  /** The clock that verifies the times of signatures; without it any time is accepted. */
  readonly awsClock?: (() => number) | undefined;
};

type DynamoDbEmulator = ListeningServer & {
  /**
   * Calls the listener after each new timeline entry. It replaces the table's stream with the filter of the delivery
   * worker.
   */
  onNewEntry(listener: () => void): void;
};

/** Starts the emulator on a free port; resolves when the table exists. */
export async function startDynamoDbEmulator({
  tableName,
  path,
  awsClock,
}: DynamoDbOptions): Promise<DynamoDbEmulator> {
  const server = dynalite({ createTableMs: 0, ...(path && { path }) });
  const newEntryEmitter = new EventEmitter();
  checkEachRequest(server, {
    awsClock,
    onPut: (body) => isTimelineEntry(body) && newEntryEmitter.emit('new'),
  });
  const listeningServer = await listenOnLoopback(server, 0);
  const client = new DynamoDBClient(emulatorClientSettings(listeningServer.url));
  try {
    await createTable(client, tableName);
  } catch (error) {
    await listeningServer.close();
    throw error;
  } finally {
    client.destroy();
  }
  return { ...listeningServer, onNewEntry: (listener) => void newEntryEmitter.on('new', listener) };
}

/** Whether a PutItem request writes an entry: its sort key begins with the time, in milliseconds. */
function isTimelineEntry(body: Buffer): boolean {
  if (!body.includes('TIMELINE#')) return false;
  const { Item } = JSON.parse(body.toString()) as { Item?: Record<'pk' | 'sk', { S?: string }> };
  return `${Item?.pk.S}`.startsWith('TIMELINE#') && `${Item?.sk.S}`.startsWith('1');
}

type RequestCheckDeps = {
  readonly awsClock: DynamoDbOptions['awsClock'];
  /** Receives the body of each PutItem request that succeeded. */
  readonly onPut: (body: Buffer) => void;
};

/** Checks signature and rights before dynalite handles the request, as AWS does before DynamoDB. */
function checkEachRequest(server: Server, { awsClock, onPut }: RequestCheckDeps): void {
  const requestListeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const handleIfAllowed = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    const body = await readBody(request);
    const requestError = await findRequestError({ service: 'dynamodb', headers, body, awsClock });
    if (requestError === undefined) {
      if (`${headers['x-amz-target']}`.endsWith('.PutItem'))
        response.once('finish', () => response.statusCode === 200 && onPut(body));
      const replayedRequest = Object.assign(new EventEmitter(), { method, url, headers });
      for (const listener of requestListeners) listener(replayedRequest as IncomingMessage, response);
      replayedRequest.emit('data', body);
      replayedRequest.emit('end');
    } else {
      const { type, message } = requestError;
      const text = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message });
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    }
  };
  // A client may disconnect during a request, for example a function that is killed.
  server.on(
    'request',
    (request, response) => void handleIfAllowed(request, response).catch(() => response.destroy()),
  );
}

/**
 * Reads the request's body; rejects when the client disconnects. It takes a tenth of the time of `buffer` of
 * node:stream/consumers.
 */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** Creates the table unless the data folder contains it; resolves when it accepts writes. */
async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const tableInput = buildTableInput(tableName);
  await client.send(new CreateTableCommand(tableInput)).catch((error: unknown) => {
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
  const attributeNames = [
    partitionKey,
    sortKey,
    ...indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
  ];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributeNames.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: buildKeySchema(partitionKey, sortKey),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: buildKeySchema(index.partitionKey, index.sortKey),
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
