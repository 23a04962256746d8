/** Whether a function may make a call to AWS, judged as IAM does: by the verb, and by every leading key that it names. */
import type { Rights, TableAction } from './rights.ts';

export type TableCall = {
  /** DynamoDB's name of the operation. */
  readonly action: string;
  /** Set: an index is read. */
  readonly index?: string | undefined;
  /** The partition keys, of the index where one is read. */
  readonly leadingKeys: readonly string[];
};
export type SecretCall = { readonly action: string; readonly secretName: string };

/** False for a call that names no key, too, but for a scan of a function that may. */
export function mayCallTable({ table, index, scans = false }: Rights, call: TableCall): boolean {
  if (call.action === 'Scan') return scans && call.index === undefined;
  const byFamily: Readonly<Record<string, readonly string[] | undefined>> = call.index ? index : table;
  const { action, leadingKeys } = call;
  return leadingKeys.length > 0 && leadingKeys.every((key) => byFamily[familyOf(key)]?.includes(action));
}

/** `secretName`: with the environment's prefix before it. */
export function mayCallSecret({ secrets }: Rights, { action, secretName }: SecretCall): boolean {
  return Object.entries(secrets).some(
    ([pattern, actions]: [string, readonly string[]]) =>
      isNamed(secretName, pattern) && actions.includes(action),
  );
}

/**
 * The first word of a partition key; empty: it has none.
 * @internal Tests name the right that a call takes.
 */
export function familyOf(key: string): string {
  return /^([A-Z_]+)#/.exec(key)?.[1] ?? '';
}

function isNamed(secretName: string, pattern: string): boolean {
  return new RegExp(`(^|/)${pattern.replace('*', '[^/]+')}$`).test(secretName);
}

/** What a request of DynamoDB's touches, from its JSON body. */
export function tableCallOf(operation: string, body: unknown): TableCall {
  const input = body as RequestBody;
  const batched = Object.values(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys);
  const keys = [...batched, input.Key, input.Item].flatMap((key) => key?.pk?.S ?? []);
  const queried = operation === 'Query' ? keyOfQuery(input) : undefined;
  const leadingKeys = queried === undefined ? keys : [queried];
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

/** The value that the partition key is held equal to: of our queries the first part of the condition. */
function keyOfQuery({ KeyConditionExpression, ExpressionAttributeValues }: RequestBody): string | undefined {
  const name = /^\s*(?:pk|actionPk) = (:\w+)\b/.exec(KeyConditionExpression ?? '')?.[1];
  return name === undefined ? undefined : ExpressionAttributeValues?.[name]?.S;
}
