/**
 * The service's one table. Every write is one conditional write on one item: all races are resolved here. The
 * repositories in this folder define keys and records.
 */

export type ItemKey = { readonly pk: string; readonly sk: string };
export type Item = ItemKey & Readonly<Record<string, unknown>>;
/** A record as it is read from an item: every field is listed. */
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
   * Values that only this write leaves in the item: a write whose response was lost recognises itself by them when
   * its retry is refused.
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
/** `done` with the item after the write, or `refused` when the condition did not hold. */
export type WriteOutcome =
  | { readonly outcome: 'done'; readonly item: Item }
  | { readonly outcome: 'refused' };

export type Table = {
  /** Reads one item consistently. */
  get(key: ItemKey): Promise<Item | undefined>;
  /**
   * Reads consistently, in the order of `keys`; any number of keys, duplicates allowed; a hundred items in one
   * request.
   */
  batchGet(keys: readonly ItemKey[]): Promise<(Item | undefined)[]>;
  put(item: Item, condition?: Condition): Promise<'done' | 'refused'>;
  update(change: Change): Promise<WriteOutcome>;
  delete(key: ItemKey, condition?: Condition): Promise<'done' | 'refused'>;
  query(selection: Selection): Promise<{ items: Item[]; nextKey: Item | undefined }>;
};
