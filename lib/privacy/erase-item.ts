/**
 * The erasure rule of each kind of item. Both the immediate erasure and the sweep use it. A kind without personal data
 * has an explicit rule that keeps it.
 */
import type { Item } from '../storage/table.ts';
import {
  eraseChargeClaim,
  eraseDueItem,
  erasePause,
  eraseSnapshot,
  eraseStreamEvent,
  eraseTimelineEntry,
} from './erase-contract-items.ts';
import {
  eraseCustomerNumber,
  eraseIdempotencyRecord,
  eraseInboxItem,
  eraseSession,
  eraseSignIn,
  removeExpired,
} from './erase-own-items.ts';
import type { ErasureRule, ErasureSubject, ItemErasure } from './erasure-subject.ts';

const keepItem: ErasureRule = () => 'keep';

/**
 * The rule for each kind of item. The kind is the first word of the partition key.
 * @internal A test compares the kinds with the rights of the functions.
 */
export const erasureRules: Readonly<Record<string, ErasureRule>> = {
  SHOP: keepItem,
  STORE: keepItem,
  GRANT: keepItem,
  KEYS: keepItem,
  LINK: keepItem,
  SIGN_IN: eraseSignIn,
  SESSIONS: eraseSession,
  TIMELINE: (item, subject) =>
    item.sk === '~charging' ? eraseChargeClaim(item, subject) : eraseTimelineEntry(item, subject),
  DUE: eraseDueItem,
  PAUSE: erasePause,
  // Contains only dates of orders.
  POSTPONEMENT: keepItem,
  // Contains only dates of orders, and expires after half an hour.
  INTERVAL: keepItem,
  COOLDOWN: removeExpired,
  REPEAT: eraseIdempotencyRecord,
  SHARE: removeExpired,
  ENDPOINT: keepItem,
  // Contains numbers of stream records, which are no personal data; a customer's number is removed.
  DELIVERY: eraseCustomerNumber,
  // Contains only the hash of the customer, which must stay so that the customer remains erased.
  TOMBSTONE: keepItem,
  COMPLIANCE: eraseCustomerNumber,
  MARK: eraseInboxItem,
  WAKE: keepItem,
  STREAM: eraseStreamEvent,
  SNAPSHOT: eraseSnapshot,
};

/** Returns how to erase the customer from the item. An item of an unknown kind loses the customer's number. */
export function eraseItem(item: Item, subject: ErasureSubject): ItemErasure {
  if (item.shopId !== subject.shopId) return 'keep';
  return (erasureRules[itemKindOf(item)] ?? eraseCustomerNumber)(item, subject);
}

/** Returns the kind of an item: the first word of its partition key. */
export function itemKindOf({ pk }: Pick<Item, 'pk'>): string {
  return pk.split('#', 1)[0] ?? pk;
}
