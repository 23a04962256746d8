/**
 * The erasure rule of each item type, for the immediate erasure and the sweep. A type without personal data has an
 * explicit empty rule.
 */
import type { Item } from '../storage/table.ts';
import {
  eraseCharging,
  eraseDue,
  eraseEvent,
  erasePause,
  eraseRecorded,
  eraseSnapshot,
} from './erase-contract-items.ts';
import {
  eraseIdempotencyRecord,
  eraseInboxItem,
  eraseNamed,
  eraseSession,
  eraseSignIn,
  removeRunOut,
} from './erase-own-items.ts';
import type { ErasureRule, ErasureSubject, ItemErasure } from './erasure-subject.ts';

const keepItem: ErasureRule = () => 'keep';

/**
 * The rules by item type: the first word of an item's partition key.
 * @internal A test holds them against the table of rights.
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
    item.sk === '~charging' ? eraseCharging(item, subject) : eraseRecorded(item, subject),
  DUE: eraseDue,
  PAUSE: erasePause,
  // Only dates of orders, for half an hour.
  INTERVAL: keepItem,
  COOLDOWN: removeRunOut,
  REPEAT: eraseIdempotencyRecord,
  SHARE: removeRunOut,
  ENDPOINT: keepItem,
  // Only numbers of the stream.
  DELIVERY: eraseNamed,
  // The hash is the only data that must remain.
  TOMBSTONE: keepItem,
  COMPLIANCE: eraseNamed,
  MARK: eraseInboxItem,
  WAKE: keepItem,
  STREAM: eraseEvent,
  SNAPSHOT: eraseSnapshot,
};

/** Returns how the item is erased. Items of an unknown type lose the customer's number. */
export function eraseItem(item: Item, subject: ErasureSubject): ItemErasure {
  if (item.shopId !== subject.shopId) return 'keep';
  return (erasureRules[familyOf(item)] ?? eraseNamed)(item, subject);
}

/** Returns the first word of an item's partition key. */
export function familyOf({ pk }: Pick<Item, 'pk'>): string {
  return pk.split('#', 1)[0] ?? pk;
}
