/** `npm run capacity`: prints the nearest limits and what to do, and writes docs/costs.md and docs/growth.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, createMonth, type MonthAssumptions } from './assumptions.ts';
import { generateCostsPage } from './costs-page.ts';
import { formatLimitCells, formatVerdict, generateGrowthPage } from './growth-page.ts';
import { computeLimits } from './limits.ts';

/** The options whose value is at least 1. */
const POSITIVE_COUNT_OPTIONS: ReadonlySet<string> = new Set(['stores', 'customers', 'days']);

/**
 * Returns the pages with computed tables.
 * @internal A test compares them with the committed pages.
 */
export function generateCapacityPages(): GeneratedFile[] {
  return [generateCostsPage(), generateGrowthPage(createMonth())];
}

/** Runs from the command line. Returns the exit code; with other assumptions it writes nothing. */
export function runCapacity(root: string, args: readonly string[], print = console.log): number {
  const changedAssumptions = parseAssumptionArguments(args);
  if (typeof changedAssumptions === 'string') {
    print(changedAssumptions);
    return 2;
  }
  const loadLimits = computeLimits(createMonth(changedAssumptions));
  const pad = (cell: string, columnIndex: number) => cell.padEnd(columnIndex === 0 ? 60 : 20);
  for (const loadLimit of loadLimits) print(formatLimitCells(loadLimit).map(pad).join(''));
  for (const line of ['', ...formatVerdict(loadLimits)]) print(line);
  if (Object.keys(changedAssumptions).length > 0) return 0;
  for (const { file, text } of generateCapacityPages()) writeFileSync(join(root, file), text);
  return 0;
}

function parseAssumptionArguments(args: readonly string[]): Partial<MonthAssumptions> | string {
  const assumptionNames = Object.keys(assumptions);
  const optionDefinitions = Object.fromEntries(
    assumptionNames.map((name) => [name, { type: 'string' as const }]),
  );
  try {
    const optionEntries = Object.entries(parseArgs({ args: [...args], options: optionDefinitions }).values);
    for (const [name, text] of optionEntries) {
      const minValue = POSITIVE_COUNT_OPTIONS.has(name) ? 1 : 0;
      if (!(Number(text) >= minValue)) return `--${name} is a number, not below ${minValue}.`;
    }
    return Object.fromEntries(optionEntries.map(([name, text]) => [name, Number(text)]));
  } catch (error) {
    return `${error instanceof Error ? error.message : error} Known: ${assumptionNames.map((name) => `--${name}`).join(', ')}.`;
  }
}

if (import.meta.main)
  process.exitCode = runCapacity(join(import.meta.dirname, '../..'), process.argv.slice(2));
