/** Evaluates whether a function may make a call to AWS, as IAM does: by the action, and by every leading key. */
import type { FunctionRights, TableAction } from './rights.ts';

export type TableCall = {
  /** DynamoDB's name of the operation. */
  readonly action: string;
  /** The index that is read, if any. */
  readonly index?: string | undefined;
  /** The partition keys, of the index if one is read. */
  readonly leadingKeys: readonly string[];
};
export type SecretCall = { readonly action: string; readonly secretName: string };

/** Returns false also for a call without keys, except for a scan by a function with that right. */
export function mayCallTable({ table, index, scans = false }: FunctionRights, call: TableCall): boolean {
  if (call.action === 'Scan') return scans && call.index === undefined;
  const actionsByFamily: Readonly<Record<string, readonly string[] | undefined>> = call.index ? index : table;
  const { action, leadingKeys } = call;
  return (
    leadingKeys.length > 0 &&
    leadingKeys.every((key) => actionsByFamily[parseItemFamily(key)]?.includes(action))
  );
}

/** `secretName` includes the environment's prefix. */
export function mayCallSecret({ secrets }: FunctionRights, { action, secretName }: SecretCall): boolean {
  return Object.entries(secrets).some(
    ([pattern, actions]: [string, readonly string[]]) =>
      matchesSecretPattern(secretName, pattern) && actions.includes(action),
  );
}

/**
 * Returns the first word of a partition key, or an empty string when the key has none.
 * @internal Tests name the right that a call needs.
 */
export function parseItemFamily(key: string): string {
  return /^([A-Z_]+)#/.exec(key)?.[1] ?? '';
}

function matchesSecretPattern(secretName: string, pattern: string): boolean {
  return new RegExp(`(^|/)${pattern.replace('*', '[^/]+')}$`).test(secretName);
}

/** Returns the action and keys of a DynamoDB request, from its JSON body. */
export function parseTableCall(operation: string, body: unknown): TableCall {
  const input = body as RequestBody;
  const batchKeys = Object.values(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys);
  const keys = [...batchKeys, input.Key, input.Item].flatMap((key) => key?.pk?.S ?? []);
  const queriedPartitionKey = operation === 'Query' ? findPartitionKeyOfQuery(input) : undefined;
  const leadingKeys = queriedPartitionKey === undefined ? keys : [queriedPartitionKey];
  return { action: operation as TableAction, index: input.IndexName, leadingKeys };
}

type KeyOfItem = { readonly pk?: { readonly S?: string } };
type RequestBody = {
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly KeyOfItem[] }>>;
  readonly Key?: KeyOfItem;
  readonly Item?: KeyOfItem;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
};

/** Returns the value of the partition key. The service's queries put it first in the condition. */
function findPartitionKeyOfQuery({
  KeyConditionExpression,
  ExpressionAttributeValues,
}: RequestBody): string | undefined {
  const name = /^\s*(?:pk|actionPk) = (:\w+)\b/.exec(KeyConditionExpression ?? '')?.[1];
  return name === undefined ? undefined : ExpressionAttributeValues?.[name]?.S;
}
