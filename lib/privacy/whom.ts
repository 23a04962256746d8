/** Whom an erasure is about, as the items of the table are looked at, and what becomes of an item. */
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Change, Item } from '../storage/table.ts';
import type { IsPerson } from '../timeline/forget-facts.ts';

/** A customer of a store. */
export type Person = { readonly shopId: ShopId; readonly customerId: CustomerId };

export type Whom = {
  readonly shopId: ShopId;
  readonly isPerson: IsPerson;
  /** The numbers of the customer's contracts, as far as they are known. */
  readonly contracts: ReadonlySet<string>;
  /** What the customer did from then on belongs to a new sign-in; Infinity: there was none since. */
  readonly beforeMs: number;
  readonly nowMs: number;
};

/** `keep`: nothing of the person is in it. A change: what takes the person out of it. */
export type Forgetting = 'keep' | 'remove' | Omit<Change, 'key'>;
export type ForgetRule = (item: Item, whom: Whom) => Forgetting;
