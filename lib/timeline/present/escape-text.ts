/**
 * Text in a FormattedString: of clients' texts nothing is markup. (specification, "Scalars and shared types") It stands
 * between tags and never in an attribute, so only these two signs could begin one.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
};

/** The text as it reads, with no tag and no entity in it; characters that nobody sees are left out. */
export function escapeText(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/[&<]/g, (character) => ESCAPES[character] ?? '');
}
