/**
 * Counts lexical tokens (GraphQL specification, section 2.1) and nested brackets in one pass over the text, without
 * building anything. For a text that is not GraphQL the count does not matter, because the parser refuses it.
 */
type TokenScan = { readonly tokens: number; readonly nesting: number };

const BLANK_PATTERN = /[\s,\uFEFF]+|#[^\n\r]*/y;
const NAME_PATTERN = /[A-Za-z_]\w*/y;
const NUMBER_PATTERN = /[-\d][\w.+-]*/y;
const STRING_PATTERN = /"(?:[^"\\\n\r]|\\.)*"?/y;
const SPREAD_PATTERN = /\.{1,3}/y;
const OPENING_BRACKETS = '{[(';
const CLOSING_BRACKETS = '}])';

/** Returns the end of the match of `pattern` at `start`, or `start` when there is none. */
function findEndOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** Returns the end of the block string at `start`, or the end of the text when it is not closed. */
function findEndOfBlockString(text: string, start: number): number {
  for (
    let endPosition = text.indexOf('"""', start + 3);
    endPosition !== -1;
    endPosition = text.indexOf('"""', endPosition + 3)
  ) {
    if (text[endPosition - 1] !== '\\') return endPosition + 3;
  }
  return text.length;
}

function findEndOfToken(text: string, start: number): number {
  const firstCharacter = text[start] ?? '';
  if (firstCharacter === '"')
    return text.startsWith('"""', start)
      ? findEndOfBlockString(text, start)
      : findEndOfMatch(STRING_PATTERN, text, start);
  for (const tokenPattern of [NAME_PATTERN, NUMBER_PATTERN, SPREAD_PATTERN]) {
    const end = findEndOfMatch(tokenPattern, text, start);
    if (end > start) return end;
  }
  return start + 1;
}

/** Returns the number of tokens and the maximum nesting. Stops at one token more than `limit`. */
export function scanTokens(text: string, limit: number): TokenScan {
  let tokenCount = 0;
  let openBracketCount = 0;
  let maxNestingDepth = 0;
  for (let position = 0; position < text.length && tokenCount <= limit; ) {
    const blankEndPosition = findEndOfMatch(BLANK_PATTERN, text, position);
    if (blankEndPosition > position) {
      position = blankEndPosition;
      continue;
    }
    tokenCount += 1;
    const character = text[position] ?? '';
    if (OPENING_BRACKETS.includes(character)) openBracketCount += 1;
    else if (CLOSING_BRACKETS.includes(character)) openBracketCount -= 1;
    maxNestingDepth = Math.max(maxNestingDepth, openBracketCount);
    position = findEndOfToken(text, position);
  }
  return { tokens: tokenCount, nesting: maxNestingDepth };
}
