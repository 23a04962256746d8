/**
 * The message of an entry. The table stores the action and its details, so that each reader gets the message in their
 * own language; `actions.ts` has the message of each action.
 */
import { type Message, type MessageKey, message } from '../../messages/message.ts';
import { actionOfChanges, findAction } from '../actions.ts';
import type { EventFacts } from '../event-record.ts';
import { declineMessage } from './decline-message.ts';
import { escapeText } from './escape-text.ts';
import { lineMessages } from './line-messages.ts';

/** Returns the message of an entry, with clients' texts escaped for a FormattedString. `who`: the actor, for the reader. */
export function eventMessage(
  { action, details, changes }: Pick<EventFacts, 'action' | 'details' | 'changes'>,
  actor: Message,
): Message {
  const name = action === 'changed_elsewhere' ? actionOfChanges(changes) : action;
  const found = findAction(name);
  if (found === undefined) return message('somethingDone', { actor, action: escapeText(action) });
  const { billingCycleIndex, expectedDate, errorCode, redeemCode } = details;
  const order = orderMessage(billingCycleIndex, expectedDate);
  const detailed = found.message?.({
    ...{ actor, order },
    paid: frequency(details.interval, details.intervalCount),
    delivered: frequency(details.deliveryInterval, details.deliveryIntervalCount),
    code: typeof redeemCode === 'string' ? escapeText(redeemCode) : undefined,
    why: declineMessage(errorCode),
    lines: lineMessages(changes),
    day: dayOf(details[found.dayDetail ?? '']),
  });
  return detailed ?? { messageKey: name as MessageKey, parameters: { actor, order } };
}

function orderMessage(index: unknown, expectedDate: unknown): Message {
  const day = dayOf(expectedDate);
  if (day !== undefined) return message('orderOfDay', { day });
  return typeof index === 'number'
    ? message('orderOfNumber', { number: index })
    : message('orderOfNobodyKnows');
}

function frequency(interval: unknown, count: unknown): Message | undefined {
  if (typeof interval !== 'string' || typeof count !== 'number') return undefined;
  return message('rhythm', { interval, count });
}

function dayOf(value: unknown): number | undefined {
  const dayMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dayMs) ? undefined : dayMs;
}
