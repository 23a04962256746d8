/** Generated parts of pages: a block of a page that is otherwise written by hand, and tables. */
import { readFileSync } from 'node:fs';
import type { GeneratedFile } from './generated-file.ts';

type PageBlock = {
  readonly file: string;
  /** The lines before and after the block, which stay. */
  readonly begin: string;
  readonly end: string;
  readonly lines: readonly string[];
};

/**
 * Returns the page with a new block.
 * @throws Error when the page has no place for it
 */
export function replacePageBlock({ file, begin, end, lines }: PageBlock): GeneratedFile {
  const page = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const [textBefore, blockAndRest] = page.split(begin);
  const textAfter = blockAndRest?.split(end)[1];
  if (textBefore === undefined || textAfter === undefined)
    throw new Error(`${file} has no place for ${begin}`);
  return { file, text: `${textBefore}${[begin, ...lines, end].join('\n')}${textAfter}` };
}

/** Returns a table in Markdown. */
export function formatMarkdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
