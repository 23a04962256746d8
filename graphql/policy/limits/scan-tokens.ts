/**
 * Counts lexical tokens (GraphQL specification, section 2.1) and nested brackets in one pass over the text, without
 * building anything. For a text that is not GraphQL the count does not matter, because the parser refuses it.
 */
type Scan = { readonly tokens: number; readonly nesting: number };

const BLANK = /[\s,\uFEFF]+|#[^\n\r]*/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /[-\d][\w.+-]*/y;
const STRING = /"(?:[^"\\\n\r]|\\.)*"?/y;
const SPREAD = /\.{1,3}/y;
const OPENING = '{[(';
const CLOSING = '}])';

/** Returns the end of the match of `pattern` at `start`, or `start` when there is none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** Returns the end of the block string at `start`, or the end of the text when it is not closed. */
function endOfBlock(text: string, start: number): number {
  for (let at = text.indexOf('"""', start + 3); at !== -1; at = text.indexOf('"""', at + 3)) {
    if (text[at - 1] !== '\\') return at + 3;
  }
  return text.length;
}

function endOfToken(text: string, start: number): number {
  const first = text[start] ?? '';
  if (first === '"')
    return text.startsWith('"""', start) ? endOfBlock(text, start) : endOf(STRING, text, start);
  for (const pattern of [NAME, NUMBER, SPREAD]) {
    const end = endOf(pattern, text, start);
    if (end > start) return end;
  }
  return start + 1;
}

/** Returns the number of tokens and the maximum nesting. Stops at one token more than `limit`. */
export function scanTokens(text: string, limit: number): Scan {
  let tokens = 0;
  let open = 0;
  let nesting = 0;
  for (let at = 0; at < text.length && tokens <= limit; ) {
    const blank = endOf(BLANK, text, at);
    if (blank > at) {
      at = blank;
      continue;
    }
    tokens += 1;
    const character = text[at] ?? '';
    if (OPENING.includes(character)) open += 1;
    else if (CLOSING.includes(character)) open -= 1;
    nesting = Math.max(nesting, open);
    at = endOfToken(text, at);
  }
  return { tokens, nesting };
}
