/** Text in a FormattedString: of clients' texts nothing is markup. (specification, "Scalars and shared types") */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text as it reads, with no tag and no entity in it; characters that nobody sees are left out. */
export function escapeText(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
