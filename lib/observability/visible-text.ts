/** What requests and platforms bring must not speak to a terminal that shows it, nor look like a line of its own there. */

/** Controls of C0 and C1, line ends, marks of direction, halves of pairs, and all that is not seen. */
const NOT_SEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text on one line, each character that is not seen as JSON escapes it: `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(NOT_SEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, '0')}`;
}
