/**
 * Texts from requests and platforms must neither control a terminal that displays them, nor look like a separate line
 * there.
 */

/** Controls of C0 and C1, line ends, direction marks, lone surrogates, and all invisible characters. */
const NOT_SEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the text on one line; each invisible character is escaped as in JSON: `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(NOT_SEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, '0')}`;
}
