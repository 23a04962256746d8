/**
 * What DynamoDB charges for a call, counted from the items that it touches: a read unit for each 4 KB that is read
 * consistently and half of one else, a write unit for each KB that is written, and the same again in the index. (DynamoDB
 * developer guide, "Read/write capacity mode": the larger of the item before and after counts, and a refused write too.)
 */
import {
  DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE_DEFINITION } from '../../../infra/definition/table-definition.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';

export type Units = {
  readonly readUnits: number;
  readonly writeUnits: number;
  /**
   * The bytes that remain in table and index after DynamoDB's removal of items with a time to live, with 100 bytes per
   * item of overhead.
   */
  readonly storedBytes: number;
};
type Value = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Value>>;
type Body = Readonly<Record<string, unknown>>;
/** Begins before the call is made; the function that it gives takes the answer. */
export type Weigh = (operation: string, request: Body) => Promise<(answer: Body) => Promise<Units>>;

const KEYS = [TABLE_DEFINITION.partitionKey, TABLE_DEFINITION.sortKey];
const [INDEX] = TABLE_DEFINITION.indexes;
const OWN_BYTES = 100;
const none: Units = { readUnits: 0, writeUnits: 0, storedBytes: 0 };

/** Creates a scale over the table of the emulator at this address. */
export function createScale(url: string): { readonly weigh: Weigh; readonly close: () => void } {
  const client = new DynamoDBClient(emulatorClientSettings(url));
  const find = async (TableName: unknown, Key: unknown) =>
    (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true } as GetItemCommandInput)))
      .Item as Item | undefined;
  const weigh: Weigh = async (operation, request) => {
    if (!['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation))
      return async (answer) => ({ ...none, readUnits: readUnitsOf(operation, request, answer) });
    const key = request.Key ?? keyOf(request.Item as Item);
    const before = await find(request.TableName, key);
    return async () => {
      const after = await find(request.TableName, key);
      const storedBytes = storedBytesOf(after) - storedBytesOf(before);
      return { ...none, writeUnits: writeUnitsOf(before, after), storedBytes };
    };
  };
  return { weigh, close: () => client.destroy() };
}

/** Returns the average bytes of an item in each family of keys, including the overhead. */
export async function weighFamilies(url: string, TableName: string): Promise<Record<string, number>> {
  const client = new DynamoDBClient(emulatorClientSettings(url));
  const families = new Map<string, number[]>();
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey } as never));
    for (const item of (page.Items ?? []) as unknown as Item[]) {
      const family = familyOf(String(item.pk?.S));
      families.set(family, [...(families.get(family) ?? []), bytesOf(item) + OWN_BYTES]);
    }
    ExclusiveStartKey = page.LastEvaluatedKey as Item | undefined;
  } while (ExclusiveStartKey !== undefined);
  client.destroy();
  const mean = (all: readonly number[]) => Math.round(all.reduce((sum, one) => sum + one, 0) / all.length);
  return Object.fromEntries([...families].sort().map(([name, all]) => [name, mean(all)]));
}

/** A customer's notes lie beside the snapshots that they lead to. */
function familyOf(pk: string): string {
  const [family = '', , customer] = pk.split('#');
  return family === 'SNAPSHOT' && customer !== undefined ? 'NOTE' : family;
}

function keyOf(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => KEYS.includes(name as never)));
}

function readUnitsOf(operation: string, request: Body, answer: Body): number {
  const items = (answer.Items ?? [answer.Item ?? {}]) as Item[];
  const whole = (bytes: number) => Math.max(1, Math.ceil(bytes / 4096));
  if (operation === 'BatchGetItem') {
    const [requestText] = Object.values(
      request.RequestItems as Record<string, { Keys: Item[]; ConsistentRead?: boolean }>,
    );
    const [found = []] = Object.values((answer.Responses ?? {}) as Record<string, Item[]>);
    const missing = (requestText?.Keys.length ?? 0) - found.length;
    const units = missing + found.reduce((sum, item) => sum + whole(bytesOf(item)), 0);
    return requestText?.ConsistentRead === true ? units : units / 2;
  }
  const units = whole(items.reduce((sum, item) => sum + bytesOf(item), 0));
  return request.ConsistentRead === true ? units : units / 2;
}

function writeUnitsOf(before: Item | undefined, after: Item | undefined): number {
  const units = (item: Item | undefined) => (item === undefined ? 0 : Math.ceil(bytesOf(item) / 1024));
  const own = Math.max(1, units(before), units(after));
  const [was, is] = [before, after].map((item) => (isInIndex(item) ? item : undefined));
  if (was === undefined || is === undefined) return own + units(was) + units(is);
  // The same place in the index: written once if anything of it differs.
  return own + (JSON.stringify(was) === JSON.stringify(is) ? 0 : Math.max(units(was), units(is)));
}

function storedBytesOf(item: Item | undefined): number {
  if (item === undefined || TABLE_DEFINITION.ttlAttribute in item) return 0;
  return (bytesOf(item) + OWN_BYTES) * (isInIndex(item) ? 2 : 1);
}

function isInIndex(item: Item | undefined): boolean {
  return item?.[INDEX.partitionKey] !== undefined && item[INDEX.sortKey] !== undefined;
}

/** Names and values in UTF-8; numbers, lists and maps by DynamoDB's rules of thumb. */
function bytesOf(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: Value): number {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  if (type === 'S') return Buffer.byteLength(String(content));
  if (type === 'N') return Math.ceil(String(content).replace(/\D/g, '').length / 2) + 1;
  if (type === 'B') return Buffer.from(String(content), 'base64').byteLength;
  if (type === 'L') return 3 + (content as Value[]).reduce((sum, one) => sum + 1 + valueBytes(one), 0);
  if (type === 'M') return 3 + Object.keys(content as object).length + bytesOf(content as Item);
  if (type === 'SS' || type === 'NS')
    return (content as string[]).reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  return 1;
}
