/** `npm run simulate`: plays the month, says which limit comes first and what to do, and writes docs/growth.md. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { GeneratedFile } from '../generated-file.ts';
import { type AssumptionName, assumptions, type Month, monthOf } from '../load/assumptions.ts';
import { growthFiles, limitRows, verdictOf } from './growth-page.ts';
import { limitsOf } from './limits.ts';
import { simulateMonth } from './simulate-month.ts';

/** There is at least one of each. */
const LEAST: ReadonlySet<string> = new Set(['stores', 'customers', 'days']);

type Wish = { readonly check: boolean; readonly changed: Partial<Month> };

/** Runs from the command line. Returns the exit code; with --check 1 if a file is not what the code says. */
export function runSimulate(root: string, args: readonly string[], print = console.log): number {
  const wish = readArguments(args);
  if (typeof wish === 'string') {
    print(wish);
    return 2;
  }
  const simulated = simulateMonth(monthOf(wish.changed));
  const limits = limitsOf(simulated);
  for (const cells of limitRows(limits))
    print(cells.map((cell, at) => cell.padEnd(at === 0 ? 50 : 20)).join(''));
  for (const line of ['', ...verdictOf(limits)]) print(line);
  if (Object.keys(wish.changed).length > 0) return 0;
  const differing = growthFiles(simulated).filter(({ file, text }) => read(join(root, file)) !== text);
  if (wish.check)
    for (const { file } of differing) print(`${file} is old: run npm run simulate and commit it.`);
  else for (const each of differing) write(root, each, print);
  return wish.check && differing.length > 0 ? 1 : 0;
}

function readArguments(args: readonly string[]): Wish | string {
  const names = Object.keys(assumptions) as AssumptionName[];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args: [...args], options: { ...options, check: { type: 'boolean' } } });
    const { check = false, ...given } = values as Record<string, string> & { check?: boolean };
    const changed = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Number(text)]));
    const bad = Object.keys(changed).find((name) => !(Number(changed[name]) >= (LEAST.has(name) ? 1 : 0)));
    if (bad !== undefined) return `--${bad} is a number, not below ${LEAST.has(bad) ? 1 : 0}.`;
    return { check, changed };
  } catch (error) {
    return `${error instanceof Error ? error.message : error} Known: --check, ${names.map((name) => `--${name}`).join(', ')}.`;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function write(root: string, { file, text }: GeneratedFile, print: (line: string) => void): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  print(`wrote ${file}`);
}

if (import.meta.main)
  process.exitCode = runSimulate(join(import.meta.dirname, '../../..'), process.argv.slice(2));
