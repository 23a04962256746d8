/** Writes tables into a page that people write otherwise: each between the lines `<!-- NAME -->` and `<!-- end -->`. */
import { readFileSync } from 'node:fs';
import type { GeneratedFile } from '../generated-file.ts';

type Cell = string | number;

/**
 * Replaces the tables of the page `file`.
 * @throws Error when the page and `tables` have different names.
 */
export function pageWith(file: string, tables: Readonly<Record<string, string>>): GeneratedFile {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const missing = new Set(Object.keys(tables));
  const text = page.replace(/<!-- ([a-z-]+) -->.*?<!-- end -->/gs, (_block, name: string) => {
    if (!missing.delete(name)) throw new Error(`${file} has a place for an unknown table ${name}.`);
    return `<!-- ${name} -->\n\n${tables[name]}\n\n<!-- end -->`;
  });
  if (missing.size > 0) throw new Error(`${file} has no place for ${[...missing].join(', ')}.`);
  return { file, text };
}

/** A table in Markdown; no head: one of names and values. */
export function table(rows: readonly (readonly Cell[])[], head: readonly string[] = ['', '']): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** An amount in US dollars, to the cent. */
export function dollars(usd: number): string {
  return usd.toFixed(2);
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
