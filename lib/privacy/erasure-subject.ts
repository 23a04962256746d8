/** The customer to erase, and the decision how one item of the table changes. */
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemChange } from '../storage/table.ts';
import type { IsErasedCustomer } from '../timeline/redact-facts.ts';

/** A customer, in a store. */
export type CustomerOfStore = { readonly shopId: ShopId; readonly customerId: CustomerId };

export type ErasureSubject = {
  readonly shopId: ShopId;
  readonly isSubjectCustomer: IsErasedCustomer;
  /** The numbers of the customer's contracts that are known so far. */
  readonly contracts: ReadonlySet<string>;
  /**
   * Epoch milliseconds. Data from this time on stays: it is the time of the customer's first sign-in after the erasure,
   * or Infinity without such a sign-in.
   */
  readonly eraseBeforeMs: number;
  readonly nowMs: number;
};

/**
 * `keep`: the item has no data of the customer. `remove`: the item is deleted. Otherwise the change that removes the
 * customer from it.
 */
export type ItemErasure = 'keep' | 'remove' | Omit<ItemChange, 'key'>;
export type ErasureRule = (item: Item, subject: ErasureSubject) => ItemErasure;
