/**
 * A change of lines is told in messages: which products came, went, or come in another number, and what went with them.
 */
import { type Message, message } from '../../messages/message.ts';
import type { ChangedFact } from '../facts.ts';
import { escapeText } from './escape-text.ts';

/** The entry's changes say more. */
const MAX_PARTS = 3;

/** For example `removed Decaf`, `added 2 × Filter papers`; undefined where the facts do not name the products. */
export function lineMessages(changes: readonly ChangedFact[]): Message[] | undefined {
  const parts = changes.map((fact) => partOf(fact, changes)).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const more = parts.length - MAX_PARTS;
  const messages = withSharedPhrase(parts.slice(0, MAX_PARTS));
  return more > 0 ? [...messages, message('linesMore', { count: more })] : messages;
}

/** What came of a line; `added`: a product that came in. */
type Part = Message | { readonly added: Message };

/** Products that are added one after the other are told with one verb. */
function withSharedPhrase(parts: readonly Part[]): Message[] {
  const messages: Message[] = [];
  let added: Message[] = [];
  for (const part of [...parts, undefined]) {
    if (part !== undefined && 'added' in part) added.push(part.added);
    else {
      if (added.length > 0) messages.push(message('linesAdded', { products: added }));
      added = [];
      if (part !== undefined) messages.push(part);
    }
  }
  return messages;
}

function partOf(
  { field, before, after, names }: ChangedFact,
  changes: readonly ChangedFact[],
): Part | undefined {
  const was = names?.before == null ? undefined : escapeText(names.before);
  const is = names?.after == null ? undefined : escapeText(names.after);
  if (field.startsWith('discounts.'))
    return was === undefined
      ? message('lineSomeDiscountRemoved')
      : message('lineDiscountRemoved', { title: was });
  // A line that comes in has a fact for its variant, too: it is told by its quantity.
  if (field.endsWith('.variantId')) {
    if (!was || !is) return undefined;
    const count = changes.find((one) => one.field === field.replace(/variantId$/, 'quantity'));
    if (count === undefined) return message('lineSwapped', { before: was, after: is });
    return message('lineSwapped', { before: product(count.before, was), after: product(count.after, is) });
  }
  if (!field.endsWith('.quantity')) return undefined;
  const variantField = field.replace(/quantity$/, 'variantId');
  const isSwapped = changes.some((one) => one.field === variantField && one.after !== null);
  if (isSwapped && before !== null) return undefined;
  if (before === null) return is ? { added: product(after, is) } : undefined;
  if (after === null) return was ? message('lineRemoved', { product: was }) : undefined;
  return is ? message('lineQuantityChanged', { product: is, before, after }) : undefined;
}

function product(quantity: string | null, name: string): Message {
  return message('lineProduct', { quantity: quantity ?? '', product: name });
}
