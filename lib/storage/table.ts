/**
 * The interface to the service's one table. Each write is one conditional write to one item, which decides concurrent
 * changes. The modules of this folder define keys and records.
 */

export type ItemKey = { readonly pk: string; readonly sk: string };
export type Item = ItemKey & Readonly<Record<string, unknown>>;
/** The type of a record that lists every field, with undefined for those that the item lacks. */
export type WithAllFields<Record> = { readonly [Name in keyof Required<Record>]: Record[Name] | undefined };
type ExpressionValues = Readonly<Record<string, unknown>>;

/** A condition in DynamoDB's expression syntax. `names` replaces placeholders `#name`, `values` replaces `:name`. */
export type WriteCondition = {
  readonly condition?: string;
  readonly names?: Record<string, string>;
  readonly values?: ExpressionValues;
};
export type ItemChange = WriteCondition & {
  readonly key: ItemKey;
  readonly update: string;
  /**
   * Values that only this write can leave in the item. When a retry is refused, the item is read, and these values show
   * whether the first attempt was written.
   */
  readonly writtenValues?: ExpressionValues;
};
export type QuerySelection = WriteCondition & {
  readonly keyCondition: string;
  readonly index?: string;
  readonly consistent?: boolean;
  readonly descending?: boolean;
  readonly limit?: number;
  readonly startKey?: Item;
};
/** Returns the kind of an item: the first word of its partition key. */
export function itemKindOf({ pk }: Pick<Item, 'pk'>): string {
  return pk.split('#', 1)[0] ?? pk;
}

/** Returns the condition of a write that replaces a version of an item; version 0 means that there was no item. */
export function versionCondition(version: number): WriteCondition {
  if (version === 0) return { condition: 'attribute_not_exists(pk)' };
  return { condition: 'version = :version', values: { ':version': version } };
}

/** `done` with the item after the write, or `refused` when the condition did not hold. */
export type WriteOutcome =
  | { readonly outcome: 'done'; readonly item: Item }
  | { readonly outcome: 'refused' };

export type Table = {
  /** Reads one item with a consistent read. */
  get(key: ItemKey): Promise<Item | undefined>;
  /**
   * Reads items with consistent reads, in the order of `keys`. A key may occur twice. Sends one request per hundred
   * keys.
   */
  batchGet(keys: readonly ItemKey[]): Promise<(Item | undefined)[]>;
  put(item: Item, condition?: WriteCondition): Promise<'done' | 'refused'>;
  update(change: ItemChange): Promise<WriteOutcome>;
  delete(key: ItemKey, condition?: WriteCondition): Promise<'done' | 'refused'>;
  query(selection: QuerySelection): Promise<{ items: Item[]; nextKey: Item | undefined }>;
};
