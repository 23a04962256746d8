/** Shortens long texts of clients in messages, both those of the service and of graphql-js. */

export const MAX_QUOTED_CHARACTERS = 100;
const MAX_MESSAGE_LENGTH = 500;
/**
 * A name or a string: graphql-js writes both between quotation marks, like JSON. A string that is not closed extends
 * to the end of the message, so that no part of a message is read twice.
 */
const QUOTED_PATTERN = /"((?:[^"\\]|\\.?)*)("|$)/gs;
/** The prefix of a syntax error, which quotes the document's text without quotation marks. */
const SYNTAX_ERROR_PREFIX = 'Syntax Error: ';

/**
 * Returns the message with at most 100 characters of each quote, and 500 in total. `values` are texts that it quotes
 * without quotation marks.
 */
export function shortenMessage(message: string, values: readonly string[] = []): string {
  if (message.length <= MAX_QUOTED_CHARACTERS) return message;
  if (message.startsWith(SYNTAX_ERROR_PREFIX))
    return truncateQuoted(message, SYNTAX_ERROR_PREFIX.length + MAX_QUOTED_CHARACTERS);
  const messageWithShortValues = values.reduce(
    (shortenedText, value) => shortenedText.replaceAll(value, truncateQuoted(value, MAX_QUOTED_CHARACTERS)),
    message,
  );
  const shortenedText = messageWithShortValues.replace(
    QUOTED_PATTERN,
    (_all, inner: string, end: string) => `"${truncateQuoted(inner, MAX_QUOTED_CHARACTERS)}${end}`,
  );
  return truncateQuoted(shortenedText, MAX_MESSAGE_LENGTH);
}

/** Returns the first `length` characters. A string keeps its closing quotation mark. */
export function truncateQuoted(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length)}…${text.startsWith('"') ? '"' : ''}`;
}
