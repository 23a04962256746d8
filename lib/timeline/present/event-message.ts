/**
 * The message of an entry. The table stores the action and its details, so that each reader gets the message in their
 * own language; `actions.ts` has the message of each action.
 */
import { type Message, type MessageKey, message } from '../../messages/message.ts';
import { classifyFactChanges, findActionDefinition } from '../actions.ts';
import type { CommonEventFields } from '../event-record.ts';
import type { FactChange } from '../facts.ts';
import { declineMessage, unpaidMessage } from './decline-message.ts';

/** Actions that return an order to its date: their messages name that date. */
const RESTORING_ACTIONS: ReadonlySet<string> = new Set([
  'billing_cycle_unskipped',
  'orders_postponement_reverted',
]);

/**
 * Returns the message of an entry, in which clients' texts are escaped for a FormattedString. `actor`: the message that names
 * the actor as the reader may see it.
 */
export function eventMessage(
  { action, details, changes }: Pick<CommonEventFields, 'action' | 'details' | 'changes'>,
  actor: Message,
): Message {
  const actionName = action === 'changed_elsewhere' ? classifyFactChanges(changes) : action;
  const actionDefinition = findActionDefinition(actionName);
  if (actionDefinition === undefined)
    return message('somethingDone', { actor, action: escapeFormattedText(action) });
  const { billingCycleIndex, expectedDate, billingDate, errorCode, redeemCode } = details;
  const orderDate = RESTORING_ACTIONS.has(action) ? (billingDate ?? expectedDate) : expectedDate;
  const order = orderMessage(billingCycleIndex, orderDate);
  const detailedMessage = actionDefinition.message?.({
    ...{ actor, order },
    billingFrequency: frequencyMessage(details.interval, details.intervalCount),
    deliveryFrequency: frequencyMessage(details.deliveryInterval, details.deliveryIntervalCount),
    discountCode: typeof redeemCode === 'string' ? escapeFormattedText(redeemCode) : undefined,
    declineReason: declineMessage(errorCode),
    unpaidReason: unpaidMessage(details.notChargedReason, errorCode),
    lineChanges: lineChangeMessages(changes),
    day: parseDetailDayMs(details[actionDefinition.dayDetail ?? '']),
    isSentNow: details.isSentNow === true,
    isPriceStep: details.isPriceStep === true,
    arePricesChanged: changes.length > 0 && changes.every(({ field }) => field.endsWith('.currentPrice')),
  });
  return detailedMessage ?? { messageKey: actionName as MessageKey, parameters: { actor, order } };
}

function orderMessage(index: unknown, expectedDate: unknown): Message {
  const day = parseDetailDayMs(expectedDate);
  if (day !== undefined) return message('orderOfDay', { day });
  return typeof index === 'number'
    ? message('orderOfNumber', { number: index })
    : message('orderOfNobodyKnows');
}

function frequencyMessage(interval: unknown, count: unknown): Message | undefined {
  if (typeof interval !== 'string' || typeof count !== 'number') return undefined;
  return message('rhythm', { interval, count });
}

function parseDetailDayMs(value: unknown): number | undefined {
  const dayMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dayMs) ? undefined : dayMs;
}

/** A message names at most this many changed lines; the entry's changes contain all. */
const MAX_NAMED_LINES = 3;

/**
 * Describes the changed lines, for example `removed Decaf`, `added 2 × Filter papers`.
 * @returns undefined when the facts do not name the products
 *
 * @internal A test compares it with the lines that were changed.
 */
export function lineChangeMessages(changes: readonly FactChange[]): Message[] | undefined {
  const lineMessages = changes
    .map((fact) => lineChangeMessage(fact, changes))
    .filter((part) => part !== undefined);
  if (lineMessages.length === 0) return undefined;
  const unnamedCount = lineMessages.length - MAX_NAMED_LINES;
  const messages = mergeAddedLineMessages(lineMessages.slice(0, MAX_NAMED_LINES));
  return unnamedCount > 0 ? [...messages, message('linesMore', { count: unnamedCount })] : messages;
}

/** The message of one line's change; or, of an added line, only its product (`added`), because products are joined. */
type LineChangeMessage = Message | { readonly added: Message };

/** Joins consecutive added products to one message, with one verb for all. */
function mergeAddedLineMessages(lineMessages: readonly LineChangeMessage[]): Message[] {
  const messages: Message[] = [];
  let addedMessages: Message[] = [];
  for (const messagePart of [...lineMessages, undefined]) {
    if (messagePart !== undefined && 'added' in messagePart) addedMessages.push(messagePart.added);
    else {
      if (addedMessages.length > 0) messages.push(message('linesAdded', { products: addedMessages }));
      addedMessages = [];
      if (messagePart !== undefined) messages.push(messagePart);
    }
  }
  return messages;
}

function lineChangeMessage(
  { field, before, after, names }: FactChange,
  changes: readonly FactChange[],
): LineChangeMessage | undefined {
  const titleBefore = names?.before == null ? undefined : escapeFormattedText(names.before);
  const titleAfter = names?.after == null ? undefined : escapeFormattedText(names.after);
  if (field.startsWith('discounts.'))
    return titleBefore === undefined
      ? message('lineSomeDiscountRemoved')
      : message('lineDiscountRemoved', { title: titleBefore });
  // An added line has facts for its variant and its quantity: only the fact of the quantity gets a message.
  if (field.endsWith('.variantId')) {
    if (!titleBefore || !titleAfter) return undefined;
    const quantityFact = changes.find((one) => one.field === field.replace(/variantId$/, 'quantity'));
    if (quantityFact === undefined) return message('lineSwapped', { before: titleBefore, after: titleAfter });
    return message('lineSwapped', {
      before: productMessage(quantityFact.before, titleBefore),
      after: productMessage(quantityFact.after, titleAfter),
    });
  }
  if (!field.endsWith('.quantity')) return undefined;
  const variantField = field.replace(/quantity$/, 'variantId');
  const isVariantSwapped = changes.some((one) => one.field === variantField && one.after !== null);
  if (isVariantSwapped && before !== null) return undefined;
  if (before === null) return titleAfter ? { added: productMessage(after, titleAfter) } : undefined;
  if (after === null) return titleBefore ? message('lineRemoved', { product: titleBefore }) : undefined;
  return titleAfter ? message('lineQuantityChanged', { product: titleAfter, before, after }) : undefined;
}

function productMessage(quantity: string | null, productTitle: string): Message {
  return message('lineProduct', { quantity: quantity ?? '', product: productTitle });
}

const FORMATTED_STRING_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
};

/** Control characters, and characters that change the direction of the following text (Unicode UAX #9, explicit formatting). */
const INVISIBLE_CHARACTER_PATTERN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Escapes a client's text for a FormattedString (specification, "Scalars and shared types"). The text stands between
 * tags, never in an attribute, so only two characters could start markup. Removes invisible characters.
 */
export function escapeFormattedText(text: string): string {
  return text
    .replace(INVISIBLE_CHARACTER_PATTERN, ' ')
    .replace(/[&<]/g, (character) => FORMATTED_STRING_ESCAPES[character] ?? '');
}
