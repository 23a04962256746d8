/**
 * The erasure rule of each item type, for the immediate erasure and the sweep. A type without personal data has an
 * explicit empty rule.
 */
import type { Item } from '../storage/table.ts';
import {
  forgetCharging,
  forgetDue,
  forgetEvent,
  forgetPause,
  forgetSnapshot,
  forgetTold,
} from './forget-contract-items.ts';
import {
  forgetMark,
  forgetNamed,
  forgetRepeat,
  forgetSession,
  forgetSignIn,
  removeRunOut,
} from './forget-own-items.ts';
import type { ForgetRule, Forgetting, Whom } from './whom.ts';

const nobody: ForgetRule = () => 'keep';

/**
 * The rules by item type: the first word of an item's partition key.
 * @internal A test holds them against the table of rights.
 */
export const forgetRules: Readonly<Record<string, ForgetRule>> = {
  SHOP: nobody,
  STORE: nobody,
  GRANT: nobody,
  KEYS: nobody,
  LINK: nobody,
  SIGN_IN: forgetSignIn,
  SESSIONS: forgetSession,
  TIMELINE: (item, whom) => (item.sk === '~charging' ? forgetCharging(item, whom) : forgetTold(item, whom)),
  DUE: forgetDue,
  PAUSE: forgetPause,
  // Only dates of orders, for half an hour.
  INTERVAL: nobody,
  COOLDOWN: removeRunOut,
  REPEAT: forgetRepeat,
  SHARE: removeRunOut,
  ENDPOINT: nobody,
  // Only numbers of the stream.
  DELIVERY: forgetNamed,
  // The hash is the only data that must remain.
  TOMBSTONE: nobody,
  COMPLIANCE: forgetNamed,
  MARK: forgetMark,
  WAKE: nobody,
  STREAM: forgetEvent,
  SNAPSHOT: forgetSnapshot,
};

/** Returns how the item is erased. Items of an unknown type lose the customer's number. */
export function forgetItem(item: Item, whom: Whom): Forgetting {
  if (item.shopId !== whom.shopId) return 'keep';
  return (forgetRules[familyOf(item)] ?? forgetNamed)(item, whom);
}

/** Returns the first word of an item's partition key. */
export function familyOf({ pk }: Pick<Item, 'pk'>): string {
  return pk.split('#', 1)[0] ?? pk;
}
