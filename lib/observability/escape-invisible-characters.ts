/** Makes untrusted texts safe to display: they can neither control a terminal nor look like a line of their own. */

/** Control characters (C0 and C1), line ends, direction marks, lone surrogates, and all other invisible characters. */
const INVISIBLE_CHARACTER_PATTERN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the text on one line. Invisible characters are escaped as in JSON, for example `\u001b`. */
export function escapeInvisibleCharacters(text: string): string {
  return text.replace(INVISIBLE_CHARACTER_PATTERN, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeCodeUnit(character.charCodeAt(index))).join(
      '',
    ),
  );
}

function escapeCodeUnit(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, '0')}`;
}
