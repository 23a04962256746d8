/** The subject of an erasure, and the result of erasing it from one item. */
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Change, Item } from '../storage/table.ts';
import type { IsPerson } from '../timeline/erase-facts.ts';

/** A customer of a store. */
export type Person = { readonly shopId: ShopId; readonly customerId: CustomerId };

export type ErasureSubject = {
  readonly shopId: ShopId;
  readonly isPerson: IsPerson;
  /** The known numbers of the customer's contracts. */
  readonly contracts: ReadonlySet<string>;
  /** The customer's data from this time on belongs to a new sign-in; Infinity without one. */
  readonly beforeMs: number;
  readonly nowMs: number;
};

/** `keep`: the item contains no data of the person. A change: it removes the person from the item. */
export type ItemErasure = 'keep' | 'remove' | Omit<Change, 'key'>;
export type ErasureRule = (item: Item, subject: ErasureSubject) => ItemErasure;
