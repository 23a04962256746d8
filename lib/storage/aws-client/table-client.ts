/** Reads and writes the table in DynamoDB, through the AWS SDK or the service's own client. */
import { isDeepStrictEqual } from 'node:util';
import { awaitAll } from '../../domain/await-all.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import type { Item, ItemChange, ItemKey, QuerySelection, Table, WriteCondition } from '../table.ts';
import { fromAttributes, toAttributes } from './attribute-values.ts';
import { type AwsCall, type AwsOutput, awsFailureFactsOf, isConditionalCheckFailure } from './aws-call.ts';
import { createAwsErrorConverters } from './aws-error-converters.ts';

const { withConvertedErrors, createThrottledError, toServiceError } = createAwsErrorConverters('the table');

/** DynamoDB's maximum number of keys in one BatchGetItem request. */
const KEYS_PER_BATCH = 100;

/**
 * The result of a write. Without `output` the condition did not hold; `isRetry` is then true when an earlier attempt
 * may have written the item.
 */
type TableWriteResult = { readonly output?: AwsOutput; readonly isRetry?: boolean };
export type TableClientDeps = { readonly call: AwsCall; readonly tableName: string };

/** Creates the access to the table. Failures are the errors of aws-error-converters.ts. */
export function createTableClient({ call, tableName: TableName }: TableClientDeps): Table {
  const writeItem = async (operation: string, input: object): Promise<TableWriteResult> => {
    try {
      return { output: await call(operation, { TableName, ...input }) };
    } catch (error) {
      if (isConditionalCheckFailure(error)) return { isRetry: (awsFailureFactsOf(error).attempts ?? 1) > 1 };
      throw toServiceError(error);
    }
  };
  const get = async (key: ItemKey) => {
    const getInput = { TableName, Key: toAttributes(key), ConsistentRead: true };
    return toItem((await withConvertedErrors(call('GetItem', getInput))).Item);
  };
  const getBatch = async (keys: readonly ItemKey[]) => {
    const foundItems: Item[] = [];
    let pendingKeys: unknown[] = keys.map(({ pk, sk }) => toAttributes({ pk, sk }));
    while (pendingKeys.length > 0) {
      const batchGetInput = { RequestItems: { [TableName]: { Keys: pendingKeys, ConsistentRead: true } } };
      const { Responses, UnprocessedKeys } = await withConvertedErrors(call('BatchGetItem', batchGetInput));
      foundItems.push(...toItems(objectFieldOf(Responses, TableName)));
      const unprocessedKeys = toListOrEmpty(objectFieldOf(objectFieldOf(UnprocessedKeys, TableName), 'Keys'));
      if (unprocessedKeys.length >= pendingKeys.length) throw createThrottledError();
      pendingKeys = unprocessedKeys;
    }
    return foundItems;
  };
  return {
    get,
    async batchGet(keys) {
      // DynamoDB rejects a request that contains a key twice.
      const keyNames = keys.map(itemMapKey);
      const distinctKeys = [
        ...new Map(keyNames.map((name, index) => [name, keys[index] as ItemKey])).values(),
      ];
      const items =
        distinctKeys.length <= KEYS_PER_BATCH
          ? await getBatch(distinctKeys)
          : (await awaitAll(splitIntoBatches(distinctKeys, KEYS_PER_BATCH).map(getBatch))).flat();
      const itemByKey = new Map(items.map((item) => [itemMapKey(item), item]));
      return keyNames.map((name) => itemByKey.get(name));
    },
    async put(item, condition = {}) {
      const Item = toAttributes(item);
      const { output, isRetry } = await writeItem('PutItem', { Item, ...toExpressionFields(condition) });
      if (output !== undefined) return 'done';
      // The first attempt may have written the item and lost its response, so that the condition refused the retry.
      // Compare the item.
      const { pk, sk } = item;
      const isWritten = isRetry === true && isDeepStrictEqual(await get({ pk, sk }), fromAttributes(Item));
      return isWritten ? 'done' : 'refused';
    },
    async update({ key, update, writtenValues, ...condition }) {
      const { output, isRetry } = await writeItem('UpdateItem', {
        Key: toAttributes(key),
        UpdateExpression: update,
        ReturnValues: 'ALL_NEW',
        ...toExpressionFields(condition),
      });
      if (output !== undefined) return { outcome: 'done', item: toItem(output.Attributes) ?? (key as Item) };
      const item = isRetry === true && writtenValues !== undefined ? await get(key) : undefined;
      return item !== undefined && hasItemValues(item, writtenValues)
        ? { outcome: 'done', item }
        : { outcome: 'refused' };
    },
    async delete(key, condition = {}) {
      const { output } = await writeItem('DeleteItem', {
        Key: toAttributes(key),
        ...toExpressionFields(condition),
      });
      return output === undefined ? 'refused' : 'done';
    },
    async query(selection) {
      const output = await withConvertedErrors(call('Query', { TableName, ...toQueryInput(selection) }));
      return { items: toItems(output.Items), nextKey: toItem(output.LastEvaluatedKey) };
    },
  };
}

function toQueryInput({
  keyCondition,
  index,
  consistent,
  descending,
  limit,
  startKey,
  ...condition
}: QuerySelection) {
  const { ConditionExpression: filterExpression, ...rest } = toExpressionFields(condition);
  return {
    KeyConditionExpression: keyCondition,
    ConsistentRead: consistent ?? false,
    ScanIndexForward: !descending,
    ...rest,
    ...(filterExpression && { FilterExpression: filterExpression }),
    ...(index && { IndexName: index }),
    ...(limit && { Limit: limit }),
    ...(startKey && { ExclusiveStartKey: toAttributes(startKey) }),
  };
}

function hasItemValues(item: Item, values: ItemChange['writtenValues'] = {}): boolean {
  return Object.entries(values).every(([name, value]) => isDeepStrictEqual(item[name], value));
}

function itemMapKey({ pk, sk }: ItemKey): string {
  return `${pk}\n${sk}`;
}

/** Converts condition, names and values to the fields of DynamoDB's API. */
function toExpressionFields({ condition, names, values }: WriteCondition) {
  return {
    ...(condition && { ConditionExpression: condition }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: toAttributes(values) }),
  };
}

/** Returns the items of a response. An absent list means no items. */
export function toItems(items: unknown): Item[] {
  return toListOrEmpty(items).map((item) => fromAttributes(item) as Item);
}

/**
 * Returns the item of a response.
 * @returns undefined when there is none
 */
export function toItem(item: unknown): Item | undefined {
  return item === undefined || item === null ? undefined : (fromAttributes(item) as Item);
}

function toListOrEmpty(list: unknown): unknown[] {
  return Array.isArray(list) ? list : [];
}

function objectFieldOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
