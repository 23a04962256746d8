/**
 * Text in a FormattedString: of clients' texts nothing is markup. (specification, "Scalars and shared types") It stands
 * between tags and never in an attribute, so only these two signs could begin one.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
};

/** Controls, and what turns the direction of all that follows (Unicode UAX #9, explicit formatting characters). */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The text as it reads, with no tag and no entity in it; characters that nobody sees are left out. */
export function escapeText(text: string): string {
  return text.replace(UNSEEN, ' ').replace(/[&<]/g, (character) => ESCAPES[character] ?? '');
}
