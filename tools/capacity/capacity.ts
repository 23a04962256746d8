/** `npm run capacity`: prints the nearest limits and what to do, and writes docs/costs.md and docs/growth.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, type Month, monthOf } from './assumptions.ts';
import { costsPage } from './costs-page.ts';
import { growthPage, limitCells, verdictOf } from './growth-page.ts';
import { limitsOf } from './limits.ts';

/** There is at minimum one of each. */
const REQUIRED_OPTIONS: ReadonlySet<string> = new Set(['stores', 'customers', 'days']);

/**
 * Returns the pages with computed tables.
 * @internal A test compares them with the committed pages.
 */
export function capacityFiles(): GeneratedFile[] {
  return [costsPage(), growthPage(monthOf())];
}

/** Runs from the command line. Returns the exit code; with other assumptions it writes nothing. */
export function runCapacity(root: string, args: readonly string[], print = console.log): number {
  const changed = readArguments(args);
  if (typeof changed === 'string') {
    print(changed);
    return 2;
  }
  const limits = limitsOf(monthOf(changed));
  const pad = (cell: string, at: number) => cell.padEnd(at === 0 ? 60 : 20);
  for (const limit of limits) print(limitCells(limit).map(pad).join(''));
  for (const line of ['', ...verdictOf(limits)]) print(line);
  if (Object.keys(changed).length > 0) return 0;
  for (const { file, text } of capacityFiles()) writeFileSync(join(root, file), text);
  return 0;
}

function readArguments(args: readonly string[]): Partial<Month> | string {
  const names = Object.keys(assumptions);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const given = Object.entries(parseArgs({ args: [...args], options }).values);
    for (const [name, text] of given) {
      const minimum = REQUIRED_OPTIONS.has(name) ? 1 : 0;
      if (!(Number(text) >= minimum)) return `--${name} is a number, not below ${minimum}.`;
    }
    return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
  } catch (error) {
    return `${error instanceof Error ? error.message : error} Known: ${names.map((name) => `--${name}`).join(', ')}.`;
  }
}

if (import.meta.main)
  process.exitCode = runCapacity(join(import.meta.dirname, '../..'), process.argv.slice(2));
