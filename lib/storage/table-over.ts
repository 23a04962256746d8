/** The table as requests of DynamoDB, whoever sends them: the SDK (sdk-client/) or the small client (aws-client/). */
import { fromAttributes, toAttributes } from './attribute-values.ts';
import { type AwsCall, type AwsOutput, isConditionRefused } from './aws-call.ts';
import { outageOf } from './outage.ts';
import type { Condition, Item, ItemKey, Selection, Table } from './table.ts';

const { answered, throttled, unavailable } = outageOf('the table');

export type TableDeps = { readonly call: AwsCall; readonly tableName: string };

/** The table over calls of DynamoDB. Failures are those of outage.ts. */
export function tableOver({ call, tableName: TableName }: TableDeps): Table {
  /** Undefined: the condition did not hold. */
  const write = async (operation: string, input: object): Promise<AwsOutput | undefined> => {
    try {
      return await call(operation, { TableName, ...input });
    } catch (error) {
      if (isConditionRefused(error)) return undefined;
      throw unavailable(error);
    }
  };
  const decided = async (operation: string, input: object) =>
    (await write(operation, input)) === undefined ? 'refused' : 'done';
  return {
    async get(key) {
      const input = { TableName, Key: toAttributes(key), ConsistentRead: true };
      return readItem((await answered(call('GetItem', input))).Item);
    },
    async batchGet(keys) {
      const found = new Map<string, Item>();
      let pending: unknown[] = keys.map(({ pk, sk }) => toAttributes({ pk, sk }));
      while (pending.length > 0) {
        const input = { RequestItems: { [TableName]: { Keys: pending, ConsistentRead: true } } };
        const { Responses, UnprocessedKeys } = await answered(call('BatchGetItem', input));
        for (const item of readItems(fieldOf(Responses, TableName))) found.set(mapKey(item), item);
        const left = readList(fieldOf(fieldOf(UnprocessedKeys, TableName), 'Keys'));
        if (left.length >= pending.length) throw throttled();
        pending = left;
      }
      return keys.map((key) => found.get(mapKey(key)));
    },
    put: (item, condition = {}) =>
      decided('PutItem', { Item: toAttributes(item), ...expressions(condition) }),
    async update({ key, update, ...condition }) {
      const output = await write('UpdateItem', {
        Key: toAttributes(key),
        UpdateExpression: update,
        ReturnValues: 'ALL_NEW',
        ...expressions(condition),
      });
      if (output === undefined) return { outcome: 'refused' };
      return { outcome: 'done', item: readItem(output.Attributes) ?? (key as Item) };
    },
    delete: (key, condition = {}) =>
      decided('DeleteItem', { Key: toAttributes(key), ...expressions(condition) }),
    async query(selection) {
      const output = await answered(call('Query', { TableName, ...queryOf(selection) }));
      return { items: readItems(output.Items), nextKey: readItem(output.LastEvaluatedKey) };
    },
  };
}

function queryOf({ keyCondition, index, consistent, descending, limit, startKey, ...condition }: Selection) {
  const { ConditionExpression: filter, ...rest } = expressions(condition);
  return {
    KeyConditionExpression: keyCondition,
    ConsistentRead: consistent ?? false,
    ScanIndexForward: !descending,
    ...rest,
    ...(filter && { FilterExpression: filter }),
    ...(index && { IndexName: index }),
    ...(limit && { Limit: limit }),
    ...(startKey && { ExclusiveStartKey: toAttributes(startKey) }),
  };
}

function mapKey({ pk, sk }: ItemKey): string {
  return `${pk}\n${sk}`;
}

/** The parts of a condition under DynamoDB's names. */
function expressions({ condition, names, values }: Condition) {
  return {
    ...(condition && { ConditionExpression: condition }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: toAttributes(values) }),
  };
}

/** Items of an answer; none without the field. */
export function readItems(items: unknown): Item[] {
  return readList(items).map((item) => fromAttributes(item) as Item);
}

/** An item of an answer, or what there is of one. */
export function readItem(item: unknown): Item | undefined {
  return item === undefined || item === null ? undefined : (fromAttributes(item) as Item);
}

function readList(list: unknown): unknown[] {
  return Array.isArray(list) ? list : [];
}

function fieldOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
