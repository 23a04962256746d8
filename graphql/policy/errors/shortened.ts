/** Shortens long texts of clients in messages, both those of the service and of graphql-js. */

const MAX_QUOTED = 100;
const MAX_MESSAGE_LENGTH = 500;
/**
 * A name or a string: graphql-js writes both between quotation marks, as JSON does. One that does not end goes to the
 * message's end, so that no part of a message is read twice.
 */
const QUOTED = /"((?:[^"\\]|\\.?)*)("|$)/gs;
/** A syntax error quotes the document's own text behind these words, without quotation marks. */
const SYNTAX_ERROR = 'Syntax Error: ';

/**
 * The message with at most 100 characters of each thing that it quotes, and 500 in all. `values` are texts that it
 * quotes without quotation marks around them.
 */
export function shortened(message: string, values: readonly string[] = []): string {
  if (message.length <= MAX_QUOTED) return message;
  if (message.startsWith(SYNTAX_ERROR)) return cut(message, SYNTAX_ERROR.length + MAX_QUOTED);
  const known = values.reduce(
    (shortenedText, value) => shortenedText.replaceAll(value, cut(value, MAX_QUOTED)),
    message,
  );
  const shortenedText = known.replace(
    QUOTED,
    (_all, inner: string, end: string) => `"${cut(inner, MAX_QUOTED)}${end}`,
  );
  return cut(shortenedText, MAX_MESSAGE_LENGTH);
}

/** The first `length` characters. A string still ends with its quotation mark. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length)}…${text.startsWith('"') ? '"' : ''}`;
}
