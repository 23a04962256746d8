/** The table over both clients, whose conditional writes are applied while their first answers are lost. */

import { createTableClient } from '../../../../lib/storage/aws-client/table-client.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { startDynamoDbEmulator } from '../../../../sandbox/aws/start-dynamodb.ts';
import { ownClient, sdkClient } from './clients.ts';
import { startRelay } from './relay.ts';

const TABLE = 'lost';

export type LossyTables = {
  readonly tables: Readonly<Record<'sdk' | 'own', Table>>;
  /** Loses the first response to each conditional write from now on. Returns the number of lost responses. */
  loseAnswers(): () => number;
  keepAnswers(): void;
  close(): Promise<void>;
};

/** Starts a table of its own; no answer is lost yet. */
export async function startLossyTables(): Promise<LossyTables> {
  const parts = new AsyncDisposableStack();
  const dynamoDb = await startDynamoDbEmulator({ tableName: TABLE, path: undefined });
  parts.defer(() => dynamoDb.close());
  const relay = parts.adopt(await startRelay(dynamoDb.url), (one) => one.close());
  const tableOf = (make: typeof sdkClient | typeof ownClient) => {
    const { call, close } = make('dynamodb', relay.url);
    parts.defer(close);
    return createTableClient({ call, tableName: TABLE });
  };
  return {
    tables: { sdk: tableOf(sdkClient), own: tableOf(ownClient) },
    loseAnswers() {
      const lost = new Set<unknown>();
      relay.faultFor = ({ input, headers }) => {
        const isConditional = (input as { ConditionExpression?: string }).ConditionExpression !== undefined;
        const id = headers['amz-sdk-invocation-id'];
        if (!isConditional || lost.has(id)) return undefined;
        lost.add(id);
        return 'reset after';
      };
      return () => lost.size;
    },
    keepAnswers() {
      relay.faultFor = () => undefined;
    },
    close: () => parts.disposeAsync(),
  };
}
