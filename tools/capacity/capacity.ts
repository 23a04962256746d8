/** `npm run capacity`: says which limit is nearest and what to do, and writes docs/costs.md and docs/growth.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { GeneratedFile } from '../generated-file.ts';
import { assumptions, type Month, monthOf } from './assumptions.ts';
import { costFiles } from './costs-page.ts';
import { growthFiles, limitCells, verdictOf } from './growth-page.ts';
import { limitsOf } from './limits.ts';

/** There is at least one of each. */
const REQUIRED_OPTIONS: ReadonlySet<string> = new Set(['stores', 'customers', 'days']);

/**
 * The pages, as the code says that they are.
 * @internal A test holds them against those that are committed.
 */
export function capacityFiles(): GeneratedFile[] {
  return [...costFiles(), ...growthFiles(monthOf())];
}

/** Runs from the command line. Returns the exit code; with other assumptions it writes nothing. */
export function runCapacity(root: string, args: readonly string[], print = console.log): number {
  const changed = readArguments(args);
  if (typeof changed === 'string') {
    print(changed);
    return 2;
  }
  const limits = limitsOf(monthOf(changed));
  for (const limit of limits)
    print(
      limitCells(limit)
        .map((cell, at) => cell.padEnd(at === 0 ? 50 : 20))
        .join(''),
    );
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
    const changed = Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
    const bad = Object.keys(changed).find(
      (name) => !(Number(changed[name]) >= (REQUIRED_OPTIONS.has(name) ? 1 : 0)),
    );
    return bad === undefined
      ? changed
      : `--${bad} is a number, not below ${REQUIRED_OPTIONS.has(bad) ? 1 : 0}.`;
  } catch (error) {
    return `${error instanceof Error ? error.message : error} Known: ${names.map((name) => `--${name}`).join(', ')}.`;
  }
}

if (import.meta.main)
  process.exitCode = runCapacity(join(import.meta.dirname, '../..'), process.argv.slice(2));
