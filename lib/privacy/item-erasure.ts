/**
 * The erasure rule of each kind of item. Both the immediate erasure and the sweep use it. A kind without personal data
 * has an explicit rule that keeps it.
 */
import { type Item, itemKindOf } from '../storage/table.ts';
import {
  decideChargeClaimErasure,
  decidePauseErasure,
  decideScheduledTaskErasure,
  decideSnapshotErasure,
  decideStreamEventErasure,
  decideTimelineItemErasure,
} from './contract-item-erasure.ts';
import {
  decideCustomerNumberErasure,
  decideExpiredItemErasure,
  decideIdempotencyRecordErasure,
  decideInboxItemErasure,
  decideSessionErasure,
  decideSignInErasure,
} from './customer-item-erasure.ts';
import type { ErasureRule, ErasureSubject, ItemErasure } from './erasure-subject.ts';

const keepItemRule: ErasureRule = () => 'keep';

/**
 * The rule for each kind of item. The kind is the first word of the partition key.
 * @internal A test compares the kinds with the rights of the functions.
 */
export const ERASURE_RULES_BY_KIND: Readonly<Record<string, ErasureRule>> = {
  SHOP: keepItemRule,
  STORE: keepItemRule,
  GRANT: keepItemRule,
  KEYS: keepItemRule,
  LINK: keepItemRule,
  SIGN_IN: decideSignInErasure,
  SESSIONS: decideSessionErasure,
  TIMELINE: (item, subject) =>
    item.sk === '~charging'
      ? decideChargeClaimErasure(item, subject)
      : decideTimelineItemErasure(item, subject),
  DUE: decideScheduledTaskErasure,
  PAUSE: decidePauseErasure,
  // Contains only dates of orders.
  POSTPONEMENT: keepItemRule,
  BILLING: keepItemRule,
  PREVIEW: keepItemRule,
  LEDGER: keepItemRule,
  REMINDER: keepItemRule,
  RUN: keepItemRule,
  // Contains only dates of orders, and expires after half an hour.
  INTERVAL: keepItemRule,
  COOLDOWN: decideExpiredItemErasure,
  REPEAT: decideIdempotencyRecordErasure,
  SHARE: decideExpiredItemErasure,
  ENDPOINT: keepItemRule,
  // Contains numbers of stream records, which are no personal data; a customer's number is removed.
  DELIVERY: decideCustomerNumberErasure,
  // Contains only the hash of the customer, which must stay so that the customer remains erased.
  TOMBSTONE: keepItemRule,
  COMPLIANCE: decideCustomerNumberErasure,
  MARK: decideInboxItemErasure,
  WAKE: keepItemRule,
  STREAM: decideStreamEventErasure,
  SNAPSHOT: decideSnapshotErasure,
};

/** Returns how to erase the customer from the item. An item of an unknown kind loses the customer's number. */
export function decideItemErasure(item: Item, subject: ErasureSubject): ItemErasure {
  if (item.shopId !== subject.shopId) return 'keep';
  return (ERASURE_RULES_BY_KIND[itemKindOf(item)] ?? decideCustomerNumberErasure)(item, subject);
}
