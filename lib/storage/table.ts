/**
 * The service's one table. Every write is one conditional write on one item: a race is decided here and
 * nowhere else. Repositories beside this file put keys and records together.
 */
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { outageOf } from './outage.ts';

const { answered, throttled, unavailable } = outageOf('the table');

export type ItemKey = { readonly pk: string; readonly sk: string };
export type Item = ItemKey & Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

/** Expressions in DynamoDB's own language; `names` by `#name`, `values` by `:name`. */
export type Condition = {
  readonly condition?: string;
  readonly names?: Record<string, string>;
  readonly values?: Values;
};
export type Change = Condition & { readonly key: ItemKey; readonly update: string };
export type Selection = Condition & {
  readonly keyCondition: string;
  readonly index?: string;
  readonly consistent?: boolean;
  readonly descending?: boolean;
  readonly limit?: number;
  readonly startKey?: Item;
};
/** `done` with the item as it is after the write, or `refused` because the condition did not hold. */
export type WriteOutcome =
  | { readonly outcome: 'done'; readonly item: Item }
  | { readonly outcome: 'refused' };

export type Table = {
  /** Consistent read of one item. */
  get(key: ItemKey): Promise<Item | undefined>;
  /** Consistent read of up to 100 items in one request, in the order of `keys`. */
  batchGet(keys: readonly ItemKey[]): Promise<(Item | undefined)[]>;
  put(item: Item, condition?: Condition): Promise<'done' | 'refused'>;
  update(change: Change): Promise<WriteOutcome>;
  delete(key: ItemKey, condition?: Condition): Promise<'done' | 'refused'>;
  query(selection: Selection): Promise<{ items: Item[]; nextKey: Item | undefined }>;
};

type Deps = { readonly client: DynamoDBClient; readonly tableName: string };

/**
 * The table over DynamoDB's client. Every failure but a refused condition is TEMPORARILY_UNAVAILABLE; what DynamoDB
 * refuses as wrong is INTERNAL_ERROR.
 */
export function createTable({ client, tableName: TableName }: Deps): Table {
  return {
    async get(key) {
      const command = new GetItemCommand({ TableName, Key: marshall(key), ConsistentRead: true });
      const { Item: item } = await answered(client.send(command));
      return item && (unmarshall(item) as Item);
    },
    async batchGet(keys) {
      const found = new Map<string, Item>();
      let pending = keys.map((key) => marshall({ pk: key.pk, sk: key.sk }));
      while (pending.length > 0) {
        const command = new BatchGetItemCommand({
          RequestItems: { [TableName]: { Keys: pending, ConsistentRead: true } },
        });
        const { Responses, UnprocessedKeys } = await answered(client.send(command));
        for (const raw of Responses?.[TableName] ?? []) {
          const item = unmarshall(raw) as Item;
          found.set(mapKey(item), item);
        }
        const left = UnprocessedKeys?.[TableName]?.Keys ?? [];
        if (left.length === pending.length) throw throttled();
        pending = left;
      }
      return keys.map((key) => found.get(mapKey(key)));
    },
    async put(item, condition = {}) {
      const command = new PutItemCommand({
        TableName,
        Item: marshall(item, MARSHALL),
        ...expressions(condition),
      });
      return decided(client.send(command));
    },
    async update({ key, update, ...condition }) {
      const command = new UpdateItemCommand({
        TableName,
        Key: marshall(key),
        UpdateExpression: update,
        ReturnValues: 'ALL_NEW',
        ...expressions(condition),
      });
      try {
        const { Attributes } = await client.send(command);
        return { outcome: 'done', item: unmarshall(Attributes ?? {}) as Item };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return { outcome: 'refused' };
        throw unavailable(error);
      }
    },
    async delete(key, condition = {}) {
      const command = new DeleteItemCommand({ TableName, Key: marshall(key), ...expressions(condition) });
      return decided(client.send(command));
    },
    async query({ keyCondition, index, consistent, descending, limit, startKey, ...condition }) {
      const { ConditionExpression: filter, ...rest } = expressions(condition);
      const command = new QueryCommand({
        TableName,
        KeyConditionExpression: keyCondition,
        ConsistentRead: consistent ?? false,
        ScanIndexForward: !descending,
        ...rest,
        ...(filter && { FilterExpression: filter }),
        ...(index && { IndexName: index }),
        ...(limit && { Limit: limit }),
        ...(startKey && { ExclusiveStartKey: marshall(startKey) }),
      });
      const { Items, LastEvaluatedKey } = await answered(client.send(command));
      return {
        items: (Items ?? []).map((item) => unmarshall(item) as Item),
        nextKey: LastEvaluatedKey && (unmarshall(LastEvaluatedKey) as Item),
      };
    },
  };
}

const MARSHALL = { removeUndefinedValues: true };

function mapKey({ pk, sk }: ItemKey): string {
  return `${pk}\n${sk}`;
}

function expressions({ condition, names, values }: Condition) {
  return {
    ...(condition && { ConditionExpression: condition }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: marshall(values, MARSHALL) }),
  };
}

async function decided(sent: Promise<unknown>): Promise<'done' | 'refused'> {
  try {
    await sent;
    return 'done';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'refused';
    throw unavailable(error);
  }
}
