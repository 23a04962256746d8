/**
 * A change of lines is told in words: which products came, went, or come in another number, and what went with them.
 */
import type { ChangedFact } from '../changed-fact.ts';
import { escapeText } from './escape-text.ts';

/** The entry's changes say more. */
const MOST_PARTS = 3;

/** For example `removed Decaf and added 2 × Filter papers`; undefined where the facts do not name the products. */
export function lineWords(changes: readonly ChangedFact[]): string | undefined {
  const parts = changes.map((fact) => partOf(fact, changes)).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const more = parts.length - MOST_PARTS;
  const told =
    more > 0
      ? [...parts.slice(0, MOST_PARTS), `made ${more} more ${more === 1 ? 'change' : 'changes'}`]
      : parts;
  const once = told.map((part, index) => (told[index - 1]?.startsWith(ADDED) ? withoutAdded(part) : part));
  const last = once.pop();
  return once.length === 0 ? last : `${once.join(', ')} and ${last}`;
}

const ADDED = 'added ';

/** Products that are added together are told with one verb. */
function withoutAdded(part: string): string {
  return part.startsWith(ADDED) ? part.slice(ADDED.length) : part;
}

function partOf(
  { field, before, after, names }: ChangedFact,
  changes: readonly ChangedFact[],
): string | undefined {
  const was = names?.before == null ? undefined : escapeText(names.before);
  const is = names?.after == null ? undefined : escapeText(names.after);
  if (field.startsWith('discounts.'))
    return was === undefined ? 'removed a discount' : `removed the discount ${was}`;
  // A line that comes in has a fact for its variant, too: it is told by its quantity.
  if (field.endsWith('.variantId')) {
    const count = changes.find((one) => one.field === field.replace(/variantId$/, 'quantity'));
    if (count === undefined) return was && is && `swapped ${was} for ${is}`;
    return was && is && `swapped ${count.before} × ${was} for ${count.after} × ${is}`;
  }
  if (!field.endsWith('.quantity')) return undefined;
  const isSwapped = changes.some((one) => one.field === field.replace(/quantity$/, 'variantId'));
  if (isSwapped && before !== null) return undefined;
  if (before === null) return is && `added ${after} × ${is}`;
  if (after === null) return was && `removed ${was}`;
  return is && `changed the quantity of ${is} from ${before} to ${after}`;
}
