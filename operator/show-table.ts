/** Formats tables whose columns fit their content and the terminal's width. */
import { escapeInvisibleCharacters } from '../lib/observability/escape-invisible-characters.ts';
import { formatTimesInside } from './format-times.ts';
import { formatCountWithUnit } from './outcome.ts';

export type TableRow = Readonly<Record<string, string | number | undefined>>;

const COLUMN_GAP = '  ';
const MIN_COLUMN_WIDTH = 6;

/** Returns the lines of a table. The headings are the field names of the first row; an absent value is a dash. */
export function formatTable(rows: readonly TableRow[], columns: number): string[] {
  const columnNames = Object.keys(rows[0] ?? {});
  const cellTexts = rows.map((row) => columnNames.map((name) => formatCell(row[name])));
  const columnWidths = columnNames.map((name, index) =>
    Math.max(name.length, ...cellTexts.map((row) => row[index]?.length ?? 0)),
  );
  shrinkColumns(columnWidths, columns);
  const formatLine = (cells: readonly string[]) =>
    cells
      .map((cell, index) => truncateCell(cell, columnWidths[index] ?? 0))
      .join(COLUMN_GAP)
      .trimEnd();
  return [formatLine(columnNames.map((name) => name.toUpperCase())), ...cellTexts.map(formatLine)];
}

/** Returns one line for each name and value, with readable times. */
export function formatFacts(facts: TableRow): string[] {
  const formattedRow = formatTimesInside(facts, formatTime) as TableRow;
  const nameWidth = Math.max(...Object.keys(formattedRow).map((name) => name.length));
  return Object.entries(formattedRow).map(
    ([name, value]) => `${name.padEnd(nameWidth)}${COLUMN_GAP}${formatCell(value)}`,
  );
}

/** Escapes the value, so that it stays in one cell, and its width is that of the displayed text. */
function formatCell(value: TableRow[string]): string {
  return value === undefined ? '–' : escapeInvisibleCharacters(`${value}`);
}

/** Shrinks the widest column until the row fits. The first column keeps its width, because people copy it. */
function shrinkColumns(widths: number[], columns: number): void {
  const sumWidths = () =>
    widths.reduce((sum, width) => sum + width, 0) + COLUMN_GAP.length * (widths.length - 1);
  while (sumWidths() > columns) {
    const widestColumn = widths.lastIndexOf(Math.max(...widths.slice(1)));
    const columnWidth = widths[widestColumn] ?? 0;
    if (widestColumn < 1 || columnWidth <= MIN_COLUMN_WIDTH) return;
    widths[widestColumn] = columnWidth - 1;
  }
}

function truncateCell(text: string, width: number): string {
  if (text.length <= width) return text.padEnd(width);
  // A cut within a surrogate pair leaves half a character, which is removed.
  return `${text
    .slice(0, width - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`.padEnd(width);
}

/** Formats a time for a column with UTC in its heading: `2026-07-01 09:30`. */
export function formatShortTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** Formats a time: `2026-07-01 09:30 UTC`. */
export function formatTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `${formatShortTime(ms)} UTC`;
}

const HOUR_MS = 3_600_000;

/**
 * Formats the time that is left until a deadline, or has passed since: in hours below two days, and rounded towards
 * zero.
 */
export function formatTimeLeft(remainingMs: number): string {
  const hours = Math.floor(Math.abs(remainingMs) / HOUR_MS);
  if (hours === 0) return remainingMs > 0 ? 'less than an hour left' : 'overdue';
  const timeText =
    hours < 48 ? formatCountWithUnit(hours, 'hour') : formatCountWithUnit(Math.floor(hours / 24), 'day');
  return remainingMs > 0 ? `${timeText} left` : `overdue by ${timeText}`;
}
