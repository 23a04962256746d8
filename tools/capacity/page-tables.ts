/** Fills the tables of a page: each stands between the lines `<!-- NAME -->` and `<!-- end -->`, with a written head. */
import { readFileSync } from 'node:fs';
import type { GeneratedFile } from '../generated-file.ts';

export type PageTableRow = readonly (string | number)[];

/**
 * Replaces the tables of the page `file`. A row without its first cell keeps the label that is written in the page.
 * A text replaces a whole block.
 * @throws Error when the page has other names, or a table has another number of labels
 */
export function replacePageTables(
  file: string,
  parts: Readonly<Record<string, string | readonly PageTableRow[]>>,
): GeneratedFile {
  const missingTables = new Set(Object.keys(parts));
  const pageText = readPage(file).replace(
    /(<!-- ([a-z-]+) -->)(.*?)<!-- end -->/gs,
    (_block, begin, name, oldTable) => {
      if (!missingTables.delete(name)) throw new Error(`${file} has a place for an unknown table ${name}.`);
      const newContent = parts[name] ?? '';
      const filledText =
        typeof newContent === 'string' ? newContent : replaceRows(`${file}, ${name}`, oldTable, newContent);
      return `${begin}\n\n${filledText}\n\n<!-- end -->`;
    },
  );
  if (missingTables.size > 0) throw new Error(`${file} has no place for ${[...missingTables].join(', ')}.`);
  return { file, text: pageText };
}

export function readPage(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

function replaceRows(tableName: string, oldTable: string, rows: readonly PageTableRow[]): string {
  const [headLine = '', ruleLine = '', ...oldLines] = oldTable.trim().split('\n');
  const rowLabels = oldLines.map((line) => line.split(' | ')[0]?.replace(/^\| */, '') ?? '');
  const columnCount = headLine.split('|').length - 2;
  const tableLines = rows.map((cells, rowIndex) => {
    const labelCells = cells.length < columnCount ? [rowLabels[rowIndex] ?? ''] : [];
    if (labelCells.length > 0 && rows.length !== oldLines.length)
      throw new Error(`${tableName} has ${oldLines.length} labels, and ${rows.length} rows.`);
    return `| ${[...labelCells, ...cells].join(' | ')} |`;
  });
  return [headLine, ruleLine, ...tableLines].join('\n');
}

/** Formats an amount in US dollars, to the cent. */
export function formatDollars(usd: number): string {
  return usd.toFixed(2);
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
