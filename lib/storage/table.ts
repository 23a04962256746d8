/**
 * The service's one table. Every write is one conditional write on one item: a race is decided here and
 * nowhere else. Repositories beside this file put keys and records together.
 */

export type ItemKey = { readonly pk: string; readonly sk: string };
export type Item = ItemKey & Readonly<Record<string, unknown>>;
/** A record as it is read from an item: every field is named, none forgotten. */
export type Named<Record> = { readonly [Name in keyof Required<Record>]: Record[Name] | undefined };
type Values = Readonly<Record<string, unknown>>;

/** Expressions in DynamoDB's own language; `names` by `#name`, `values` by `:name`. */
export type Condition = {
  readonly condition?: string;
  readonly names?: Record<string, string>;
  readonly values?: Values;
};
export type Change = Condition & {
  readonly key: ItemKey;
  readonly update: string;
  /**
   * What this very write leaves in the item, and nobody else's: by it a write whose answer was lost knows itself, when
   * its repeat is refused.
   */
  readonly leaves?: Values;
};
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
  /** Consistent read in the order of `keys`, however many and however often named; a hundred items with one request. */
  batchGet(keys: readonly ItemKey[]): Promise<(Item | undefined)[]>;
  put(item: Item, condition?: Condition): Promise<'done' | 'refused'>;
  update(change: Change): Promise<WriteOutcome>;
  delete(key: ItemKey, condition?: Condition): Promise<'done' | 'refused'>;
  query(selection: Selection): Promise<{ items: Item[]; nextKey: Item | undefined }>;
};
