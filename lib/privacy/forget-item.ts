/**
 * What becomes of an item when a customer is erased: one rule for each family, for the erasure at once and the sweep alike.
 * A family without a rule holds nothing of a person, and says so.
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
 * The rules by family: the first word of an item's partition key.
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
  // Dates of orders alone, for half an hour.
  INTERVAL: nobody,
  COOLDOWN: removeRunOut,
  REPEAT: forgetRepeat,
  SHARE: removeRunOut,
  ENDPOINT: nobody,
  // Numbers of the stream alone.
  DELIVERY: forgetNamed,
  // The hash is all that is to stay.
  TOMBSTONE: nobody,
  COMPLIANCE: forgetNamed,
  MARK: forgetMark,
  WAKE: nobody,
  STREAM: forgetEvent,
  SNAPSHOT: forgetSnapshot,
};

/** What becomes of the item. Of a family that is not known, whatever names the customer is taken out. */
export function forgetItem(item: Item, whom: Whom): Forgetting {
  if (item.shopId !== whom.shopId) return 'keep';
  return (forgetRules[familyOf(item)] ?? forgetNamed)(item, whom);
}

/** The first word of an item's partition key. */
export function familyOf({ pk }: Pick<Item, 'pk'>): string {
  return pk.split('#', 1)[0] ?? pk;
}
